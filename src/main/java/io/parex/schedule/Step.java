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

    /**
     * Stores what {@code peer} sends into {@code target}, in the form that the target holds: in a reducing schedule,
     * values that go into scratch are widened, partial values that go into output are finished (divided for AVG,
     * narrowed to the tensor's type).
     *
     * @param partial whether the peer sends partial values (from scratch of a reducing schedule)
     */
    record Recv(int peer, Slice target, boolean partial, int ordinal) implements Step {
        @Override
        public long length() {
            return target.length();
        }
    }

    /**
     * {@code target = own (+) received}, or {@code received (+) own}. A target in output receives final values: the
     * result is finished as it is written.
     *
     * @param partial whether the peer sends partial values (from its scratch) rather than tensor values
     * @param ownFirst whether {@code own} is the left operand
     */
    record RecvReduce(int peer, Slice own, Slice target, boolean partial, boolean ownFirst, int ordinal)
            implements Step {
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

    /**
     * {@code target = source}, local. In a reducing schedule a copy from scratch to output finishes, from input to
     * scratch widens, and from input to output is the reduction of this rank's input alone, as in a world of one; it
     * stands there in place, too, as some operations change even a lone value.
     */
    record Copy(Slice source, Slice target) implements Step {
        @Override
        public long length() {
            return target.length();
        }
    }
}
