package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.parex.protocol.Frame;
import io.parex.protocol.wire.Forger;
import io.parex.protocol.wire.FrameType;
import io.parex.protocol.wire.Header;
import io.parex.simulator.Sabotage;
import io.parex.simulator.Simulation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Defects of the kind that such protocols have, each planted and found: checkers that cannot fail prove nothing. */
class PlantedDefectTest {
    private static final System.Logger LOG = System.getLogger(PlantedDefectTest.class.getName());
    private static final int SEEDS = 1000;
    private static final int UNIT = 16;
    private static final long MIB = 1 << 20;

    static Stream<Named<Supplier<Sabotage>>> defects() {
        return Stream.of(
                Named.of("lost acknowledgement kept lost", LostAcknowledgements::new),
                Named.of("reused frame number", ReusedNumber::new),
                Named.of("credit taken as an increment", IncrementalCredit::new),
                Named.of("acknowledgement before consumption", EarlyAcknowledgement::new),
                Named.of("resume off by one element", ShiftedResume::new),
                Named.of("lease returned early", EarlyReturn::new),
                Named.of("grant beyond the window", LargerGrant::new),
                Named.of("duplicate data reduced twice", RepeatedData::new));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("defects")
    void shouldFind(Supplier<Sabotage> defect) {
        assertFound(seed -> FaultFuzzTest.run(seed, 3, new FaultTable(), defect.get()));
    }

    /** Among ranks that make wrong calls: where only processes fail, everybody hears of that without FAIL. */
    @Test
    void shouldFindAFailThatIsNotForwarded() {
        assertFound(seed -> {
            FuzzRun run = new FuzzRun(FuzzGenerator.program(seed), Simulation.Weather.CUTTING);
            run.world().simulation().plant(new SilentForwarder());
            try {
                run.run();
                new FuzzCallChecks(run).check();
                new FuzzMessageChecks(run).check();
                run.world().close();
            } catch (AssertionError e) {
                throw new AssertionError(run.world().simulation().replay() + ": " + e.getMessage(), e);
            }
        });
    }

    @Test
    void shouldFindThatAStaleViewIsAccepted() {
        assertFound(seed -> RestartFuzzTest.run(seed, new ViewsConfused()));
    }

    private static void assertFound(LongConsumer run) {
        for (long seed = 0; seed < SEEDS; seed++) {
            try {
                run.accept(seed);
            } catch (AssertionError found) {
                long after = seed + 1;
                assertTrue(found.getMessage().contains("parex.seed=" + seed), "says how to see it again");
                String how = found.getMessage() + " " + (found.getCause() == null ? "" : found.getCause());
                LOG.log(System.Logger.Level.INFO, () -> "found after " + after + " seeds: " + how);
                return;
            }
        }
        fail("not found in " + SEEDS + " seeds");
    }

    private static final class LostAcknowledgements implements Sabotage {
        @Override
        public byte[] written(byte[] bytes) {
            boolean resume = Forger.header(bytes).type() == FrameType.RESUME;
            return resume ? bytes : Forger.acknowledging(bytes, 0, 0);
        }
    }

    private static final class ReusedNumber implements Sabotage {
        @Override
        public byte[] written(byte[] bytes) {
            long number = Forger.header(bytes).number();
            return number == 20 ? Forger.numbered(bytes, number - 1) : bytes;
        }
    }

    private static final class IncrementalCredit implements Sabotage {
        private final Map<Integer, Long> sums = new HashMap<>();

        @Override
        public Frame understood(int from, int to, Frame frame) {
            if (frame instanceof Frame.Credit credit) {
                long sum = sums.merge(from * 100 + to, credit.bytes(), Long::sum);
                return new Frame.Credit(sum + 4 * MIB, credit.envelopes());
            }
            return frame;
        }
    }

    /** Of a frame of which a part has arrived. */
    private static final class EarlyAcknowledgement implements Sabotage {
        @Override
        public byte[] written(byte[] bytes) {
            Header header = Forger.header(bytes);
            boolean partly = header.type() != FrameType.RESUME && header.ackBytes() > 0;
            return partly ? Forger.acknowledging(bytes, header.ackFrame() + 1, 0) : bytes;
        }
    }

    private static final class ShiftedResume implements Sabotage {
        @Override
        public byte[] written(byte[] bytes) {
            Header header = Forger.header(bytes);
            boolean partly = header.type() == FrameType.RESUME && header.ackBytes() > 0;
            return partly ? Forger.resumingLater(bytes, -UNIT) : bytes;
        }
    }

    private static final class EarlyReturn implements Sabotage {
        @Override
        public boolean returnsEarly() {
            return true;
        }
    }

    private static final class LargerGrant implements Sabotage {
        @Override
        public Frame understood(int from, int to, Frame frame) {
            if (frame instanceof Frame.Grant grant) {
                return new Frame.Grant(
                        grant.group(), grant.call(), grant.ordinal(), grant.descriptor(), grant.bytes() + MIB);
            }
            return frame;
        }
    }

    private static final class RepeatedData implements Sabotage {
        private int count;

        @Override
        public boolean repeats(Frame.Data data) {
            return ++count == 10;
        }
    }

    /** Ranks tell of the failures that they find, and keep those to themselves that they hear of. */
    private static final class SilentForwarder implements Sabotage {
        @Override
        public Frame said(int from, Frame frame) {
            return frame instanceof Frame.Fail fail && fail.failure().origin() != from ? null : frame;
        }
    }

    /** Ranks take messages of an epoch that is over for them for messages of the present one. */
    private static final class ViewsConfused implements Sabotage {
        private final Map<Integer, List<Long>> epochs = new HashMap<>();

        @Override
        public Frame said(int from, Frame frame) {
            if (frame instanceof Frame.OfGroup ofGroup) {
                List<Long> known = epochs.computeIfAbsent(from, any -> new ArrayList<>());
                if (!known.contains(ofGroup.group())) {
                    known.add(ofGroup.group());
                }
            }
            return frame;
        }

        @Override
        public Frame understood(int from, int to, Frame frame) {
            List<Long> known = epochs.getOrDefault(to, List.of());
            if (frame instanceof Frame.Envelope e && known.contains(e.group())) {
                return new Frame.Envelope(
                        known.getLast(), e.tag(), e.ticket(), e.transfer(), e.type(), e.count(), e.eager());
            }
            return frame;
        }
    }
}
