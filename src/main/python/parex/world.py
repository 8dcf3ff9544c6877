"""What a rank's process says of its world, and of a group after its recovery."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from parex import _proto

_STATES = _proto.enum_names("RankState", "RANK_STATE_")


@dataclass(frozen=True, slots=True)
class Peer:
    """The traffic of a hosted rank with one other: ``connected`` now, and tensor bytes since the start."""

    rank: int
    connected: bool
    bytes_in: int
    bytes_out: int


@dataclass(frozen=True, slots=True)
class HostedRank:
    """A rank that the process hosts.

    Attributes:
        state: starting (peers are missing), ready, closing, closed or lost.
        in_flight: operations submitted and not ended.
        epoch: of the group of all ranks; None: not known yet.
        groups: names of the open groups, without that of all ranks.
    """

    rank: int
    state: str
    in_flight: int
    peers: tuple[Peer, ...]
    epoch: int | None
    round: int
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WorldInfo:
    """What a process knows of its world. ``staging_*_bytes``: memory that holds tensors between clients and fabric."""

    name: str
    size: int
    version: str
    ranks: tuple[HostedRank, ...]
    staging_used_bytes: int
    staging_limit_bytes: int


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a recovered group: ``generation`` counts the starts of its process from 1, ``last_call`` is the
    number of the last collective that this process has completed, None if none."""

    rank: int
    generation: int
    last_call: int | None


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a group is after its recovery; the same on all members."""

    epoch: int
    round: int
    next_call: int
    members: tuple[Member, ...]

    def is_level(self) -> bool:
        """Whether all members have completed the same last call, so that the job may go on from there."""
        return len({member.last_call for member in self.members}) == 1


def info(answer: Any) -> WorldInfo:
    """Of a ``GetWorldResponse``."""
    return WorldInfo(
        answer.name,
        answer.size,
        answer.version,
        tuple(_hosted(rank) for rank in answer.ranks),
        answer.staging.used_bytes,
        answer.staging.limit_bytes,
    )


def _hosted(rank: Any) -> HostedRank:
    return HostedRank(
        rank.rank,
        _STATES.get(rank.state, "unknown"),
        rank.in_flight,
        tuple(Peer(peer.rank, peer.connected, peer.bytes_in, peer.bytes_out) for peer in rank.peers),
        rank.epoch if rank.HasField("epoch") else None,
        rank.round,
        tuple(group.name for group in rank.groups),
    )


def recovered(answer: Any) -> Recovered:
    """Of a ``RecoverResponse``."""
    members = (
        Member(each.rank, each.generation, each.last_call if each.HasField("last_call") else None)
        for each in answer.members
    )
    return Recovered(answer.epoch, answer.round, answer.next_call, tuple(members))


def diagnosis(world: WorldInfo) -> str:
    """A line for each hosted rank."""
    return "\n".join(_line(world, rank) for rank in world.ranks)


def _line(world: WorldInfo, rank: HostedRank) -> str:
    connected = {peer.rank for peer in rank.peers if peer.connected}
    missing = sorted(set(range(world.size)) - connected - {rank.rank})
    # Peers are dialled when first needed: one that is missing in a rank that is ready is not lost.
    word = "missing" if rank.state == "starting" else "not connected"
    parts = [f"rank {rank.rank} of {world.size}: {rank.state}", f"{rank.in_flight} operations in flight"]
    parts.append(f"connected: {', '.join(map(str, sorted(connected))) or 'none'}")
    if missing:
        parts.append(f"{word}: {', '.join(map(str, missing))}")
    return ", ".join(parts)
