package io.parex.service;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.util.concurrent.atomic.AtomicLong;

/** Memory that the process shares with clients, with a bound for all of them together. Any thread. */
final class SharedBudget {
    private final long limitBytes;
    private final long clientBytes;
    private final AtomicLong usedBytes = new AtomicLong();

    /** Of {@code limitBytes} in all, {@code clientBytes} for one client. */
    SharedBudget(long limitBytes, long clientBytes) {
        this.limitBytes = limitBytes;
        this.clientBytes = clientBytes;
    }

    /** The most that one client can have. */
    long clientBytes() {
        return clientBytes;
    }

    /**
     * Takes {@code bytes} for a client that has {@code held}.
     *
     * @throws ParexException of kind {@code overloaded} if a bound does not allow it
     */
    void take(long bytes, long held) {
        if (bytes > clientBytes - held) {
            throw refused(bytes, held, clientBytes, Setting.SHARED_CLIENT_MAX_BYTES);
        }
        long before = usedBytes.getAndAccumulate(bytes, (used, more) -> more > limitBytes - used ? used : used + more);
        if (bytes > limitBytes - before) {
            throw refused(bytes, before, limitBytes, Setting.SHARED_MAX_BYTES);
        }
    }

    void giveBack(long bytes) {
        usedBytes.addAndGet(-bytes);
    }

    private static ParexException refused(long bytes, long used, long limit, Setting setting) {
        return new ParexException(
                ErrorKind.OVERLOADED,
                "the client asks for " + bytes + " bytes of shared memory, " + used + " of the " + limit + " allowed ("
                        + setting.property() + ") are in use"
                        + (bytes > limit ? ", so that trying again will not help" : ""));
    }
}
