package io.parex.world;

import io.parex.protocol.Life;
import io.parex.protocol.Membership;
import io.parex.protocol.Standing;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Where the members of one group stand in its recovery, as far as this rank has heard. Owner loop only. */
final class Standings {
    private final Membership view;
    private final int[] members;

    /** Of each member the last word of its latest process that has said any. */
    private final Standing[] latest;

    /**
     * Nothing heard.
     *
     * @param members world ranks of the members
     */
    Standings(Membership view, int[] members) {
        this.view = view;
        this.members = members;
        this.latest = new Standing[members.length];
    }

    /** Takes what a member says; whether it is news. */
    boolean learn(Standing standing) {
        if (standing.member() >= members.length) {
            throw new IllegalArgumentException("no member " + standing.member() + " in a group of " + members.length);
        }
        Standing known = latest[standing.member()];
        Life present = life(standing.member());
        boolean isFormer = standing.nonce() != present.nonce() && standing.generation() <= present.generation();
        if (isFormer || known != null && !standing.isAfter(known)) {
            return false;
        }
        latest[standing.member()] = standing;
        return true;
    }

    private Life life(int member) {
        return view.life(members[member]);
    }

    /** The last word of the present process of a member; null if there is none. */
    Standing of(int member) {
        Standing last = latest[member];
        // Word of a later process may come before word of its start.
        return last != null && last.nonce() == life(member).nonce() ? last : null;
    }

    /** The last words of all members. */
    List<Standing> all() {
        return IntStream.range(0, members.length)
                .mapToObj(this::of)
                .filter(Objects::nonNull)
                .toList();
    }

    /** The latest round of which any member has said something; 0 if none has. */
    long lastRound() {
        return all().stream().mapToLong(Standing::round).max().orElse(0);
    }

    /** Members that have said something of a round after {@code round}. */
    List<Integer> beyond(long round) {
        return all().stream()
                .filter(standing -> standing.round() > round)
                .map(Standing::member)
                .toList();
    }

    /** Members that have not said in this round, in the view that is known now, that they are at {@code stage}. */
    List<Integer> awaited(long round, Standing.Stage stage) {
        long epoch = epoch();
        return IntStream.range(0, members.length)
                .filter(member -> !isAt(stage, member, round, epoch))
                .boxed()
                .toList();
    }

    /** Whether there are any of {@link #awaited}. */
    boolean isAwaited(long round, Standing.Stage stage) {
        return !awaited(round, stage).isEmpty();
    }

    /** Who has not called recover in this round, in words. */
    String missing(long round) {
        List<Integer> awaited = awaited(round, Standing.Stage.READY);
        String lost = awaited.stream()
                .filter(member -> view.isLost(members[member]))
                .map(member -> "rank " + member + " is lost and not started again")
                .collect(Collectors.joining("; "));
        return "missing=" + awaited + " have not called recover" + (lost.isEmpty() ? "" : " (" + lost + ")");
    }

    /**
     * Whether there is a member of which nothing is expected but that its caller recovers the group, or that is lost.
     */
    boolean anyUsed() {
        return all().stream().anyMatch(standing -> standing.stage() != Standing.Stage.UNUSED)
                || Arrays.stream(members).anyMatch(view::isLost);
    }

    private boolean isAt(Standing.Stage stage, int member, long round, long epoch) {
        Standing standing = of(member);
        return standing != null
                && standing.stage() == stage
                && standing.round() == round
                && standing.epoch() == epoch
                && !view.isLost(members[member]);
    }

    /** Sum of the generations of all members. */
    long epoch() {
        return IntStream.range(0, members.length)
                .mapToLong(member -> life(member).generation())
                .sum();
    }

    /** What a group is called after a round of recovery of its present processes. */
    long identity(long key, long round) {
        long[] numbers = new long[2 + members.length];
        numbers[0] = key;
        numbers[1] = round;
        for (int member = 0; member < members.length; member++) {
            numbers[2 + member] = life(member).nonce();
        }
        return Identity.of(numbers);
    }
}
