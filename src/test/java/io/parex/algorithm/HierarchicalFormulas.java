package io.parex.algorithm;

import io.parex.schedule.Blocks;
import io.parex.schedule.Placement;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Validation.Sent;

/** The costs that the Javadoc of the algorithms for hosts states, written down independently of the schedules. */
final class HierarchicalFormulas {
    private HierarchicalFormulas() {}

    static Sent sent(Problem problem) {
        return problem.primitive() == Primitive.BROADCAST ? broadcast(problem) : allReduce(problem);
    }

    private static Sent broadcast(Problem problem) {
        long messages = passedOnWithin(problem) + passedOnToAHost(problem);
        return new Sent(messages, messages * problem.count());
    }

    private static long passedOnWithin(Problem problem) {
        Placement hosts = problem.hosts();
        int host = hosts.host(problem.rank());
        int first = host == hosts.host(problem.root()) ? hosts.place(problem.root()) : 0;
        int last = (first + hosts.size(host) - 1) % hosts.size(host);
        return hosts.place(problem.rank()) == last ? 0 : 1;
    }

    private static long passedOnToAHost(Problem problem) {
        Placement hosts = problem.hosts();
        int host = hosts.host(problem.rank());
        int rootHost = hosts.host(problem.root());
        boolean isLast = (host + 1) % hosts.hosts() == rootHost;
        boolean isFirst = host == rootHost ? problem.isRoot() : hosts.place(problem.rank()) == 0;
        return isFirst && !isLast ? 1 : 0;
    }

    private static Sent allReduce(Problem problem) {
        Placement hosts = problem.hosts();
        int places = hosts.size(hosts.host(problem.rank()));
        int place = hosts.place(problem.rank());
        Blocks parts = Blocks.spread(problem.count(), hosts.fewest());
        int q = hosts.hosts();
        Sent sent = ring(problem);
        for (int part = 0; part < parts.size() && places > 1; part++) {
            // To the leader all but itself send it, from there all but the last.
            int ways = (place == part ? 0 : 1) + ((place + 1) % places == part ? 0 : 1);
            sent = Formulas.plus(sent, new Sent((long) ways * q, ways * parts.length(part)));
        }
        return sent;
    }

    private static Sent ring(Problem problem) {
        Placement hosts = problem.hosts();
        int q = hosts.hosts();
        int place = hosts.place(problem.rank());
        Blocks parts = Blocks.spread(problem.count(), hosts.fewest());
        if (q == 1 || place >= parts.size()) {
            return new Sent(0, 0);
        }
        int host = hosts.host(problem.rank());
        Blocks chunks = Blocks.spread(parts.length(place), q);
        long once = chunks.length((host + 1) % q) + chunks.length((host + 2) % q);
        return new Sent(2L * (q - 1), 2 * parts.length(place) - once);
    }

    static long elementsToOtherHosts(Problem problem) {
        return problem.primitive() == Primitive.BROADCAST
                ? passedOnToAHost(problem) * problem.count()
                : ring(problem).elements();
    }
}
