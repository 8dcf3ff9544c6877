package io.parex.protocol.wire;

import io.parex.protocol.Descriptor;
import io.parex.protocol.Failure;

/** What several kinds of frames contain. */
final class Parts {
    private Parts() {}

    static void write(BodyWriter body, Descriptor descriptor) {
        body.u8(Codes.of(descriptor.primitive()))
                .u8(descriptor.type() == null ? Codes.NONE : descriptor.type().code())
                .u8(descriptor.op() == null ? Codes.NONE : descriptor.op().code())
                .i32("root", descriptor.root(), -1)
                .count("count", descriptor.count())
                .name("detail", descriptor.detail())
                .name("algorithm", descriptor.algorithm())
                .name("name", descriptor.name());
    }

    static Descriptor readDescriptor(BodyReader body) {
        return new Descriptor(
                body.constant("primitive", Codes::primitive),
                body.constantOrNone("type", Codes::dataType),
                body.constantOrNone("op", Codes::reduceOp),
                body.i32("root", -1),
                body.count("count"),
                body.name("detail"),
                body.name("algorithm"),
                body.name("name"));
    }

    static void write(BodyWriter body, Failure failure) {
        body.u8(Codes.of(failure.kind()))
                .i32("origin", failure.origin(), 0)
                .text(failure.text(), WireLimits.FAILURE_TEXT_BYTES);
    }

    static Failure readFailure(BodyReader body) {
        return new Failure(
                body.constant("kind", Codes::errorKind),
                body.i32("origin", 0),
                body.text("text", WireLimits.FAILURE_TEXT_BYTES));
    }
}
