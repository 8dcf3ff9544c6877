package io.parex.schedule;

/**
 * One step of a schedule. A step works through its slices from the first element to the last, all of them at the same
 * pace; how far it is, in elements, is its watermark. Peers are ranks of the group. The k-th send of a rank to a peer
 * meets the k-th receive (of either kind) of that peer from the rank: {@code ordinal} is that k, from 0, counted per
 * peer and direction by the builder.
 */
public sealed interface Step {

    /** Number of elements the step works through. */
    long length();

    /**
     * Sends {@code source} to {@code peer}: partial values if it is scratch of a reducing schedule, else tensor values.
     */
    record Send(int peer, Slice source, int ordinal) implements Step {
        @Override
        public long length() {
            return source.length();
        }
    }

    /** Stores what {@code peer} sends into {@code target} (output: values; scratch: partials). */
    record Recv(int peer, Slice target, int ordinal) implements Step {
        @Override
        public long length() {
            return target.length();
        }
    }

    /**
     * {@code target = own (+) received}, the lower of (own rank, peer) first. A target in output receives final values:
     * the result is finished (divided for AVG, narrowed to the tensor's type) as it is written.
     *
     * @param partial whether the peer sends partial values (from its scratch) rather than tensor values
     */
    record RecvReduce(int peer, Slice own, Slice target, boolean partial, int ordinal) implements Step {
        @Override
        public long length() {
            return target.length();
        }
    }

    /** {@code target = left (+) right}, all local; a target in output is finished as for {@link RecvReduce}. */
    record Reduce(Slice left, Slice right, Slice target) implements Step {
        @Override
        public long length() {
            return target.length();
        }
    }

    /** {@code target = source}, local; from scratch to output finishes, from input to scratch widens. */
    record Copy(Slice source, Slice target) implements Step {
        @Override
        public long length() {
            return target.length();
        }
    }
}
