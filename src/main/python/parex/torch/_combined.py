"""One handle of several operations that torch starts by one call."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence

from parex._work import Completed, Work
from parex.errors import ParexError


class CombinedWork:
    """Ends when the last of its parts has ended, with the first failure among them in their order. Has what TorchWork
    uses of a work. Any thread."""

    __slots__ = ("_parts",)

    def __init__(self, parts: Sequence[Work]) -> None:
        """Of any number of parts; of none it has ended."""
        self._parts = tuple(parts)

    def wait(self, timeout: float | None = None) -> Completed:
        """Waits for all parts, at most ``timeout`` seconds."""
        deadline = None if timeout is None else time.monotonic() + timeout
        failure: ParexError | None = None
        completed = Completed()
        for part in self._parts:
            try:
                completed = part.wait(None if deadline is None else max(0.0, deadline - time.monotonic()))
            except ParexError as error:
                failure = failure or error
        if failure is not None:
            raise failure
        return completed

    def done(self) -> bool:
        """Whether all parts have ended; makes progress."""
        return all([part.done() for part in self._parts])

    def exception(self) -> ParexError | None:
        """The first failure in the order of the parts, once done."""
        return next((error for part in self._parts if (error := part.exception()) is not None), None)

    def add_done_callback(self, callback: Callable[[CombinedWork], None]) -> None:
        """Runs ``callback`` once when all parts have ended, or at once if they have."""
        # Taking the next number of a count is one step to all threads.
        others = itertools.count(len(self._parts) - 1, -1)

        def part_ended(_: Work) -> None:
            if next(others) == 0:
                callback(self)

        for part in self._parts:
            part.add_done_callback(part_ended)
        if not self._parts:
            callback(self)
