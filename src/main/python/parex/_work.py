"""The handle of a started operation."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from parex.errors import ParexError, WaitTimeout

_LOG = logging.getLogger("parex")


@dataclass(frozen=True, slots=True)
class Completed:
    """How a call ended well.

    Attributes:
        source: of a receive: the rank whose message came.
        tag: of a receive: its tag.
        count: elements moved into the output.
        lengths: of a call of blocks of any lengths: elements of each block of this rank's output.
    """

    source: int | None = None
    tag: int | None = None
    count: int = 0
    lengths: tuple[int, ...] = ()


class Driver(Protocol):
    """What a work asks of its session."""

    def wait(self, predicate: Callable[[], bool], deadline: float | None) -> bool:
        """Makes progress, or sleeps, until the predicate holds or the deadline (monotonic seconds) has passed."""

    def poll(self) -> None:
        """Makes the progress that can be made at once."""

    def watch(self, work: Work) -> None:
        """Makes progress for an operation even if nobody waits for it."""

    def overdue(self, work: Work) -> None:
        """Ends an operation for which the rank has not answered long after its timeout."""

    def cancel(self, work: Work, reason: str) -> None:
        """Asks the rank to end an operation."""


class Work:
    """A started operation. It goes on whether or not anybody waits for it. Any thread may call any method.

    When it is done its outputs hold the result, and nothing refers to the caller's buffers any more.
    """

    __slots__ = (
        "_callbacks",
        "_completed",
        "_driver",
        "_error",
        "_is_done",
        "_lock",
        "answer_deadline",
        "operation_id",
    )

    def __init__(self, driver: Driver, answer_deadline: float | None) -> None:
        self.answer_deadline = answer_deadline
        self.operation_id = 0
        self._driver = driver
        self._lock = threading.Lock()
        self._is_done = False
        self._completed: Completed | None = None
        self._error: ParexError | None = None
        self._callbacks: list[Callable[[Work], None]] = []

    def wait(self, timeout: float | None = None) -> Completed:
        """Waits for the end, as often as one likes. Raises the ParexError with which the operation failed, or
        WaitTimeout after ``timeout`` seconds; the operation then goes on."""
        if not self._is_done:
            limit = None if timeout is None else time.monotonic() + timeout
            self._await(limit)
            if not self._is_done:
                raise WaitTimeout(f"not done after {timeout} s; the operation goes on")
        if self._error is not None:
            # Without the frames of those who waited before, which would keep their tensors.
            raise self._error.with_traceback(None)
        assert self._completed is not None
        return self._completed

    def _await(self, limit: float | None) -> None:
        answer = self.answer_deadline
        nearest = limit if answer is None else answer if limit is None else min(limit, answer)
        if not self._driver.wait(self.is_ended, nearest) and nearest == answer:
            self._driver.overdue(self)

    def is_ended(self) -> bool:
        """Whether it has ended, as far as is known without making progress."""
        return self._is_done

    def done(self) -> bool:
        """Whether it has ended. Makes progress itself: no thread needs to wait."""
        if not self._is_done:
            self._driver.poll()
            if not self._is_done and self.answer_deadline is not None and time.monotonic() > self.answer_deadline:
                self._driver.overdue(self)
        return self._is_done

    def exception(self) -> ParexError | None:
        """With what it failed, once it is done."""
        return self._error

    def add_done_callback(self, callback: Callable[[Work], None]) -> None:
        """Runs ``callback`` exactly once, on whatever thread learns of the end, or at once if it has ended. It must not
        block: other operations may wait for that thread. What it raises is logged."""
        with self._lock:
            is_done = self._is_done
            if not is_done:
                self._callbacks.append(callback)
        if is_done:
            self._run(callback)
        else:
            self._driver.watch(self)

    def cancel(self, reason: str = "") -> None:
        """Asks the rank to end it; a collective then fails on all ranks. Returns at once; nothing happens if it has
        ended."""
        if not self._is_done:
            self._driver.cancel(self, reason)

    def finish(self, completed: Completed | None, error: ParexError | None) -> bool:
        """The session's: tells the end, once. Whether this was the first."""
        with self._lock:
            if self._is_done:
                return False
            self._completed = completed
            self._error = error
            self._is_done = True
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            self._run(callback)
        return True

    def _run(self, callback: Callable[[Work], None]) -> None:
        try:
            callback(self)
        except Exception:
            _LOG.exception("a callback of an ended operation has failed")
