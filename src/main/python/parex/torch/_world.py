"""The client of this process, which all its process groups share, and how long it lives."""

from __future__ import annotations

import os
import uuid
import weakref
from collections.abc import Sequence
from typing import Any

import torch.distributed as dist

from parex.client import Client
from parex.errors import ArgumentError, ParexError
from parex.group import Group

_CONNECT_SECONDS = 60.0
# Agreed by the members of a group through torch's store.
_NAME_KEY = "parex"


class World:
    """One client, open as long as a process group refers to it, or until it is closed. Any thread."""

    def __init__(self, rank: int, size: int) -> None:
        """Connects to the rank of Parex that is ``rank`` in torch; ArgumentError if worlds or ranks are not alike."""
        given = os.environ.get("PAREX_RANK", "")
        if given and given != str(rank):
            raise ArgumentError(f"this process is rank {rank} to torch, but PAREX_RANK is {given}: they must be alike")
        try:
            client = Client(rank=rank, name=f"torch-{rank}", connect_timeout=_CONNECT_SECONDS)
        except ArgumentError as error:
            raise ArgumentError(f"rank {rank} of torch has no rank of Parex: {error}") from None
        if client.world.size != size:
            found = client.world.size
            client.close()
            raise ArgumentError(f"torch's world has {size} ranks, that of Parex {found}: they must be alike")
        self.client = client
        # The client closes itself at the end of the process.
        self._finish = weakref.finalize(self, client.close)
        self._finish.atexit = False

    def group(self, group_id: str, members: Sequence[int], store: Any) -> Group:
        """A group of those ranks of the world, under a name that no other group has had: torch's own begin again with
        each init_process_group. The members agree on it through ``store``, which is theirs alone."""
        token = store.compare_set(_NAME_KEY, "", uuid.uuid4().hex[:12]).decode()
        return self.client.new_group(f"torch:{group_id}:{token}", members)

    def close(self, reason: str = "") -> None:
        """Leaves; with a reason, as failed. As often as one likes; the first counts."""
        if self._finish.detach() is not None:
            self.client.close(reason)


_current: weakref.ref[World] | None = None


def world_of(rank: int, size: int) -> World:
    """The World of this process, made if there is none. If torch is making its default group, an earlier one, whose
    groups were destroyed but are still referred to, is closed."""
    global _current
    world = None if _current is None else _current()
    if world is not None and dist.is_initialized():
        return world
    if world is not None:
        world.close()
    world = World(rank, size)
    _current = weakref.ref(world)
    return world


def close_with(owner: Any, group: Group) -> None:
    """Leaves ``group`` when ``owner`` is gone, which is all that destroy_process_group does to it in torch 1.13."""
    weakref.finalize(owner, close_group, group).atexit = False


def close_group(group: Group) -> None:
    """Leaves a group; nothing happens if it or the client is closed."""
    try:
        group.close()
    except ParexError:
        # The client or the rank has ended, and the group with it.
        pass
