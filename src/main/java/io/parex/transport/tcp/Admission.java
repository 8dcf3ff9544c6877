package io.parex.transport.tcp;

import io.parex.protocol.wire.Hello;
import io.parex.protocol.wire.Reject;
import io.parex.protocol.wire.RejectReason;
import java.util.Set;

/** Whether two processes that greet each other mean the same world and the same ranks. */
final class Admission {
    private Admission() {}

    /** Why a greeting is refused, with the values of both sides; null if it is not. */
    static Reject refusal(Hello hello, TcpOptions options, Set<Integer> hosted) {
        if (!hello.world().equals(options.world())) {
            return reject(
                    RejectReason.WORLD_NAME,
                    "rank " + hello.from() + " of world '" + hello.world() + "' greets a rank of world '"
                            + options.world() + "'");
        }
        if (hello.worldSize() != options.worldSize()) {
            return reject(
                    RejectReason.WORLD_SIZE,
                    "rank " + hello.from() + " takes world '" + hello.world() + "' for one of size " + hello.worldSize()
                            + ", here its size is " + options.worldSize());
        }
        if (hello.costs() != options.costs()) {
            return reject(
                    RejectReason.COSTS,
                    "rank " + hello.from() + " of world '" + hello.world() + "' has " + costs(hello.costs())
                            + ", here it is " + Long.toHexString(options.costs())
                            + ": all ranks must choose algorithms alike");
        }
        if (hello.from() >= options.worldSize()) {
            return reject(
                    RejectReason.RANK, "rank " + hello.from() + " is none of a world of size " + options.worldSize());
        }
        if (!hosted.contains(hello.to())) {
            return reject(RejectReason.RANK, "rank " + hello.to() + " is not here; hosted are " + hosted);
        }
        if (hosted.contains(hello.from())) {
            return reject(
                    RejectReason.DUPLICATE_RANK, "rank " + hello.from() + " is hosted by the process that is greeted");
        }
        return null;
    }

    private static String costs(long fingerprint) {
        return "another cost table or kind of links, fingerprint " + Long.toHexString(fingerprint);
    }

    private static Reject reject(RejectReason reason, String text) {
        return new Reject(reason, text);
    }

    /** What is wrong with the answer to a greeting; null if nothing is. */
    static String differences(Hello answer, Hello greeting) {
        if (answer.nonce() == greeting.nonce()) {
            return "not our protocol (looks like an echo): the greeting comes back as it went";
        }
        if (!answer.world().equals(greeting.world())) {
            return "another world answers: '" + answer.world() + "', not '" + greeting.world() + "'";
        }
        if (answer.costs() != greeting.costs()) {
            return "the rank that answers has " + costs(answer.costs()) + ", not " + Long.toHexString(greeting.costs());
        }
        if (answer.from() != greeting.to() || answer.to() != greeting.from()) {
            return "another than the rank meant answers: it is rank " + answer.from() + " and speaks to rank "
                    + answer.to() + ", not rank " + greeting.to() + " to rank " + greeting.from();
        }
        return null;
    }
}
