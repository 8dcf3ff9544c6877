package io.parex.world;

import io.parex.protocol.Standing;
import java.util.List;

/**
 * What a group is after its recovery; the same on all members.
 *
 * @param epoch sum of the generations of all members: grows with each restart of one
 * @param round counts the recoveries of the group, with gaps; with the epoch it tells this recovery from all others
 * @param nextCall number of the next collective call, above that of any before
 * @param members in the order of their ranks in the group
 */
public record Recovered(long epoch, long round, long nextCall, List<Member> members) {

    /**
     * One member.
     *
     * @param rank in the group
     * @param generation counts the starts of its process, from 1
     * @param lastCall number of the last collective call on the group that this process has completed, -1 if none
     */
    public record Member(int rank, long generation, long lastCall) {}

    /** What all members have said when they were ready. */
    static Recovered of(long epoch, long round, long nextCall, List<Standing> ready) {
        List<Member> members = ready.stream()
                .map(each -> new Member(each.member(), each.generation(), each.completed() - 1))
                .toList();
        return new Recovered(epoch, round, nextCall, members);
    }

    /** Whether all members have completed the same last call, so that they may go on from there. */
    public boolean isLevel() {
        return members.stream().mapToLong(Member::lastCall).distinct().count() == 1;
    }
}
