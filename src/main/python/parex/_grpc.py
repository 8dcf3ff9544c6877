"""The carrier over a gRPC stream, and the RPCs beside it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import grpc

from parex import _failures, _proto
from parex._call import Call
from parex._carrier import Carrier
from parex._fit import Fitted
from parex._outbox import Outbox
from parex._running import Running
from parex._session import Session
from parex._transfer import ChunkedTransfer
from parex._work import Work
from parex.errors import AbortedError, ArgumentError, ParexError, PeerFailedError, UnavailableError

_SERVICE = "/parex.v1.Parex/"
CHUNK_BYTES = 256 << 10
"""Of one chunk of input: large against the cost of a message, small enough not to hold up other operations."""

CHANNEL_OPTIONS = [
    # A retry would keep messages, and could make a call twice.
    ("grpc.enable_retries", 0),
    # Servers refuse pings more often than each 5 min. With them the system gives up on data that nobody acknowledges.
    ("grpc.keepalive_time_ms", 330_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.max_receive_message_length", 4 << 20),
    # The rank's window: enough on the way to neither wait for an acknowledgement nor hold much.
    ("grpc.http2.lookahead_bytes", 4 << 20),
    ("grpc.http2.max_frame_size", 1 << 20),
    ("grpc.http2.write_buffer_size", 1 << 20),
    # Each client has a connection of its own, whose end is the client's.
    ("grpc.use_local_subchannel_pool", 1),
]


def open_channel(endpoint: str) -> grpc.Channel:
    """A channel to ``host:port`` or ``unix:/path``; connects when it is first used."""
    if not endpoint.startswith("unix:"):
        host, _, port = endpoint.rpartition(":")
        if not host or not port.isdigit() or not 0 < int(port) < 65536:
            raise ArgumentError(f"the endpoint '{endpoint}' is neither host:port nor unix:/path")
        return grpc.insecure_channel(f"dns:///{endpoint}", options=CHANNEL_OPTIONS)
    # The name of a path is no host name; servers refuse it in the request.
    return grpc.insecure_channel(endpoint, options=[*CHANNEL_OPTIONS, ("grpc.default_authority", "localhost")])


def unary(channel: grpc.Channel, method: str, request: Any, answer: Any, timeout: float) -> Any:
    """Makes one RPC that is one message each way. Raises ParexError."""
    rpc = channel.unary_unary(
        _SERVICE + method,
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=answer.FromString,
    )
    try:
        return rpc(request, timeout=timeout)
    except grpc.RpcError as error:
        raise _failures.of_rpc(method, error) from None


class GrpcCarrier(Carrier):
    """A stream of the Session RPC: a thread of gRPC's asks for what to send, one of its own reads what comes."""

    def __init__(self, channel: grpc.Channel, session: Session) -> None:
        self._channel = channel
        self._session = session
        self._outbox = Outbox(CHUNK_BYTES)
        # Tells gRPC's thread of what is in the outbox, and that nothing more will be.
        self._outgoing = threading.Condition()
        self._last = False
        self._news = threading.Condition()
        self._stream: Any = None

    def start(self) -> None:
        """Opens the stream, once the rank can be reached."""
        stream = self._channel.stream_stream(_SERVICE + "Session")
        self._stream = stream(self._requests(), wait_for_ready=True)
        threading.Thread(target=self._read, name="parex-session", daemon=True).start()

    def transfer(self, call: Call, fitted: Fitted) -> ChunkedTransfer:
        """In chunks, on the stream; at first as much as any operation may send at once."""
        return ChunkedTransfer(fitted, self._session.opened.limits.initial_credit_bytes)

    def submit(self, message: bytes, operations: Sequence[Running]) -> None:
        """Queues the message, and the operations that have input."""
        self._outbox.put(message)
        for operation in operations:
            self._outbox.add(operation)
        self._tell()

    def send(self, message: Any) -> None:
        """Queues the message."""
        self._outbox.put(message.SerializeToString())
        self._tell()

    def resume(self, operation: Running) -> None:
        """Queues the operation again if it has waited for credit."""
        self._outbox.add(operation)
        self._tell()

    def forget(self, operation: Running) -> None:
        """Takes the operation out of the queue."""
        self._outbox.remove(operation)

    def finish_sending(self) -> None:
        """Ends the stream of requests when all messages have been sent."""
        self._outbox.stop_chunks()
        self._last = True
        self._tell()

    def _tell(self) -> None:
        with self._outgoing:
            self._outgoing.notify()

    def wait(self, predicate: Callable[[], bool], deadline: float | None) -> bool:
        """Sleeps: the reader makes the progress."""
        with self._news:
            timeout = None if deadline is None else max(0.0, deadline - time.monotonic())
            return self._news.wait_for(predicate, timeout)

    def poll(self) -> None:
        """Nothing to do: the reader makes the progress."""

    def watch(self, work: Work) -> None:
        """Nothing to do: the reader makes the progress."""

    def wake(self) -> None:
        """Wakes all who wait."""
        with self._news:
            self._news.notify_all()

    def close(self) -> None:
        """Cuts the connection."""
        self.finish_sending()
        self._stream.cancel()
        self._channel.close()

    def forked(self) -> None:
        """gRPC's sockets are found by their peer: see ``_lifecycle``."""

    def _requests(self) -> Iterator[bytes]:
        """gRPC's thread, which takes one when the transport has taken the one before."""
        while (data := self._next_request()) is not None:
            yield data

    def _next_request(self) -> bytes | None:
        with self._outgoing:
            while (data := self._outbox.peek()) is None:
                if self._last:
                    return None
                self._outgoing.wait()
        sent = self._outbox.pop()
        if sent is not None:
            self._session.sent(sent)
        return data

    def _read(self) -> None:
        failure: ParexError
        try:
            for message in self._stream:
                self._session.dispatch(message)
            failure = AbortedError("the rank has ended the session")
        except grpc.RpcError as error:
            failure = _failures.of_rpc("the session has broken", error)
            if self._session.opened is not None and isinstance(failure, UnavailableError):
                failure = PeerFailedError(f"{failure}; what was in flight may or may not have been carried out")
        self._session.broken(failure)
        self._outbox.clear()
        self.finish_sending()
