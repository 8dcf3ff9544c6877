package io.parex.protocol.wire;

import io.parex.ErrorKind;
import io.parex.protocol.Descriptor;
import io.parex.protocol.Failure;
import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.protocol.Standing;
import io.parex.protocol.Whereabouts;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Frames of every kind with any values. */
final class RandomFrames {
    private static final String ALPHABET = "abcXYZ 019_/äß€漢\n";

    private final Random random;
    private final List<Supplier<Frame>> kinds = List.of(
            () -> {
                long bytes = count();
                return new Frame.Open(any(), count(), number(), count(), descriptor(), bytes, below(bytes));
            },
            () -> new Frame.Opened(any(), count()),
            () -> new Frame.Grant(any(), count(), number(), descriptor(), count()),
            this::envelope,
            () -> new Frame.Accept(count(), count()),
            () -> new Frame.Refuse(count(), failure()),
            () -> new Frame.Released(count(), count()),
            () -> new Frame.Withdraw(count(), failure()),
            () -> new Frame.Credit(count(), count()),
            () -> new Frame.Fail(any(), count(), failure()),
            () -> new Frame.Inquire(any(), count(), descriptor()),
            () -> new Frame.Answer(any(), count(), whereabouts(), ranks()),
            () -> new Frame.Leave(any(), count()),
            () -> new Frame.Rejoin(any()),
            () -> new Frame.Rejoined(any(), count()),
            () -> new Frame.Lives(lives()),
            () -> new Frame.Lost(life(), text(100)),
            () -> new Frame.Recover(any(), standings()));

    RandomFrames(Random random) {
        this.random = random;
    }

    /** One of each kind. */
    List<Frame> each() {
        return kinds.stream().map(Supplier::get).toList();
    }

    Frame next() {
        return pick(kinds).get();
    }

    LinkFrame nextOfLink() {
        return switch (random.nextInt(5)) {
            case 0 -> new LinkFrame.Resume(count(), random.nextInt(WireLimits.PAYLOAD_BYTES + 1));
            case 1 -> new LinkFrame.Ping(any());
            case 2 -> new LinkFrame.Pong(any());
            case 3 -> new LinkFrame.Ack();
            default -> new LinkFrame.Close(text(200));
        };
    }

    /** Header values that go with a type. */
    Stamp stamp(FrameType type) {
        long number = type.isSequenced() ? Math.max(1, count()) : 0;
        int flags = random.nextBoolean() ? Header.ACK_NOW : 0;
        return new Stamp(flags, number, count(), random.nextInt(WireLimits.PAYLOAD_BYTES + 1));
    }

    private List<Integer> ranks() {
        return Stream.generate(this::number).limit(random.nextInt(5)).toList();
    }

    private List<Life> lives() {
        return Stream.generate(this::life).limit(random.nextInt(5)).toList();
    }

    private Life life() {
        return new Life(number(), count(), any(), text(20));
    }

    private List<Standing> standings() {
        return Stream.generate(() -> new Standing(
                        number(),
                        count(),
                        any(),
                        count(),
                        count(),
                        pick(List.of(Standing.Stage.values())),
                        count(),
                        count()))
                .limit(random.nextInt(5))
                .toList();
    }

    Hello hello() {
        return new Hello(
                any(),
                Math.max(1, number()),
                number(),
                number(),
                count(),
                any(),
                count(),
                random.nextInt(1 << 16),
                text(60),
                text(20),
                any());
    }

    private Frame.Envelope envelope() {
        DataType type = pick(List.of(DataType.values()));
        long count = count() / type.bytes();
        long eager = random.nextBoolean() ? 0 : count * type.bytes();
        return new Frame.Envelope(any(), number(), count(), count(), type, count, eager);
    }

    private Descriptor descriptor() {
        return new Descriptor(
                pick(List.of(Primitive.values())),
                random.nextBoolean() ? null : pick(List.of(DataType.values())),
                random.nextBoolean() ? null : pick(List.of(ReduceOp.values())),
                random.nextInt(6) - 1,
                count(),
                text(20),
                text(20),
                text(60));
    }

    private Failure failure() {
        return new Failure(pick(List.of(ErrorKind.values())), number(), text(500));
    }

    private Whereabouts whereabouts() {
        return new Whereabouts(count(), text(200), random.nextBoolean(), count());
    }

    private String text(int most) {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(most + 1); left > 0; left--) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }

    private long any() {
        return random.nextLong();
    }

    /** Not negative, of any magnitude. */
    private long count() {
        return random.nextLong() >>> 1 + random.nextInt(63);
    }

    private int number() {
        return random.nextInt() >>> 1 + random.nextInt(31);
    }

    private long below(long limit) {
        return limit == 0 ? 0 : random.nextLong(limit);
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
