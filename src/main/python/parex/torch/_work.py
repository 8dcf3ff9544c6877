"""The handle that torch.distributed gets of a started operation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist

from parex._work import Work as CoreWork
from parex.torch._combined import CombinedWork
from parex.torch._tensors import Operands

_NO_TIMEOUT = timedelta(0)
# torch's C++ (the reducer of DistributedDataParallel) holds its own half of a work, and in 1.13 nothing else keeps the
# Python half: once that is gone, wait() there is the base class's, which never returns. So works are kept here until
# somebody has waited for them. Of those that have ended and for which nobody has waited only so many: a program
# that drops its handles must not keep all their tensors alive.
_MAX_KEPT = 64
_kept: dict[int, TorchWork] = {}


class TorchWork(dist.Work):
    """A started operation, as torch calls it. Any thread may call any method; it goes on whether or not one waits."""

    def __init__(self, core: CoreWork | CombinedWork, tensors: Sequence[Any], *operands: Operands) -> None:
        """Of ``core``, which fills ``tensors`` (the value of the future; for most calls a list of tensors), through
        those of ``operands`` that have anything to copy back."""
        super().__init__()
        self._core = core
        self._tensors = list(tensors)
        self._future: Any = None
        self._staged = [each for each in operands if each.staged()]
        if self._staged:
            core.add_done_callback(self._ended)

    def keep(self) -> TorchWork:
        """Itself, alive until somebody has waited for it: for calls that torch's C++ makes too."""
        _kept[id(self)] = self
        if len(_kept) > _MAX_KEPT:
            for key, work in list(_kept.items())[:-_MAX_KEPT]:
                if work._core.done():
                    _kept.pop(key, None)
        return self

    def wait(self, timeout: timedelta = _NO_TIMEOUT) -> bool:
        """Waits for the end, as often as one likes: True, or the ParexError with which it failed. After ``timeout``, if
        that is more than 0, parex.errors.WaitTimeout; the operation then goes on."""
        self._core.wait(timeout.total_seconds() if timeout > _NO_TIMEOUT else None)
        self._copy_back()
        _kept.pop(id(self), None)
        return True

    def synchronize(self) -> None:
        """As :meth:`wait`: there is no stream of a device to order."""
        self.wait()

    def is_completed(self) -> bool:
        """Whether it has ended, well or not. Makes progress itself."""
        if not self._core.done():
            return False
        if self._core.exception() is None:
            self._copy_back()
        _kept.pop(id(self), None)
        return True

    def is_success(self) -> bool:
        """Whether it has ended well."""
        return self.is_completed() and self._core.exception() is None

    def exception(self) -> Any:
        """The ParexError with which it failed, once it has ended; None if it ended well."""
        return self._core.exception()

    def result(self) -> list[Any]:
        """The tensors that hold the result, once it has ended well."""
        return self._tensors

    def source_rank(self) -> int:
        """Rank in the group of whom a receive was from; waits for it."""
        source = self._core.wait().source
        return -1 if source is None else source

    # torch.distributed.recv asks under this name.
    _source_rank = source_rank

    def get_future(self) -> Any:
        """A ``torch.futures.Future`` of the list of tensors. A failure is a RuntimeError there, with the text of the
        ParexError: what torch's C++ can carry."""
        if self._future is None:
            ended: Any = torch.futures.Future()
            # Only what a callback raises is a failure to C++ too; set_exception would be a value that it does not know.
            self._future = ended.then(self._outcome)

            def fulfil(_: CoreWork | CombinedWork) -> None:
                ended.set_result(None)

            self._core.add_done_callback(fulfil)
        _kept.pop(id(self), None)
        return self._future

    def _outcome(self, _: Any) -> list[Any]:
        self.wait()
        return self._tensors

    def _ended(self, core: CoreWork | CombinedWork) -> None:
        if core.exception() is None:
            self._copy_back()

    def _copy_back(self) -> None:
        for operands in self._staged:
            operands.copy_back()
