package io.parex.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.protocol.link.PeerLink;
import io.parex.transport.Link;
import io.smallrye.mutiny.Uni;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What rank 0 of two says of the other while it cannot connect to it, and when it goes on to try. */
@Timeout(60)
class TcpDiallerTest {
    private static final String NAME = "job-1.job:7610";
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration DETECT = Duration.ofSeconds(3);

    private final List<String> closes = new CopyOnWriteArrayList<>();
    private final Places places = new Places();
    private final TcpFabric fabric = listen(0, places);
    private TcpFabric other;
    private TcpFabric wrong;

    @AfterEach
    void close() {
        // Else it would try to say good-bye.
        ask(link -> {
            link.lose("the test ends");
            return true;
        });
        Stream.of(fabric, other, wrong).filter(Objects::nonNull).forEach(TcpFabric::close);
    }

    @Test
    void shouldSayThatNothingListens() {
        InetSocketAddress nobody = OtherService.nobody();
        dial(nobody);
        awaitTrouble(NAME + ": nothing listens at " + Sockets.text(nobody));
    }

    @Test
    void shouldSayWhatIsWrongWithEachAddress() {
        InetSocketAddress nobody = OtherService.nobody();
        InetSocketAddress nowhere = new InetSocketAddress("255.255.255.255", 7610);
        try (OtherService deaf = OtherService.deaf();
                OtherService curt = OtherService.curt()) {
            dial(nobody, nowhere, deaf.address(), curt.address());
            awaitTrouble(NAME + ": nothing listens at " + Sockets.text(nobody)
                    + "; no route to 255.255.255.255:7610; no answer within 2 s from " + Sockets.text(deaf.address())
                    + "; at " + Sockets.text(curt.address()) + ": the other side hung up after 0 bytes");
        }
    }

    @Test
    void shouldSayThatSomethingElseIsThere() {
        try (OtherService echo = OtherService.echo(0);
                OtherService http = OtherService.http(0)) {
            dial(echo.address(), http.address());
            awaitTrouble(NAME + ": at " + Sockets.text(echo.address())
                    + ": not our protocol (looks like an echo): the greeting comes back as it went; at "
                    + Sockets.text(http.address())
                    + ": not our protocol (looks like an HTTP response): first bytes"
                    + " 48 54 54 50 2f 31 2e 31 20 34 30 30 20 42 61 64");
        }
    }

    @Test
    void shouldSayThatAnotherRankIsThere() {
        wrong = listen(0, places);
        dial(at(wrong));
        awaitTrouble(NAME + ": at " + Sockets.text(at(wrong)) + ": refused: rank 1 is not here; hosted are [0]");
    }

    @Test
    void shouldTryTheNextAddressWhereSomethingElseIsAtTheFirst() {
        other = listen(1, places);
        take(other, 1);
        wrong = listen(0, places);
        try (OtherService echo = OtherService.echo(0);
                OtherService http = OtherService.http(0)) {
            dial(echo.address(), OtherService.nobody(), at(wrong), http.address(), at(other));
            awaitConnected();
        }
    }

    @Test
    void shouldNotTakeAPeerThatDoesNotAnswerForOneThatHasEnded() {
        other = listen(1, places);
        take(other, 1);
        dial(at(other));
        awaitConnected();
        try (OtherService deaf = OtherService.deaf()) {
            places.addresses = List.of(deaf.address());
            other.close();
            Awaitility.await().atMost(PATIENCE).until(() -> !closes.isEmpty());
            assertEquals(
                    List.of("1 cannot be reached: " + NAME + ": no answer within 2 s from "
                            + Sockets.text(deaf.address())),
                    closes);
        }
    }

    @Test
    void shouldTakeAPeerForEndedWhereNothingListensAnyMore() {
        other = listen(1, places);
        take(other, 1);
        dial(at(other));
        awaitConnected();
        other.close();
        Awaitility.await().atMost(PATIENCE).until(() -> !closes.isEmpty());
        assertEquals(
                List.of("1 its process is gone: " + NAME + ": nothing listens at "
                        + Sockets.text(places.addresses.getFirst())),
                closes);
    }

    private static TcpFabric listen(int rank, PeerAddresses addresses) {
        TcpOptions options = new TcpOptions("test", 2, "127.0.0.1", 0, Duration.ofMinutes(1), DETECT, 0, 1 << 20);
        return TcpFabric.listen(options, List.of(rank), addresses);
    }

    private static InetSocketAddress at(TcpFabric fabric) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), fabric.port());
    }

    private void dial(InetSocketAddress... addresses) {
        places.addresses = List.of(addresses);
        take(fabric, 0);
        fabric.loop().execute(() -> fabric.network(0).link(1).send(new Frame.Opened(1, 2)));
    }

    private void take(TcpFabric end, int rank) {
        end.network(rank).receive(new Link.Receiver() {
            @Override
            public void onFrame(int peer, Frame frame) {}

            @Override
            public void onReturned(int peer, long transfer, long bytes) {}

            @Override
            public void onClosed(int peer, String reason) {
                if (rank == 0) {
                    closes.add(peer + " " + reason);
                }
            }

            @Override
            public void onMet(Life life) {}

            @Override
            public void onStale(long generation, String text) {}

            @Override
            public void onReplaced(String text) {}

            @Override
            public void onLost(String text) {}
        });
    }

    private void awaitConnected() {
        Awaitility.await().atMost(PATIENCE).until(() -> ask(PeerLink::isConnected));
    }

    private void awaitTrouble(String text) {
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertEquals(text, ask(PeerLink::trouble)));
        // A process that has never been there is waited for, whatever is in its place.
        assertTrue(closes.isEmpty(), closes::toString);
    }

    private <T> T ask(Function<PeerLink, T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        fabric.loop()
                .execute(() ->
                        answer.complete(question.apply(fabric.port(0).links().link(1))));
        return answer.orTimeout(10, TimeUnit.SECONDS).join();
    }

    /** Where rank 1 is, by its name. */
    private static final class Places implements PeerAddresses {
        private volatile List<InetSocketAddress> addresses = List.of();

        @Override
        public Uni<List<InetSocketAddress>> of(int rank) {
            return Uni.createFrom().item(() -> addresses);
        }

        @Override
        public String describe(int rank) {
            return NAME;
        }
    }
}
