package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.v1.CallError;
import io.parex.v1.CallHeader;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorStatusTest {
    private static final CallLabel LABEL = new CallLabel(
            2,
            "all_reduce",
            CallHeader.newBuilder().setName("layer3").setCallNumber(17).build());

    @Test
    void shouldMapEveryKindAsTheContractSays() {
        Map<ErrorKind, Status.Code> codes = new EnumMap<>(ErrorKind.class);
        Arrays.stream(ErrorKind.values()).forEach(kind -> codes.put(kind, ErrorStatus.code(kind)));
        Map<ErrorKind, Status.Code> expected = new EnumMap<>(ErrorKind.class);
        expected.put(ErrorKind.ARGUMENT, Status.Code.INVALID_ARGUMENT);
        expected.put(ErrorKind.MISMATCH, Status.Code.FAILED_PRECONDITION);
        expected.put(ErrorKind.TIMEOUT, Status.Code.DEADLINE_EXCEEDED);
        expected.put(ErrorKind.PEER_FAILED, Status.Code.ABORTED);
        expected.put(ErrorKind.ABORTED, Status.Code.ABORTED);
        expected.put(ErrorKind.UNSUPPORTED, Status.Code.UNIMPLEMENTED);
        expected.put(ErrorKind.PROTOCOL, Status.Code.INTERNAL);
        expected.put(ErrorKind.UNAVAILABLE, Status.Code.UNAVAILABLE);
        expected.put(ErrorKind.OVERLOADED, Status.Code.RESOURCE_EXHAUSTED);
        expected.put(ErrorKind.LEFT, Status.Code.ABORTED);
        expected.put(ErrorKind.DEADLOCK, Status.Code.ABORTED);
        expected.put(ErrorKind.CANCELLED, Status.Code.CANCELLED);
        assertEquals(expected, codes);
    }

    @ParameterizedTest
    @EnumSource(ErrorKind.class)
    void shouldSayKindRankGroupAndCallInTheDetails(ErrorKind kind) {
        StatusRuntimeException failure = ErrorStatus.of(LABEL.error(new ParexException(kind, "what happened")));
        assertEquals("what happened", failure.getStatus().getDescription());
        CallError error = Details.callError(failure);
        assertEquals("ERROR_KIND_" + kind.name(), error.getKind().name());
        assertEquals(java.util.List.of(2), error.getRanksList());
        assertEquals(17, error.getCallNumber());
        ErrorInfo info = Details.errorInfo(failure);
        assertEquals(kind.name(), info.getReason());
        Map<String, String> details = new HashMap<>(
                Map.of("kind", kind.label(), "ranks", "2", "group", "", "call", "all_reduce 'layer3' #17"));
        details.put("not_started", "false");
        assertEquals(details, info.getMetadataMap());
    }

    @Test
    void shouldSayThatNothingWasStarted() {
        ParexException refusal = new ParexException(ErrorKind.OVERLOADED, "what happened").asRefused();
        StatusRuntimeException failure = ErrorStatus.of(LABEL.error(refusal));
        assertTrue(Details.callError(failure).getNotStarted());
        assertEquals("true", Details.errorInfo(failure).getMetadataOrThrow("not_started"));
    }

    @Test
    void shouldKeepLongTextsWithinWhatHeadersTake() {
        CallError error = LABEL.error(new ParexException(ErrorKind.MISMATCH, "x".repeat(100_000)));
        StatusRuntimeException failure = ErrorStatus.of(error);
        assertTrue(failure.getStatus().getDescription().length() < 2000);
        assertTrue(Details.callError(failure).getSerializedSize() < 2000);
    }
}
