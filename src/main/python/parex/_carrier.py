"""What carries a session's messages: the seam between what is said and how it travels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from parex._call import Call
from parex._fit import Fitted
from parex._transfer import Transfer
from parex.errors import ParexError

if TYPE_CHECKING:
    from parex._running import Running
    from parex._work import Work


class Carrier(ABC):
    """Moves messages to the rank in the order in which they are given, and hands what comes back to
    ``Session.dispatch``, one message at a time, on whatever thread reads it: one of its own, or that of a caller who
    waits or polls. Any thread, unless a method says more."""

    largest_message = 4 << 20
    """Bytes of a message that can be carried: no more than a rank takes."""

    @abstractmethod
    def start(self) -> None:
        """Begins to carry. Once, before anything else."""

    def array(self, size: int) -> npt.NDArray[np.uint8] | None:
        """Memory of so many bytes that calls need not copy from or to; None if there is none."""
        return None

    @abstractmethod
    def transfer(self, call: Call, fitted: Fitted) -> Transfer:
        """A way for the input and output of one operation."""

    @abstractmethod
    def submit(self, message: bytes, operations: Sequence[Running]) -> None:
        """Sends a serialised ClientMessage with a Submit, and the input of its operations as the rank takes it.
        Returns at once.
        Under the session's lock, which makes the order."""

    @abstractmethod
    def send(self, message: Any) -> None:
        """Sends any other ClientMessage. Returns at once."""

    @abstractmethod
    def resume(self, operation: Running) -> None:
        """The rank takes more of the operation's input."""

    @abstractmethod
    def forget(self, operation: Running) -> None:
        """Sends nothing more of the operation's input."""

    @abstractmethod
    def wait(self, predicate: Callable[[], bool], deadline: float | None) -> bool:
        """Makes progress, or sleeps, until ``predicate`` holds or ``deadline`` (seconds of time.monotonic, None: no
        end) has passed. Whether the predicate holds."""

    @abstractmethod
    def poll(self) -> None:
        """Makes the progress that can be made at once."""

    @abstractmethod
    def wake(self) -> None:
        """An operation has ended: those who wait look at their predicates."""

    @abstractmethod
    def watch(self, work: Work) -> None:
        """Somebody wants to be called when the work has ended: it must make progress although nobody waits for it."""

    @abstractmethod
    def finish_sending(self) -> None:
        """What has been given to :meth:`send` is the last."""

    @abstractmethod
    def close(self) -> None:
        """Cuts the connection, if it is there yet. As often as one likes."""

    @abstractmethod
    def forked(self) -> None:
        """This is a copy in a child process: lets go of what would keep the parent's connection open."""


class LostCarrier(Carrier):
    """Carries nothing any more: whatever would need it raises ``failure``."""

    def __init__(self, failure: ParexError) -> None:
        self._failure = failure

    def start(self) -> None:
        """Fails."""
        raise self._failure

    def transfer(self, call: Call, fitted: Fitted) -> Transfer:
        """Fails."""
        raise self._failure

    def submit(self, message: bytes, operations: Sequence[Running]) -> None:
        """Fails."""
        raise self._failure

    def send(self, message: Any) -> None:
        """Fails."""
        raise self._failure

    def resume(self, operation: Running) -> None:
        """Nothing to do."""

    def forget(self, operation: Running) -> None:
        """Nothing to do."""

    def wait(self, predicate: Callable[[], bool], deadline: float | None) -> bool:
        """Fails unless there is nothing to wait for."""
        if predicate():
            return True
        raise self._failure

    def poll(self) -> None:
        """Fails: what is polled will never be done."""
        raise self._failure

    def wake(self) -> None:
        """Nothing to do."""

    def watch(self, work: Work) -> None:
        """Nothing to do: it has ended."""

    def finish_sending(self) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""

    def forked(self) -> None:
        """Nothing to do."""
