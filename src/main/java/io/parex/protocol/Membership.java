package io.parex.protocol;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** The view of one rank: which life of each rank it knows. Owner loop only. */
public final class Membership {
    private final Life[] lives;
    private int known;

    /** Knows none of {@code size} ranks. */
    public Membership(int size) {
        lives = new Life[size];
    }

    /**
     * Takes what somebody else knows; returns what of it is news.
     *
     * @throws IndexOutOfBoundsException if one is of no rank of the world
     */
    public List<Life> learn(Collection<Life> told) {
        List<Life> news = new ArrayList<>();
        for (Life life : told) {
            Objects.checkIndex(life.rank(), lives.length);
            Life mine = lives[life.rank()];
            if (mine == null || life.generation() > mine.generation()) {
                known += mine == null ? 1 : 0;
                lives[life.rank()] = life;
                news.add(life);
            }
        }
        return news;
    }

    /** Whether a life of every rank is known. */
    public boolean isComplete() {
        return known == lives.length;
    }

    /** Ranks of which no life is known. */
    public int[] missing() {
        return IntStream.range(0, lives.length)
                .filter(rank -> lives[rank] == null)
                .toArray();
    }

    /** All lives that are known. */
    public List<Life> lives() {
        return IntStream.range(0, lives.length)
                .filter(rank -> lives[rank] != null)
                .mapToObj(rank -> lives[rank])
                .toList();
    }
}
