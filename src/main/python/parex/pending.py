"""Handles of started calls that have a result."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, Generic, ParamSpec, TypeVar

from parex._work import Completed, Work
from parex.errors import ParexError

T = TypeVar("T")
P = ParamSpec("P")


class Pending(Generic[T]):
    """A started call whose result is a ``T``. It goes on whether or not anybody waits for it; until it is done its
    arrays belong to it: inputs must not be changed, outputs neither read nor written. Any thread."""

    __slots__ = ("_result", "work")

    def __init__(self, work: Work, result: Callable[[Completed], T]) -> None:
        self.work = work
        self._result = result

    def wait(self, timeout: float | None = None) -> T:
        """The result, as often as one likes. Raises the ParexError with which the call failed, or WaitTimeout after
        ``timeout`` seconds; the call then goes on."""
        return self._result(self.work.wait(timeout))

    def done(self) -> bool:
        """Whether it has ended."""
        return self.work.done()

    def exception(self) -> ParexError | None:
        """With what it failed, once it is done."""
        return self.work.exception()

    def cancel(self, reason: str = "") -> None:
        """Asks the rank to end it; a collective then fails on all ranks. Returns at once."""
        self.work.cancel(reason)

    def add_done_callback(self, callback: Callable[[Pending[T]], None]) -> None:
        """Runs ``callback`` with this exactly once, on whatever thread learns of the end, or at once if it has ended.
        It must not block."""
        self.work.add_done_callback(lambda work: callback(self))


S = TypeVar("S")


def blocking(start: Callable[Concatenate[S, P], Pending[T]]) -> Callable[Concatenate[S, P], T]:
    """The form of a method that waits for what it has started, and returns the result."""

    @functools.wraps(start)
    def call(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return start(self, *args, **kwargs).wait()

    call.__name__ = start.__name__.removesuffix("_async")
    call.__qualname__ = start.__qualname__.removesuffix("_async")
    return call
