package io.parex.discovery;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.Supplier;

/**
 * Reads {@code /etc/resolv.conf} and {@code /etc/hosts}, again when the last reading is 5 s old: a laptop changes
 * networks, and a process that read its servers once would ask the old ones for ever. One event loop only.
 */
final class SetupFiles implements Supplier<Future<ResolverSetup>> {
    private static final long MAX_AGE_NANOS = 5_000_000_000L;

    private final Vertx vertx;
    private final String resolvConf;
    private final String hosts;
    private ResolverSetup last;
    private long readNanos;

    SetupFiles(Vertx vertx, String resolvConf, String hosts) {
        this.vertx = vertx;
        this.resolvConf = resolvConf;
        this.hosts = hosts;
    }

    @Override
    public Future<ResolverSetup> get() {
        long nowNanos = System.nanoTime();
        if (last != null && nowNanos - readNanos < MAX_AGE_NANOS) {
            return Future.succeededFuture(last);
        }
        return read(resolvConf)
                .compose(servers -> read(hosts).map(names -> {
                    last = ResolverSetup.parse(servers, names);
                    readNanos = nowNanos;
                    return last;
                }));
    }

    /** A file that is not there says nothing, as with the C library. */
    private Future<String> read(String path) {
        return vertx.fileSystem().readFile(path).map(Object::toString).otherwise("");
    }
}
