package io.parex.service;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.parex.v1.ParexGrpc;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A process that reads the beginning of a tensor, says so, and waits to be killed. */
final class DoomedReader {
    private DoomedReader() {}

    /** Starts it: {@code bytes} of {@code count} elements from rank 0 on rank 1. */
    static Process start(String endpoint, long count, long bytes) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        DoomedReader.class.getName(),
                        endpoint,
                        Long.toString(count),
                        Long.toString(bytes))
                .redirectError(new File("/dev/null"))
                .start();
    }

    /** Endpoint, elements, bytes. */
    public static void main(String... arguments) throws InterruptedException {
        ManagedChannel channel = NettyChannelBuilder.forTarget("dns:///" + arguments[0])
                .usePlaintext()
                .build();
        StoppingReader reader = StoppingReader.start(ParexGrpc.newStub(channel), Long.parseLong(arguments[1]), 1, 0);
        reader.readTo(Long.parseLong(arguments[2]));
        System.out.println("read");
        new CountDownLatch(1).await();
    }
}
