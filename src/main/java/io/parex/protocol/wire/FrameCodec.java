package io.parex.protocol.wire;

import io.parex.protocol.Frame;

/**
 * The bodies of the frames between ranks. Each is written and read field by field in the order of the record, but for
 * texts, which come last. Those of a collective call begin with group and call, the others with the transfer.
 */
final class FrameCodec {
    private FrameCodec() {}

    static void write(BodyWriter body, Frame frame) {
        switch (frame) {
            case Frame.Open open -> write(body, open);
            case Frame.Opened opened -> call(body, opened.group(), opened.call());
            case Frame.Grant grant -> write(body, grant);
            case Frame.Envelope envelope -> write(body, envelope);
            case Frame.Accept accept ->
                body.count("transfer", accept.transfer()).count("bytes", accept.bytes());
            case Frame.Refuse refuse -> Parts.write(body.count("transfer", refuse.transfer()), refuse.failure());
            case Frame.Data _ -> throw new IllegalArgumentException("a DATA frame is not encoded whole");
            case Frame.Released released ->
                body.count("transfer", released.transfer()).count("bytes", released.bytes());
            case Frame.Withdraw withdraw ->
                Parts.write(body.count("transfer", withdraw.transfer()), withdraw.failure());
            case Frame.Credit credit -> body.count("bytes", credit.bytes()).count("envelopes", credit.envelopes());
            case Frame.Fail fail -> Parts.write(call(body, fail.group(), fail.call()), fail.failure());
            case Frame.Inquire inquire ->
                Parts.write(call(body, inquire.group(), inquire.call()), inquire.descriptor());
            case Frame.Answer answer -> AnswerCodec.write(call(body, answer.group(), answer.call()), answer);
            case Frame.Leave leave -> body.i64(leave.group()).count("nextCall", leave.nextCall());
            case Frame.Rejoin rejoin -> body.i64(rejoin.group());
            case Frame.Lives lives -> LivesCodec.write(body, lives);
            case Frame.Lost lost -> LivesCodec.write(body, lost.life()).text(lost.reason(), WireLimits.NOTE_BYTES);
            case Frame.Recover recover -> StandingsCodec.write(body, recover);
            case Frame.Rejoined rejoined -> body.i64(rejoined.group()).count("nextCall", rejoined.nextCall());
        }
    }

    static Frame read(FrameType type, BodyReader body) {
        return switch (type) {
            case OPEN -> readOpen(body);
            case OPENED -> new Frame.Opened(body.i64("group"), body.count("call"));
            case GRANT -> readGrant(body);
            case ENVELOPE -> readEnvelope(body);
            case ACCEPT -> new Frame.Accept(body.count("transfer"), body.count("bytes"));
            case REFUSE -> new Frame.Refuse(body.count("transfer"), Parts.readFailure(body));
            case RELEASED -> new Frame.Released(body.count("transfer"), body.count("bytes"));
            case WITHDRAW -> new Frame.Withdraw(body.count("transfer"), Parts.readFailure(body));
            case CREDIT -> new Frame.Credit(body.count("bytes"), body.count("envelopes"));
            case FAIL -> new Frame.Fail(body.i64("group"), body.count("call"), Parts.readFailure(body));
            case INQUIRE -> new Frame.Inquire(body.i64("group"), body.count("call"), Parts.readDescriptor(body));
            case ANSWER -> AnswerCodec.read(body);
            case LEAVE -> new Frame.Leave(body.i64("group"), body.count("nextCall"));
            case REJOIN -> new Frame.Rejoin(body.i64("group"));
            case LIVES -> LivesCodec.read(body);
            case LOST -> new Frame.Lost(LivesCodec.readLife(body), body.text("reason", WireLimits.NOTE_BYTES));
            case RECOVER -> StandingsCodec.read(body);
            case REJOINED -> new Frame.Rejoined(body.i64("group"), body.count("nextCall"));
            case DATA, RESUME, PING, PONG, ACK, CLOSE ->
                throw new IllegalArgumentException(type + " is read elsewhere");
        };
    }

    private static BodyWriter call(BodyWriter body, long group, long call) {
        return body.i64(group).count("call", call);
    }

    private static void write(BodyWriter body, Frame.Open open) {
        if (open.eager() > open.bytes()) {
            throw body.wrong("eager", open.eager() + " is more than the transfer's " + open.bytes() + " bytes");
        }
        call(body, open.group(), open.call())
                .i32("ordinal", open.ordinal(), 0)
                .count("transfer", open.transfer())
                .count("bytes", open.bytes())
                .count("eager", open.eager());
        Parts.write(body, open.descriptor());
    }

    private static Frame.Open readOpen(BodyReader body) {
        long group = body.i64("group");
        long call = body.count("call");
        int ordinal = body.i32("ordinal", 0);
        long transfer = body.count("transfer");
        long bytes = body.count("bytes");
        long eager = body.count("eager");
        if (eager > bytes) {
            throw body.wrong("eager", eager + " is more than the transfer's " + bytes + " bytes", Long.BYTES);
        }
        return new Frame.Open(group, call, ordinal, transfer, Parts.readDescriptor(body), bytes, eager);
    }

    private static void write(BodyWriter body, Frame.Grant grant) {
        call(body, grant.group(), grant.call())
                .i32("ordinal", grant.ordinal(), 0)
                .count("bytes", grant.bytes());
        Parts.write(body, grant.descriptor());
    }

    private static Frame.Grant readGrant(BodyReader body) {
        long group = body.i64("group");
        long call = body.count("call");
        int ordinal = body.i32("ordinal", 0);
        long bytes = body.count("bytes");
        return new Frame.Grant(group, call, ordinal, Parts.readDescriptor(body), bytes);
    }

    private static void write(BodyWriter body, Frame.Envelope envelope) {
        body.i64(envelope.group())
                .i32("tag", envelope.tag(), 0)
                .count("ticket", envelope.ticket())
                .count("transfer", envelope.transfer())
                .u8(envelope.type().code())
                .count("count", envelope.count())
                .count("eager", envelope.eager());
        String wrong = wrong(envelope);
        if (wrong != null) {
            throw body.wrong("message", wrong);
        }
    }

    private static Frame.Envelope readEnvelope(BodyReader body) {
        Frame.Envelope envelope = new Frame.Envelope(
                body.i64("group"),
                body.i32("tag", 0),
                body.count("ticket"),
                body.count("transfer"),
                body.constant("type", Codes::dataType),
                body.count("count"),
                body.count("eager"));
        String wrong = wrong(envelope);
        if (wrong != null) {
            throw body.wrong("message", wrong, Long.BYTES);
        }
        return envelope;
    }

    /** A message goes eagerly as a whole or not at all, and its length is a number. */
    private static String wrong(Frame.Envelope envelope) {
        boolean tooLong = envelope.count() > Long.MAX_VALUE / envelope.type().bytes();
        if (!tooLong && (envelope.eager() == 0 || envelope.eager() == envelope.bytes())) {
            return null;
        }
        String message = "of " + envelope.count() + " " + envelope.type().label();
        return message + (tooLong ? " is too long" : " with " + envelope.eager() + " eager bytes: all or none");
    }
}
