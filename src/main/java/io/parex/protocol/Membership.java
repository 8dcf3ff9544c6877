package io.parex.protocol;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** The view of one rank: which life of each rank it knows, and which of them it knows to be lost. Owner loop only. */
public final class Membership {
    private final Life[] lives;
    private final boolean[] lost;

    /** Knows none of {@code size} ranks. */
    public Membership(int size) {
        lives = new Life[size];
        lost = new boolean[size];
    }

    /** Number of ranks of the world. */
    public int size() {
        return lives.length;
    }

    /**
     * Takes what somebody else knows; whether it is news.
     *
     * @throws IndexOutOfBoundsException if it is of no rank of the world
     */
    public boolean learn(Life life) {
        Life mine = lives[Objects.checkIndex(life.rank(), lives.length)];
        if (mine != null && !life.isAfter(mine)) {
            return false;
        }
        lives[life.rank()] = life;
        lost[life.rank()] &= mine != null && mine.isSameProcess(life);
        return true;
    }

    /**
     * Takes that a life is lost; whether it is news. It is none if a later life of the rank is known.
     *
     * @throws IndexOutOfBoundsException if it is of no rank of the world
     */
    public boolean lose(Life life) {
        learn(life);
        Life mine = lives[life.rank()];
        if (lost[life.rank()] || !mine.isSameProcess(life)) {
            return false;
        }
        lost[life.rank()] = true;
        return true;
    }

    /** Takes where the known life of a rank listens. */
    public void locate(int rank, String address) {
        lives[rank] = lives[rank].at(address);
    }

    /** The latest life of a rank that is known; {@link Life#unknown} if none is. */
    public Life life(int rank) {
        return lives[rank] == null ? Life.unknown(rank) : lives[rank];
    }

    /** Whether a life of a rank is known. */
    public boolean knows(int rank) {
        return life(rank).generation() > 0;
    }

    /** Whether the latest life of a rank is lost, so that only another start of it can be there. */
    public boolean isLost(int rank) {
        return lost[rank];
    }

    /** Whether a life of every rank is known. */
    public boolean isComplete() {
        return IntStream.range(0, lives.length).allMatch(this::knows);
    }

    /** Ranks of which no life is known. */
    public int[] missing() {
        return IntStream.range(0, lives.length).filter(rank -> !knows(rank)).toArray();
    }

    /** All lives that are known. */
    public List<Life> lives() {
        return IntStream.range(0, lives.length)
                .filter(this::knows)
                .mapToObj(this::life)
                .toList();
    }

    /** How this rank sees the world. */
    public View view() {
        int present = (int) IntStream.range(0, lives.length)
                .filter(rank -> knows(rank) && !lost[rank])
                .count();
        long lives = IntStream.range(0, this.lives.length)
                .mapToLong(rank -> life(rank).nonce() * (2L * rank + 1))
                .sum();
        return new View(present, epoch(), lives);
    }

    /**
     * The sum of all generations: equal on all ranks that know the same lives, and larger after each restart; the
     * number of ranks in a world of which no rank was restarted.
     */
    public long epoch() {
        return IntStream.range(0, lives.length)
                .mapToLong(rank -> life(rank).generation())
                .sum();
    }
}
