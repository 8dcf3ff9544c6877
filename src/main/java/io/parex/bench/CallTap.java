package io.parex.bench;

import io.parex.world.CallObserver;
import io.parex.world.CallRecord;

/** Remembers the algorithm of a rank's last call. Written on the owner loop, read by whoever waited for the call. */
final class CallTap implements CallObserver {
    private volatile String algorithm = "";

    @Override
    public void ended(CallRecord call) {
        algorithm = call.algorithm();
    }

    String algorithm() {
        return algorithm;
    }
}
