package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.parex.tensor.TensorView;
import io.parex.v1.AllGatherCall;
import io.parex.v1.AllGatherRequest;
import io.parex.v1.AllGatherResponse;
import io.parex.v1.AllToAllCall;
import io.parex.v1.AllToAllRequest;
import io.parex.v1.AllToAllResponse;
import io.parex.v1.CallError;
import io.parex.v1.Completed;
import io.parex.v1.ErrorKind;
import io.parex.v1.GatherCall;
import io.parex.v1.Lengths;
import io.parex.v1.Operation;
import io.parex.v1.ScatterCall;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lengths that are left open, as the messages say it, on three hosted ranks. */
class PlainOpenLengthsTest {
    private static final int SIZE = 3;

    private static EdgeServer server;

    @BeforeAll
    static void start() {
        server = EdgeServer.of(SIZE);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Lengths lengths(long... counts) {
        return Lengths.newBuilder()
                .addAllCounts(LongStream.of(counts).boxed().toList())
                .build();
    }

    /** Rank r has r + 1 elements for each. */
    private static List<Responses<AllToAllRequest, AllToAllResponse>> exchange(int capacity) {
        List<Responses<AllToAllRequest, AllToAllResponse>> answers = new ArrayList<>();
        for (int rank = 0; rank < SIZE; rank++) {
            Responses<AllToAllRequest, AllToAllResponse> mine = Responses.all();
            answers.add(mine);
            var requests = server.stub().allToAll(mine);
            int each = rank + 1;
            requests.onNext(AllToAllRequest.newBuilder()
                    .setCall(AllToAllCall.newBuilder()
                            .setHeader(Messages.rank(rank))
                            .setTensor(Messages.ints(3L * each))
                            .setSendLengths(lengths(each, each, each))
                            .setCapacity(capacity))
                    .build());
            TensorView input = Tensors.ints(3L * each, i -> 100L * each + i);
            Messages.chunks(input, 1024)
                    .forEach(chunk -> requests.onNext(
                            AllToAllRequest.newBuilder().setChunk(chunk).build()));
            requests.onCompleted();
        }
        return answers;
    }

    @Test
    void shouldTellTheLengthsInTheOutcome() {
        List<Responses<AllToAllRequest, AllToAllResponse>> answers = exchange(1000);
        for (int rank = 0; rank < SIZE; rank++) {
            int to = rank;
            ByteString got = ByteString.EMPTY;
            AllToAllResponse answer = answers.get(rank).next();
            while (answer.hasChunk()) {
                got = got.concat(answer.getChunk());
                answer = answers.get(rank).next();
            }
            long[] expected = {100 + to, 200 + 2 * to, 201 + 2 * to, 300 + 3 * to, 301 + 3 * to, 302 + 3 * to};
            TensorView came = Tensors.ints(6, i -> expected[(int) i]);
            assertEquals(-1, came.segment().mismatch(MemorySegment.ofArray(got.toByteArray())));
            Completed completed = answer.getCompleted();
            assertEquals(6, completed.getCount());
            assertEquals(List.of(1L, 2L, 3L), completed.getLengthsList());
            assertNull(answers.get(rank).end());
        }
    }

    @Test
    void shouldSayHowMuchRoomWasNeeded() {
        for (Responses<AllToAllRequest, AllToAllResponse> answer : exchange(5)) {
            CallError error = answer.failure(Status.Code.INVALID_ARGUMENT);
            assertTrue(error.getMessage().contains("has room for 5 int32, and 6 come to it"), error::getMessage);
        }
    }

    /** Room that no rank can have fails the call on all, and nobody waits. */
    @Test
    void shouldFailOnAllRanksWhereRoomIsNotToBeHad() {
        List<Responses<AllGatherRequest, AllGatherResponse>> answers = new ArrayList<>();
        for (int rank = 0; rank < SIZE; rank++) {
            Responses<AllGatherRequest, AllGatherResponse> mine = Responses.all();
            answers.add(mine);
            var requests = server.stub().allGather(mine);
            requests.onNext(AllGatherRequest.newBuilder()
                    .setCall(AllGatherCall.newBuilder()
                            .setHeader(Messages.rank(rank))
                            .setBlock(Messages.ints(0))
                            .setCapacity(rank == 1 ? 1L << 50 : 10))
                    .build());
            requests.onCompleted();
        }
        answers.forEach(answer -> answer.failure(Status.Code.RESOURCE_EXHAUSTED));
    }

    /** What cannot be meant; the other ranks leave lengths open as they should. */
    static List<IntFunction<Operation.Builder>> wrongOnRank0() {
        return List.of(
                rank -> Messages.operation(1)
                        .setAllGather(AllGatherCall.newBuilder()
                                .setBlock(Messages.ints(0))
                                .setLengths(rank == 0 ? lengths(0, 0, 0) : lengths())
                                .setCapacity(5)),
                rank -> Messages.operation(1)
                        .setGather(GatherCall.newBuilder()
                                .setBlock(Messages.ints(0))
                                .setRoot(0)
                                .setLengths(lengths(0, 0, 0))
                                .setCapacity(5)),
                rank -> Messages.operation(1)
                        .setScatter(ScatterCall.newBuilder()
                                .setBlock(Messages.ints(0))
                                .setRoot(0)
                                .setCapacity(5)),
                rank -> Messages.operation(1)
                        .setScatter(ScatterCall.newBuilder()
                                .setBlock(Messages.ints(rank == 0 ? 2 : 0))
                                .setRoot(0)
                                .setLengths(lengths(0, 0, 0))
                                .setCapacity(5)),
                rank -> Messages.operation(1)
                        .setAllToAll(AllToAllCall.newBuilder()
                                .setTensor(Messages.ints(0))
                                .setSendLengths(lengths(0, 0, 0))
                                .setRecvLengths(lengths(0, 0, 0))
                                .setCapacity(5)),
                rank -> Messages.operation(1)
                        .setAllToAll(AllToAllCall.newBuilder()
                                .setTensor(Messages.ints(0))
                                .setCapacity(5)),
                rank -> Messages.operation(1)
                        .setAllGather(AllGatherCall.newBuilder()
                                .setBlock(Messages.ints(0))
                                .setCapacity(-5)));
    }

    @ParameterizedTest
    @MethodSource("wrongOnRank0")
    void shouldFailOnAllRanksWhereOneCannotBeMeant(IntFunction<Operation.Builder> call) {
        List<SessionDriver> sessions = IntStream.range(0, SIZE)
                .mapToObj(rank -> SessionDriver.open(server, rank))
                .toList();
        for (int rank = 0; rank < SIZE; rank++) {
            sessions.get(rank).send(Messages.submit(call.apply(rank)));
        }
        sessions.forEach(session -> {
            CallError error = session.result(1).getError();
            assertEquals(ErrorKind.ERROR_KIND_ARGUMENT, error.getKind(), error::getMessage);
        });
        sessions.forEach(SessionDriver::halfClose);
    }
}
