"""One client's session with its rank: ids, operations in flight, results. How messages travel is the carrier's."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from parex import _failures, _proto, _wire
from parex._call import POINT_TO_POINT, Call
from parex._carrier import Carrier, LostCarrier
from parex._fit import Fitted
from parex._running import Running, Target
from parex._templates import Templates
from parex._transfer import Transfer
from parex._work import Completed, Work
from parex.errors import (
    AbortedError,
    ArgumentError,
    CallTimeoutError,
    OverloadedError,
    ParexError,
    ProtocolError,
    UnavailableError,
)

ANSWER_SECONDS = 10.0
"""Within which a rank answers what waits for nobody else, beyond the call's own timeout."""

COPIED_BYTES = 1 << 20
"""Messages to send up to this size are copied when they are submitted: their buffer is the caller's again at once."""

COPIES_LIMIT_BYTES = 64 << 20
"""Of all such copies that are not yet sent."""


class Session:
    """Starts operations and tells their ends. Any thread; operations have the order in which they were started."""

    def __init__(self, on_event: Callable[[str], None]) -> None:
        self.opened: Any = None
        self.ended = False
        self._on_event = on_event
        self._carrier: Carrier | None = None
        # Under the lock but for reading single entries.
        self._lock = threading.Lock()
        self._running: dict[int, Running] = {}
        self._abandoned: dict[int, Transfer] = {}
        self._templates = Templates()
        self._last_id = 0
        self._refusals_seen: dict[str, int] = {}
        self._copied_bytes = 0
        self._closed: ParexError | None = None

    @property
    def carrier(self) -> Carrier:
        """What carries it, once :meth:`open` was called."""
        assert self._carrier is not None
        return self._carrier

    @property
    def closing(self) -> bool:
        """Whether this client has left, or the rank has gone."""
        return self._closed is not None

    def switch_to(self, carrier: Carrier) -> None:
        """From now on ``carrier`` carries what the one before has opened. Before the first operation."""
        self._carrier = carrier
        carrier.start()

    def array(self, size: int) -> npt.NDArray[np.uint8] | None:
        """Memory that calls need not copy from or to; None if there is none."""
        self.require_usable()
        return self.carrier.array(size)

    def watch(self, work: Work) -> None:
        """Makes progress for ``work`` even if nobody waits."""
        self.carrier.watch(work)

    def open(self, carrier: Carrier, rank: int | None, name: str, timeout: float) -> Any:
        """Says hello and waits for the ``Opened``. Raises what became of it instead, UnavailableError after ``timeout``
        seconds."""
        self._carrier = carrier
        carrier.start()
        hello = _proto.ClientMessage()
        hello.open.client_name = name
        if rank is not None:
            hello.open.rank = rank
        carrier.send(hello)
        carrier.wait(lambda: self.opened is not None or self.ended, time.monotonic() + timeout)
        if self.opened is None:
            if self._closed is not None:
                raise self._closed
            raise UnavailableError(f"no session within {timeout} s; nothing was started", not_started=True)
        return self.opened

    def start(self, calls: Sequence[tuple[Call, Fitted]], target: Target) -> list[Work]:
        """Starts operations, several as one batch. Raises if none was started."""
        self.require_usable()
        now = time.monotonic()
        operations: list[Running] = []
        try:
            for call, fitted in calls:
                operations.append(self._prepare(call, fitted, target, now))
            with self._lock:
                self._submit(operations, target)
        except BaseException:
            for operation in operations:
                operation.transfer.release()
            raise
        return [operation.work for operation in operations]

    def _submit(self, operations: Sequence[Running], target: Target) -> None:
        """Under the lock, which makes the order. Raises if nothing was submitted."""
        self._require_room(operations)
        entries = []
        for number, operation in enumerate(operations, self._last_id + 1):
            operation.id = operation.work.operation_id = number
            entries.append((number, operation.template, operation.transfer.places()))
        message = _wire.submission(entries, self._refusals_seen.get(target.name, 0))
        if len(message) > self.carrier.largest_message:
            raise ArgumentError(
                f"{len(operations)} operations make a message of {len(message)} bytes, {self.carrier.largest_message}"
                " may be; nothing was started",
                not_started=True,
            )
        self._last_id = operations[-1].id
        for operation in operations:
            operation.copied_bytes = operation.transfer.copied_bytes
            self._copied_bytes += operation.copied_bytes
            self._running[operation.id] = operation
        self.carrier.submit(message, operations)

    def _prepare(self, call: Call, fitted: Fitted, target: Target, now: float) -> Running:
        template = self._templates.of(call, fitted, target)
        timeout = call.options.timeout
        deadline = None if timeout is None else now + timeout + ANSWER_SECONDS
        transfer = self.carrier.transfer(call, fitted)
        if call.primitive in POINT_TO_POINT and 0 < transfer.input_bytes <= COPIED_BYTES:
            transfer.copy_input(fitted.inputs)
        return Running(call, fitted, target.name, template, transfer, Work(self, deadline))

    def require_usable(self) -> None:
        """Refuses what comes after the session's end."""
        if self._closed is not None:
            raise UnavailableError(f"nothing was started, the session has ended: {self._closed}", not_started=True)

    def _require_room(self, operations: Sequence[Running]) -> None:
        self.require_usable()
        most = self.opened.limits.max_operations
        if len(self._running) + len(operations) > most:
            raise OverloadedError(
                f"{len(self._running)} operations are in flight on this session, {most} may be, and {len(operations)}"
                " more were to start; nothing was started",
                not_started=True,
            )
        copies = sum(operation.transfer.copied_bytes for operation in operations)
        if copies and self._copied_bytes + copies > COPIES_LIMIT_BYTES:
            raise OverloadedError(
                f"{self._copied_bytes} bytes of messages wait to be sent, {COPIES_LIMIT_BYTES} may, and {copies} more"
                " were to be copied; nothing was started: wait for some to be sent",
                not_started=True,
            )

    # What comes from the rank.

    def dispatch(self, message: bytes) -> None:
        """Takes a serialised ServerMessage. Any thread, but one message after the other."""
        ended = _wire.completed(message)
        if ended is not None:
            self._completed(ended[0], Completed(count=ended[1]))
            return
        chunk = _wire.server_chunk(message)
        if chunk is not None:
            self._chunk(*chunk)
            return
        parsed = _proto.ServerMessage.FromString(message)
        match parsed.WhichOneof("message"):
            case "chunk":
                self._chunk(parsed.chunk.operation_id, memoryview(parsed.chunk.data))
            case "credit":
                self._credit(parsed.credit.operation_id, parsed.credit.limit_bytes)
            case "result":
                self._result(parsed.result)
            case "opened":
                self.opened = parsed.opened
                self.carrier.wake()
            case "event":
                self._on_event(parsed.event.text)
            case _:
                # Of a newer server; nothing that is waited for.
                pass

    def _chunk(self, operation_id: int, data: memoryview) -> None:
        operation = self._running.get(operation_id)
        if operation is None:
            return
        try:
            operation.transfer.receive(data)
        except ProtocolError as error:
            self._abandon(operation, error)

    def _credit(self, operation_id: int, limit: int) -> None:
        operation = self._running.get(operation_id)
        if operation is not None:
            operation.transfer.grant(limit)
            self.carrier.resume(operation)

    def _result(self, result: Any) -> None:
        if result.WhichOneof("outcome") == "completed":
            self._completed(result.operation_id, _completed(result.completed))
            return
        self._release_abandoned(result.operation_id)
        operation = self._forget(result.operation_id)
        if operation is not None:
            operation.transfer.release()
            if operation.call.primitive not in POINT_TO_POINT:
                with self._lock:
                    seen = self._refusals_seen.get(operation.group, 0)
                    self._refusals_seen[operation.group] = max(seen, operation.id)
            self._finish(operation, None, _failures.of_call(result.error))

    def _completed(self, operation_id: int, completed: Completed) -> None:
        operation = self._running.get(operation_id)
        if operation is None:
            self._release_abandoned(operation_id)
            return
        error = operation.deliver(completed)
        if self._forget(operation_id) is not None:
            operation.transfer.release()
            self._finish(operation, completed, error)

    def _release_abandoned(self, operation_id: int) -> None:
        """The rank has ended an operation that this side had given up."""
        abandoned = self._abandoned.pop(operation_id, None)
        if abandoned is not None:
            abandoned.release()

    def _finish(self, operation: Running, completed: Completed | None, error: ParexError | None) -> None:
        operation.work.finish(completed, error)
        self.carrier.wake()

    def _forget(self, operation_id: int) -> Running | None:
        """Takes it out of what runs; None if somebody else has."""
        with self._lock:
            operation = self._running.pop(operation_id, None)
            if operation is None:
                return None
            self._copied_bytes -= operation.copied_bytes
            operation.copied_bytes = 0
        self.carrier.forget(operation)
        return operation

    def sent(self, operation: Running) -> None:
        """The carrier's: all of the operation's input has been taken, and a copy of it let go."""
        with self._lock:
            self._copied_bytes -= operation.copied_bytes
            operation.copied_bytes = 0
        if operation.fitted.holds_output:
            credit = _proto.ClientMessage()
            credit.credit.operation_id = operation.id
            credit.credit.limit_bytes = operation.transfer.output_bytes
            self.carrier.send(credit)

    # What a work asks for.

    def wait(self, predicate: Callable[[], bool], deadline: float | None) -> bool:
        """Makes progress, or sleeps, until the predicate holds or the deadline has passed."""
        return self.carrier.wait(predicate, deadline)

    def poll(self) -> None:
        """Makes the progress that can be made at once."""
        self.carrier.poll()

    def cancel(self, work: Work, reason: str) -> None:
        """Asks the rank to end an operation; its answer ends it here."""
        operation = self._running.get(work.operation_id)
        if operation is not None and self._closed is None:
            self.carrier.forget(operation)
            self.carrier.send(_cancel(operation, reason))

    def overdue(self, work: Work) -> None:
        """Ends an operation for which the rank has not answered although its timeout has long passed."""
        operation = self._running.get(work.operation_id)
        if operation is not None:
            self._abandon(
                operation,
                CallTimeoutError(
                    f"the rank has not answered within {ANSWER_SECONDS} s after the timeout of"
                    f" {operation.call.options.timeout} s passed; whether the call was carried out is not known",
                    primitive=operation.call.primitive,
                    group=operation.group,
                ),
            )

    def _abandon(self, operation: Running, error: ParexError) -> None:
        """Ends an operation that cannot go on here, and cancels it on the rank."""
        if self._forget(operation.id) is not None:
            operation.transfer.abandon()
            # Until the rank has ended it too.
            self._abandoned[operation.id] = operation.transfer
            self.carrier.send(_cancel(operation, str(error)))
            self._finish(operation, None, error)

    def forget_group(self, name: str) -> None:
        """A group was closed."""
        with self._lock:
            self._refusals_seen.pop(name, None)

    # The end.

    def forked(self) -> None:
        """This is a copy in a child process: it holds what is of the parent, and locks that nobody releases."""
        self._lock = threading.Lock()
        self._closed = UnavailableError("this client is of the parent process; a process makes one of its own")
        self._running = {}
        if self._carrier is not None:
            self._carrier.forked()
        self._carrier = LostCarrier(self._closed)
        self.ended = True

    def close(self, reason: str, leave: bool) -> None:
        """Leaves; with a reason, as failed. What is in flight ends when the rank has answered. Returns at once."""
        with self._lock:
            if self._closed is not None:
                return
            self._closed = AbortedError("closed by this client" + (f": {reason}" if reason else ""))
            message = _proto.ClientMessage()
            message.close.reason = reason
            message.close.leave = leave
            self.carrier.send(message)
            self.carrier.finish_sending()

    def broken(self, failure: ParexError) -> None:
        """The carrier's: nothing more comes from the rank. What is in flight ends."""
        with self._lock:
            if self._closed is None:
                self._closed = failure
            reason = self._closed
            left = list(self._running)
        for operation_id in left:
            operation = self._forget(operation_id)
            if operation is not None:
                operation.transfer.abandon()
                self._finish(operation, None, reason)
        self.ended = True
        self.carrier.wake()


def _cancel(operation: Running, reason: str) -> Any:
    message = _proto.ClientMessage()
    message.cancel.operation_id = operation.id
    message.cancel.reason = reason
    return message


def _completed(message: Any) -> Completed:
    return Completed(
        message.source if message.HasField("source") else None,
        message.tag if message.HasField("tag") else None,
        message.count,
        tuple(message.lengths),
    )


def require_batch(calls: Sequence[Call]) -> None:
    """Refuses what is no batch: sends and receives, one at least."""
    if not calls:
        raise ArgumentError("a batch needs at least one send or receive")
    for index, call in enumerate(calls):
        if call.primitive not in ("send", "recv"):
            raise ArgumentError(f"entry {index} of the batch is {call.primitive}; a batch has sends and receives only")
