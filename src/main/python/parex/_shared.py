"""The carrier through memory that the rank shares: rings for messages, segments for tensors. No thread of its own is
needed: whoever waits, or polls, reads."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from parex import _proto
from parex._call import Call
from parex._carrier import Carrier
from parex._fit import Fitted
from parex._line import Line
from parex._memory import Bytes, Segment, SharedMemory
from parex._outbox import Outbox
from parex._ring import map_memory
from parex._running import Running
from parex._session import ANSWER_SECONDS, Session
from parex._shared_transfer import SharedTransfer
from parex._transfer import ChunkedTransfer, Transfer
from parex._work import Work
from parex.errors import ParexError, PeerFailedError, UnavailableError

_LOG = logging.getLogger("parex")

_SEGMENT_TAG = 6 << 3 | 2
"""The first byte of a ServerMessage that is a segment."""

_CHUNK_BYTES = 128 << 10
"""Of tensors for which there is no shared memory: a ring holds several."""

_SPIN_SECONDS = 20e-6


class _Asked:
    """A segment that was asked for."""

    __slots__ = ("answer", "is_late", "segment")

    def __init__(self) -> None:
        self.answer: Any = None
        self.segment: Segment | None = None
        self.is_late = False


class SharedCarrier(Carrier):
    """Takes the place of ``stream``, which stays open: the rank ends the session with either."""

    def __init__(self, session: Session, line: Line, stream: Carrier) -> None:
        self._session = session
        self._line = line
        self._rings = line.rings
        self.largest_message = line.rings.largest
        self._stream = stream
        self._memory = SharedMemory(self._add_segment, self._drop_segment)
        self._outbox = Outbox(_CHUNK_BYTES)
        # Who writes to the ring. Never waited for with the role of the reader to be taken.
        self._writing = threading.Lock()
        # The role of the reader. A callback of an operation that has ended may wait for another one.
        self._reading = threading.RLock()
        self._turn = threading.Condition()
        self._sleepers = 0
        self._asked: deque[_Asked] = deque()
        self._watched: dict[Work, None] = {}
        self._watcher: threading.Thread | None = None
        self._warned = False
        self._spin = _SPIN_SECONDS if _has_processors_to_spare() else 0.0

    def start(self) -> None:
        """The session was opened on the stream."""

    def array(self, size: int) -> Bytes | None:
        """In a segment."""
        return self._memory.array(size)

    def transfer(self, call: Call, fitted: Fitted) -> Transfer:
        """In shared memory; in chunks through the rings if the rank gives no more."""
        transfer = SharedTransfer.of(call, fitted, self._memory)
        if transfer is not None:
            return transfer
        if not self._warned:
            self._warned = True
            _LOG.warning(
                "the rank gives no more shared memory (%d bytes at most for this client): tensors of %d bytes are"
                " copied in chunks, which is slower",
                self._session.opened.shared.max_bytes,
                (fitted.input_count + fitted.output_count) * fitted.element.size,
            )
        return ChunkedTransfer(fitted, self._session.opened.limits.initial_credit_bytes)

    def submit(self, message: bytes, operations: Sequence[Running]) -> None:
        """Writes the message, and begins with the chunks of what has no shared memory."""
        self._outbox.put(message)
        for operation in operations:
            if isinstance(operation.transfer, ChunkedTransfer):
                self._outbox.add(operation)
                self.watch(operation.work)
        self._write()

    def send(self, message: Any) -> None:
        """Writes the message."""
        self._outbox.put(message.SerializeToString())
        self._write()

    def resume(self, operation: Running) -> None:
        """Writes the next chunks of the operation."""
        self._outbox.add(operation)
        self._write()

    def forget(self, operation: Running) -> None:
        """Writes no more chunks of the operation."""
        self._outbox.remove(operation)

    def _write(self) -> None:
        """Writes what there is room for; what is left goes when the rank has made room, which it rings for."""
        wrote = False
        with self._writing:
            while (data := self._outbox.peek()) is not None:
                if not self._rings.write(data):
                    break
                wrote = True
                sent = self._outbox.pop()
                if sent is not None:
                    self._session.sent(sent)
        if wrote and self._rings.rank_sleeps():
            self._line.ring()

    def wait(self, predicate: Callable[[], bool], deadline: float | None) -> bool:
        """Reads, or sleeps while another thread does."""
        while not predicate():
            if self._session.ended or (deadline is not None and time.monotonic() >= deadline):
                return predicate()
            if self._reading.acquire(blocking=False):
                try:
                    self._read_until(predicate, deadline)
                finally:
                    self._reading.release()
                    self.wake()
            else:
                self._sleep(predicate, deadline)
        return True

    def _sleep(self, predicate: Callable[[], bool], deadline: float | None) -> None:
        """Until somebody ends an operation or stops to read. The time is a limit only: the reader tells."""
        with self._turn:
            self._sleepers += 1
            try:
                if not predicate():
                    left = 1.0 if deadline is None else min(1.0, deadline - time.monotonic())
                    self._turn.wait(max(0.0, left))
            finally:
                self._sleepers -= 1

    def _read_until(self, predicate: Callable[[], bool], deadline: float | None) -> None:
        spin_end = 0.0
        while not predicate():
            if self._read_all():
                spin_end = 0.0
                continue
            if self._line.closed:
                self._break()
                return
            now = time.monotonic()
            if deadline is not None and now >= deadline:
                return
            if self._spin:
                spin_end = spin_end or now + self._spin
                if now < spin_end:
                    continue
            self._rings.sleep()
            if not self._rings.has_news():
                self._line.listen(deadline)
            self._rings.awake()
            spin_end = 0.0
            self._write()

    def _read_all(self) -> bool:
        """Dispatches what is there. Whether there was anything."""
        rings = self._rings
        message = rings.read()
        if message is None:
            return False
        while message is not None:
            if message[0] == _SEGMENT_TAG:
                self._answered(_proto.ServerMessage.FromString(message).segment)
            else:
                self._session.dispatch(message)
            message = rings.read()
        if rings.rank_wants_room():
            self._line.ring()
        return True

    def _break(self) -> None:
        if self._session.closing:
            # The stream tells how it ended.
            self._stream.wait(lambda: self._session.ended, time.monotonic() + ANSWER_SECONDS)
        self._session.broken(
            PeerFailedError(
                "the rank has closed its shared memory; what was in flight may or may not have been carried out"
            )
        )

    def poll(self) -> None:
        """Reads what is there, if nobody else does."""
        if self._reading.acquire(blocking=False):
            try:
                self._read_all()
            finally:
                self._reading.release()
            if self._sleepers:
                self.wake()

    def wake(self) -> None:
        """Lets those who sleep look; the end of the session also wakes the reader."""
        if self._session.ended:
            self._line.shut()
            self._stream.wake()
        if self._sleepers:
            with self._turn:
                self._turn.notify_all()

    def watch(self, work: Work) -> None:
        """Makes progress for ``work`` although nobody may wait for it: a thread of its own does, from the first on."""
        with self._turn:
            self._watched[work] = None
            self._turn.notify_all()
            if self._watcher is None:
                self._watcher = threading.Thread(target=self._watch, name="parex-watcher", daemon=True)
                self._watcher.start()

    def _watch(self) -> None:
        while not self._session.ended:
            with self._turn:
                self._sleepers += 1
                while not self._watched and not self._session.ended:
                    self._turn.wait(ANSWER_SECONDS)
                self._sleepers -= 1
                work = next(iter(self._watched), None)
            if work is not None:
                self.wait(work.is_ended, None)
                with self._turn:
                    self._watched.pop(work, None)

    def finish_sending(self) -> None:
        """The stream ends with the session."""
        self._stream.finish_sending()

    def close(self) -> None:
        """Cuts both."""
        self._line.shut()
        # Whoever reads has woken by that.
        with self._reading:
            self._line.drop()
        self._stream.close()

    def forked(self) -> None:
        """The socket is the parent's; a child that held it would keep the session of a parent that has died."""
        self._line.drop()

    # Segments.

    def _add_segment(self, size: int) -> Segment | None:
        message = _proto.ClientMessage()
        message.add_segment.bytes = size
        asked = _Asked()
        with self._turn:
            # Answers come in the order of these messages.
            self._asked.append(asked)
            self._outbox.put(message.SerializeToString())
        self._write()
        self.wait(lambda: asked.answer is not None or self._session.ended, time.monotonic() + ANSWER_SECONDS)
        if asked.answer is None:
            asked.is_late = True
            raise UnavailableError("the rank has not answered a request for shared memory", not_started=True)
        if asked.answer.HasField("error"):
            _LOG.debug("no shared memory: %s", asked.answer.error.message)
        return asked.segment

    def _answered(self, answer: Any) -> None:
        asked = self._asked.popleft()
        if not answer.HasField("error"):
            fd = self._line.descriptor()
            try:
                data = np.frombuffer(map_memory(fd, answer.bytes), np.uint8)
            finally:
                os.close(fd)
            address = int(data.__array_interface__["data"][0])
            asked.segment = Segment(answer.segment_id, data, address, [(0, answer.bytes)])
            if asked.is_late:
                self._drop_segment(asked.segment)
        asked.answer = answer
        self.wake()

    def _drop_segment(self, segment: Segment) -> None:
        message = _proto.ClientMessage()
        message.drop_segment.segment_id = segment.id
        self.send(message)


def attach(session: Session, stream: Carrier) -> SharedCarrier | None:
    """The rank's offer of shared memory, taken; None, with a line in the log, if it cannot be."""
    if not session.opened.HasField("shared"):
        return None
    try:
        line = Line(session.opened.shared.socket_path, session.opened.session_id)
    except ParexError as error:
        _LOG.warning("tensors go over gRPC, not through shared memory: %s", error)
        return None
    return SharedCarrier(session, line, stream)


def _has_processors_to_spare() -> bool:
    """Whether a rank and a client of each can run at once, so that to spin takes no processor from those who work."""
    local = os.environ.get("LOCAL_WORLD_SIZE", "1")
    return len(os.sched_getaffinity(0)) > 2 * (int(local) if local.isdigit() else 1)
