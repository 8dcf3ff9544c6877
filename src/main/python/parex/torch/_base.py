"""What all calls of the backend's process group share: how one is started, and with which timeout."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist

from parex._call import Call, Options
from parex.errors import ArgumentError
from parex.group import Group
from parex.torch._combined import CombinedWork
from parex.torch._tensors import Operands
from parex.torch._work import TorchWork
from parex.torch._world import World, close_group

_NO_TIMEOUT = timedelta(0)


class BaseGroup(dist.ProcessGroup):  # type: ignore[misc, name-defined]
    """A process group of torch over one of :mod:`parex`. Ranks are ranks in the group. Any thread; calls have the order
    in which they are made."""

    def __init__(self, world: World, group: Group, timeout: timedelta) -> None:
        """Of ``group``, whose calls that say no timeout end after ``timeout``. Keeps ``world`` open."""
        super().__init__(group.rank, group.size)
        self.parex = group
        self._world = world
        self._options = Options(timeout=timeout.total_seconds())

    def getBackendName(self) -> str:  # noqa: N802 (torch's name)
        """The name under which torch knows the backend."""
        return "parex"

    def set_timeout(self, timeout: timedelta) -> None:
        """Of calls from now on that say none."""
        self._options = Options(timeout=timeout.total_seconds())

    def abort(self) -> None:
        """Fails the calls in flight of the world's members with this rank, and ends its client."""
        self._world.close(f"rank {self._world.client.rank} has aborted process group {self.parex.name or 'WORLD'}")

    def shutdown(self) -> None:
        """Ends what this group has open; of WORLD, the client."""
        if self.parex.name:
            close_group(self.parex)
        else:
            self._world.close()

    def _with(self, opts: Any, tensor: torch.Tensor | None = None) -> Options:
        """Options of a call: its own timeout if it says one, and, of a tensor without elements, its shape. That is
        what ranks compare then, for a count of 0 says nothing."""
        timeout = _NO_TIMEOUT if opts is None else opts.timeout
        name = "" if tensor is None or tensor.numel() else f"shape {tuple(tensor.shape)}"
        if timeout <= _NO_TIMEOUT and not name:
            return self._options
        return Options(timeout=timeout.total_seconds() if timeout > _NO_TIMEOUT else self._options.timeout, name=name)

    def _run(self, call: Call, tensors: Sequence[Any], *operands: Operands) -> TorchWork:
        """Starts a collective; ``tensors`` are the value of its future."""
        return TorchWork(self.parex.start(call), tensors, *operands).keep()

    def _run_all(self, calls: Sequence[tuple[Call, Operands]], tensors: Sequence[Any]) -> TorchWork:
        """Starts several collectives in order, with one handle."""
        works = [self.parex.start(call) for call, _ in calls]
        return TorchWork(CombinedWork(works), tensors, *[operands for _, operands in calls]).keep()


def single(primitive: str, what: str, tensors: Sequence[Any]) -> Any:
    """The one entry of what torch passes as a list with one entry for each device."""
    if len(tensors) != 1:
        raise ArgumentError(
            f"{primitive}: {len(tensors)} entries in {what}; one is due: a process has one device, the host",
            primitive=primitive,
        )
    return tensors[0]


def require_blocks(primitive: str, what: str, tensors: Sequence[Any], size: int) -> None:
    """Refuses a list that has not one tensor for each rank."""
    if len(tensors) != size:
        raise ArgumentError(
            f"{primitive}: {len(tensors)} tensors in {what}; {size} are due, one for each rank of the group",
            primitive=primitive,
        )


def lengths_of(tensors: Sequence[torch.Tensor]) -> tuple[int, ...] | None:
    """Elements of each tensor; None if all have as many."""
    counts = tuple(tensor.numel() for tensor in tensors)
    return None if counts.count(counts[0]) == len(counts) else counts
