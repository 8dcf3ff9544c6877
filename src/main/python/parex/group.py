"""A process group: some ranks of the world, and what they call."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from parex._call import Call
from parex._fit import fit
from parex._running import Target
from parex._session import require_batch
from parex._work import Work
from parex.collectives import Collectives
from parex.errors import ArgumentError
from parex.messages import Messages
from parex.uneven import UnevenCollectives
from parex.world import Recovered

if TYPE_CHECKING:
    from parex.client import Client


class Group(Collectives, UnevenCollectives, Messages):
    """A process group as one of its members sees it: made by :class:`parex.Client`. Any thread; the calls of a rank on
    a group have the order in which they are started, which all members must have alike."""

    def __init__(self, client: Client, name: str, members: Sequence[int], target: Target) -> None:
        self._client = client
        self._members = tuple(members)
        self._rank = self._members.index(client.rank)
        self._target = target
        self.name = name

    @property
    def client(self) -> Client:
        """The client whose group it is."""
        return self._client

    @property
    def rank(self) -> int:
        """Rank of this client in the group."""
        return self._rank

    @property
    def size(self) -> int:
        """Number of members."""
        return len(self._members)

    @property
    def members(self) -> tuple[int, ...]:
        """The members as ranks of the world, in the order of their ranks in the group."""
        return self._members

    @property
    def epoch(self) -> int:
        """Sum of the generations of all members, as this client was last told; 0: not known yet."""
        return self._target.epoch

    def rank_of(self, world_rank: int) -> int:
        """The rank in the group of a rank of the world; ArgumentError if it is not a member."""
        if world_rank not in self._members:
            raise ArgumentError(f"rank {world_rank} of the world is not a member of group '{self.name or 'world'}'")
        return self._members.index(world_rank)

    def start(self, call: Call) -> Work:
        """Starts a call. Returns at once. Raises ArgumentError, OverloadedError or UnavailableError if nothing was
        started."""
        return self._start((call,))[0]

    def start_batch(self, calls: Sequence[Call]) -> list[Work]:
        """Starts sends and receives as one: all are submitted before any waits, and each ends alone."""
        require_batch(calls)
        return self._start(calls)

    def _start(self, calls: Sequence[Call]) -> list[Work]:
        given = [self._with_timeout(call) for call in calls]
        fitted = [(call, fit(call, self._rank, self.size)) for call in given]
        return self._client.session.start(fitted, self._target)

    def _with_timeout(self, call: Call) -> Call:
        timeout = self._client.timeout
        if timeout is None or call.options.timeout is not None:
            return call
        return dataclasses.replace(call, options=dataclasses.replace(call.options, timeout=timeout))

    def recover(self, timeout: float) -> Recovered:
        """Begins a new epoch of the group, together with all its members: to be called on each after a rank was started
        again, or to go on after a client has crashed. What is in flight ends with AbortedError, messages that nobody
        has received are dropped, and calls are refused until all have called. Waits for the others, at most ``timeout``
        seconds; CallTimeoutError then names those who have not called."""
        recovered = self._client.recover(self.name, timeout)
        self._target = Target(self.name, recovered.epoch, recovered.round)
        return recovered

    def close(self) -> None:
        """This rank is no member any more, unless another client of it has created the group as well. What is in flight
        ends with LeftError, and so does what other members call and need this one for. Not for the world's group, which
        is closed with its client."""
        if not self.name:
            raise ArgumentError("the group of all ranks is closed with its client")
        self._client.close_group(self.name)
