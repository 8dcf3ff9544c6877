package io.parex.algorithm;

import io.parex.schedule.Blocks;
import io.parex.schedule.Buffer;
import io.parex.schedule.Placement;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * The tensor is cut into as many parts as the host with the fewest ranks has; on each host a leader for each part sums
 * it up along a chain of the host's ranks, the leaders of a part reduce it in a ring of hosts, and the results go back
 * along the chains. The card of a host carries what a ring of the hosts alone would carry.
 *
 * <p>Source: the two-level all_reduce of A. Sergeev, M. Del Balso, "Horovod: fast and easy distributed deep learning in
 * TensorFlow", arXiv 1802.05799, 2018, with several leaders as in X. Luo et al., "HAN: a hierarchical autotuned
 * collective communication framework", IEEE CLUSTER 2020.
 *
 * <p>On 6 ranks of the hosts 0 1 2 and 3 4 5, parts a, b, c, of which ranks 0 and 3, 1 and 4, 2 and 5 are the leaders:
 *
 * <pre>
 * chains on host 0      a: 1 - 2 - 0     b: 2 - 0 - 1     c: 0 - 1 - 2
 * rings of leaders      a: 0 = 3         b: 1 = 4         c: 2 = 5
 * back on host 0        a: 0 - 1 - 2     b: 1 - 2 - 0     c: 2 - 0 - 1
 * </pre>
 *
 * <p>On a chain a part travels in the chunks of the ring, in the order in which the ring takes and gives them.
 *
 * <p>Steps, with q hosts, m ranks on a host, l parts: sent per rank within the host 2ql messages and nearly 2n, fewer
 * by 2q of the n/l where it ends a chain (by q twice); by a leader to the next host 2(q-1) messages and 2(q-1)/q·n/l.
 * Cost: 2(q-1)α + 2(q-1)/q·nβ between hosts, and within them 2(m-1)α + 2(l-1)/l·nβ + nγ, beside it where long.
 *
 * <p>Restrictions: commutative operations. Any hosts; with one rank on each it is the ring, and that where nothing is
 * known of hosts.
 *
 * <p>Scratch: pipes, of which a window is kept.
 */
public final class HierarchicalAllReduce implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.ALL_REDUCE;
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
            return new RingAllReduce().effort(shape);
        }
        int count = hosts.hosts();
        int parts = hosts.fewest();
        double chunk = shape.bytes() / parts / count;
        double partialChunk = shape.partial() / parts / count;
        double share = shape.bytes() / count;
        double partialShare = shape.partial() / count;
        int most = hosts.most();
        int hops = most - 2;
        // Up and down the chains goes on at the same time.
        double messages = parts * count / 2.0;
        return new Effort.Builder()
                .addLocal(1, messages, shape.partial() / 2, shape.partial() / 2, most)
                .addLocal(hops, 1, Math.min(partialChunk, Effort.SEGMENT_BYTES), 0, 1)
                .add(count - 1, parts, partialShare, partialShare, count)
                .add(count - 1, parts, share, 0, count)
                .addLocal(1, messages, shape.bytes() / 2, 0, most)
                .addLocal(hops, 1, Math.min(chunk, Effort.SEGMENT_BYTES), 0, 1)
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Member member = new Member(builder, problem.hosts(), problem.rank(), problem.count());
        if (problem.size() == 1) {
            Slice all = new Slice(Buffer.INPUT, 0, problem.count());
            return builder.copy(all, new Slice(Buffer.OUTPUT, 0, problem.count()))
                    .build();
        }
        member.sumUp();
        member.exchange();
        member.giveBack();
        return builder.build();
    }

    /** What one rank does. */
    private static final class Member {
        private final ScheduleBuilder builder;
        private final Placement placement;
        private final Blocks parts;
        private final int host;
        private final int hosts;
        private final int place;
        private final int places;
        private final int next;
        private final int previous;
        private final Slice[] sums;

        Member(ScheduleBuilder builder, Placement placement, int rank, long count) {
            this.builder = builder;
            this.placement = placement;
            this.parts = Blocks.spread(count, placement.fewest());
            this.host = placement.host(rank);
            this.hosts = placement.hosts();
            this.place = placement.place(rank);
            this.places = placement.size(host);
            this.next = placement.rank(host, Math.floorMod(place + 1, places));
            this.sums = new Slice[hosts];
            this.previous = placement.rank(host, Math.floorMod(place - 1, places));
        }

        /** Chunk {@code chunk} of a part. */
        private Slice chunk(Buffer buffer, int part, int chunk) {
            Blocks chunks = Blocks.spread(parts.length(part), hosts);
            return new Slice(buffer, parts.offset(part) + chunks.offset(chunk), chunks.length(chunk));
        }

        private Slice pipe(long length) {
            return new Slice(builder.scratch(length), 0, length);
        }

        /** The chunk that the ring takes as the {@code turn}-th. */
        private int taken(int turn) {
            return Math.floorMod(host - turn, hosts);
        }

        /** The chunk that the ring gives as the {@code turn}-th. */
        private int given(int turn) {
            return Math.floorMod(host + 1 - turn, hosts);
        }

        void sumUp() {
            for (int part = 0; part < parts.size() && places > 1; part++) {
                int before = Math.floorMod(place - part - 1, places);
                for (int turn = 0; turn < hosts; turn++) {
                    Slice own = chunk(Buffer.INPUT, part, taken(turn));
                    if (before == 0) {
                        builder.send(next, own);
                    } else if (place == part && hosts == 1) {
                        builder.recvReduce(previous, own, chunk(Buffer.OUTPUT, part, taken(turn)), before > 1);
                    } else {
                        Slice sum = pipe(own.length());
                        builder.recvReduce(previous, own, sum, before > 1);
                        if (place == part) {
                            sums[taken(turn)] = sum;
                        } else {
                            builder.send(next, sum);
                        }
                    }
                }
            }
        }

        void exchange() {
            if (hosts == 1 || place >= parts.size()) {
                return;
            }
            int left = Math.floorMod(host - 1, hosts);
            RingSeat seat = new RingSeat(
                    hosts, placement.rank(left, place), placement.rank(Math.floorMod(host + 1, hosts), place));
            boolean partial = placement.size(left) > 1;
            Slice result = chunk(Buffer.OUTPUT, place, given(0));
            RingReduceScatter.reduceScatter(
                    builder,
                    seat,
                    each -> places > 1 ? sums[each] : chunk(Buffer.INPUT, place, each),
                    partial,
                    given(0),
                    result);
            RingAllGather.allGather(builder, seat, each -> chunk(Buffer.OUTPUT, place, each), result, given(0));
        }

        void giveBack() {
            for (int part = 0; part < parts.size() && places > 1; part++) {
                int after = Math.floorMod(place - part, places);
                for (int turn = 0; turn < hosts; turn++) {
                    Slice result = chunk(Buffer.OUTPUT, part, given(turn));
                    if (after > 0) {
                        builder.recv(previous, result);
                    }
                    if (after < places - 1) {
                        builder.send(next, result);
                    }
                }
            }
        }
    }
}
