package io.parex.client;

import io.parex.v1.RecoverResponse;
import java.util.List;

/**
 * What a group is after its recovery; the same on all members.
 *
 * @param epoch sum of the generations of all members: grows with each restart of one
 * @param round grows with each recovery
 * @param nextCall number of the next collective call, above that of any before
 * @param members in the order of their ranks
 */
public record Recovered(long epoch, long round, long nextCall, List<Member> members) {

    /**
     * One member.
     *
     * @param rank in the group
     * @param generation counts the starts of its process, from 1
     * @param lastCall number of the last collective call that this process has completed, -1 if none
     */
    public record Member(int rank, long generation, long lastCall) {}

    /** Whether all members have completed the same last call, so that the job may go on from there. */
    public boolean isLevel() {
        return members.stream().mapToLong(Member::lastCall).distinct().count() == 1;
    }

    static Recovered of(RecoverResponse response) {
        return new Recovered(
                response.getEpoch(),
                response.getRound(),
                response.getNextCall(),
                response.getMembersList().stream().map(Recovered::member).toList());
    }

    private static Member member(io.parex.v1.Member member) {
        return new Member(member.getRank(), member.getGeneration(), member.hasLastCall() ? member.getLastCall() : -1);
    }
}
