package io.parex.algorithm;

import io.parex.schedule.Buffer;
import io.parex.schedule.Placement;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * The tensor passes along a chain of hosts from the root's on, by one rank of each, and on each host along a chain of
 * its ranks; segments are passed on while the next ones arrive. The card of a host carries the tensor once each way.
 *
 * <p>Source: the two levels of X. Luo et al., "HAN: a hierarchical autotuned collective communication framework", IEEE
 * CLUSTER 2020, with the pipelined chain in both.
 *
 * <p>On 7 ranks of the hosts 0 1 2, 3 4 and 5 6, root 1; {@code =} between hosts, {@code -} within one:
 *
 * <pre>
 * 1 = 3 = 5
 * 1 - 2 - 0
 *     3 - 4
 *         5 - 6
 * </pre>
 *
 * <p>Steps: 1 or 2 messages sent by a rank that has the tensor of another host, at most 1 by others; each is the whole
 * tensor. Cost, with q hosts, m ranks on a host and segments of c bytes: (q-1)(α + cβ) between hosts, (m-1)(α + cβ)
 * within them, and (n/c - 1)(α + cβ).
 *
 * <p>Restrictions: none. Any hosts; with one rank on each it is the chain, and that where nothing is known of hosts.
 *
 * <p>Scratch: none.
 */
public final class HierarchicalBroadcast implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.BROADCAST;
    }

    @Override
    public String name() {
        return "hierarchical";
    }

    @Override
    public boolean looksAtHosts() {
        return true;
    }

    @Override
    public Effort effort(Shape shape) {
        Placement hosts = shape.placement();
        if (!hosts.isMixed()) {
            return new ChainBroadcast().effort(shape);
        }
        double segment = Math.min(shape.bytes(), Effort.SEGMENT_BYTES);
        return new Effort.Builder()
                .add(1, 1, shape.bytes(), 0, hosts.hosts())
                .fill(hosts.hosts() - 2, shape.bytes(), 0)
                .addLocal(hosts.most() - 1, 1, segment, 0, 1)
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Placement placement = problem.hosts();
        int hosts = placement.hosts();
        int rootHost = placement.host(problem.root());
        int host = placement.host(problem.rank());
        int places = placement.size(host);
        int first = entry(placement, host, problem.root());
        int distance = Math.floorMod(placement.place(problem.rank()) - placement.place(first), places);
        Slice tensor = new Slice(problem.isRoot() ? Buffer.INPUT : Buffer.OUTPUT, 0, problem.count());
        int hop = Math.floorMod(host - rootHost, hosts);
        if (distance > 0) {
            builder.recv(placement.rank(host, Math.floorMod(placement.place(problem.rank()) - 1, places)), tensor);
        } else if (hop > 0) {
            builder.recv(entry(placement, Math.floorMod(host - 1, hosts), problem.root()), tensor);
        }
        if (distance == 0 && hop < hosts - 1) {
            builder.send(entry(placement, Math.floorMod(host + 1, hosts), problem.root()), tensor);
        }
        if (distance < places - 1) {
            builder.send(placement.rank(host, Math.floorMod(placement.place(problem.rank()) + 1, places)), tensor);
        }
        return builder.build();
    }

    /** The rank of a host that has the tensor first. */
    private static int entry(Placement placement, int host, int root) {
        return host == placement.host(root) ? root : placement.rank(host, 0);
    }
}
