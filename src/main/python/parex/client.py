"""A client of one rank."""

from __future__ import annotations

import logging
import math
import os
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.typing import DTypeLike

from parex import _grpc, _lifecycle, _proto, _shared, world
from parex._requests import set_duration
from parex._running import Target
from parex._session import ANSWER_SECONDS, Session
from parex.errors import ArgumentError, UnavailableError
from parex.group import Group

_LOG = logging.getLogger("parex")

CLOSE_SECONDS = 5.0
"""How long :meth:`Client.close` waits for the rank to end what is in flight."""


class Client:
    """A session with one rank of a world, from its making to :meth:`close`. Any thread.

    Args:
        endpoint: of the rank's process, ``host:port`` or ``unix:/path``; None: ``PAREX_ENDPOINT`` in the environment.
        rank: that the process hosts; None: ``PAREX_RANK``, then ``RANK``, else the only one there.
        name: in messages about this client, such as ``"trainer-7"``.
        shared: ``"auto"``: shared memory where it can be had; ``"never"``: gRPC only.
        timeout: of calls that say none, in seconds; None: the world's default.
        connect_timeout: seconds to wait for a rank that is not there yet.
    """

    def __init__(
        self,
        endpoint: str | None = None,
        rank: int | None = None,
        *,
        name: str | None = None,
        shared: str = "auto",
        timeout: float | None = None,
        connect_timeout: float = 10.0,
    ) -> None:
        self.endpoint = _endpoint(endpoint)
        if shared not in ("auto", "never"):
            raise ArgumentError(f"shared is 'auto' or 'never', not '{shared}'")
        self.shared = shared
        self.timeout = timeout
        self._channel = _grpc.open_channel(self.endpoint)
        self.session = Session(lambda text: _LOG.warning("rank %s: %s", self.rank, text))
        carrier = _grpc.GrpcCarrier(self._channel, self.session)
        try:
            opened = self.session.open(carrier, _rank(rank), name or f"python-{os.getpid()}", connect_timeout)
        except UnavailableError as error:
            carrier.close()
            raise UnavailableError(f"the rank at {self.endpoint}: {error}", not_started=True) from None
        except BaseException:
            carrier.close()
            raise
        if shared == "auto" and (rings := _shared.attach(self.session, carrier)) is not None:
            self.session.switch_to(rings)
        self.rank: int = opened.rank
        self.peers = _lifecycle.peers_of(self.endpoint)
        _lifecycle.watch(self)
        self.world = Group(self, "", range(opened.world_size), Target("", opened.epoch, opened.round))

    def new_group(self, name: str, members: Sequence[int]) -> Group:
        """Creates a group of some ranks: called by each member, and by nobody else. Waits for no other member.

        Args:
            name: equal on all members, and of no other group that is open on this rank.
            members: ranks of the world, equal on all members; their order is that of the ranks in the group.
        """
        request = _proto.CreateGroupRequest(
            rank=self.rank, name=name, members=members, session_id=self.session.opened.session_id
        )
        group = self._ask("CreateGroup", request, _proto.CreateGroupResponse).group
        return Group(self, group.name, group.members, Target(group.name, group.epoch, group.round))

    def close_group(self, name: str) -> None:
        """See :meth:`Group.close`."""
        self.session.forget_group(name)
        request = _proto.CloseGroupRequest(rank=self.rank, name=name, session_id=self.session.opened.session_id)
        self._ask("CloseGroup", request, _proto.CloseGroupResponse)

    def recover(self, group: str, timeout: float) -> world.Recovered:
        """See :meth:`Group.recover`."""
        if not timeout > 0:
            raise ArgumentError(f"the timeout must be positive, not {timeout} s")
        request = _proto.RecoverRequest(rank=self.rank, group=group)
        set_duration(request.timeout, timeout)
        # The rank's own answer says more than the deadline would.
        return world.recovered(self._ask("Recover", request, _proto.RecoverResponse, timeout + ANSWER_SECONDS))

    def info(self) -> world.WorldInfo:
        """What the rank's process knows of its world now."""
        return world.info(self._ask("GetWorld", _proto.GetWorldRequest(), _proto.GetWorldResponse))

    def doctor(self) -> str:
        """A line for each rank that the process hosts, for people: its state, operations in flight, and which peers it
        is connected to or misses."""
        return world.diagnosis(self.info())

    def _ask(self, method: str, request: Any, answer: Any, timeout: float = ANSWER_SECONDS) -> Any:
        self.session.require_usable()
        return _grpc.unary(self._channel, method, request, answer, timeout)

    def disconnect(self) -> None:
        """Ends the session for another to follow: as :meth:`close` without a reason, but the other ranks wait for this
        rank's next client as they wait for a late call."""
        self._end("", leave=False)

    def close(self, reason: str = "") -> None:
        """Ends the session. Without a reason the client leaves: calls of other ranks that need it fail with
        ``LeftError``. A reason says that it has failed: the calls in flight of all members fail with it. Waits up to
        5 s for what is in flight to end. As often as one likes; the first counts."""
        self._end(reason, leave=not reason)

    def _end(self, reason: str, leave: bool) -> None:
        _lifecycle.forget(self)
        self.session.close(reason, leave)
        carrier = self.session.carrier
        carrier.wait(lambda: self.session.ended, time.monotonic() + CLOSE_SECONDS)
        carrier.close()

    def empty(self, shape: int | Sequence[int], dtype: DTypeLike = np.float32) -> npt.NDArray[Any]:
        """An array, not zeroed, in memory that is shared with the rank, so that calls with all of it, or with a
        contiguous part, copy nothing; in ordinary memory if the rank shares none, or no more. A call that reads it owns
        it until it has ended: whoever changes it before changes what is sent. Messages of up to 1 MiB are an exception,
        which are copied when they are sent.

        Args:
            shape: a number of elements, or one for each dimension.
            dtype: a numpy type; for bfloat16 one of the same size.
        """
        kind = np.dtype(dtype)
        dimensions = (shape,) if isinstance(shape, int) else tuple(shape)
        if min(dimensions, default=1) < 0:
            raise ArgumentError(f"a dimension of {dimensions} is negative")
        count = math.prod(dimensions)
        memory = self.session.array(count * kind.itemsize) if count else None
        if memory is None:
            return np.empty(dimensions, kind)
        return memory.view(kind).reshape(dimensions)

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close("" if kind is None else f"{kind.__name__}: {error}")


def _endpoint(given: str | None) -> str:
    endpoint = given or os.environ.get("PAREX_ENDPOINT")
    if not endpoint:
        raise ArgumentError("no endpoint is given, and PAREX_ENDPOINT is not set: host:port or unix:/path of the rank")
    return endpoint


def _rank(given: int | None) -> int | None:
    if given is not None:
        return given
    for variable in ("PAREX_RANK", "RANK"):
        text = os.environ.get(variable)
        if text:
            if not text.isdigit():
                raise ArgumentError(f"{variable} is '{text}', which is no rank")
            return int(text)
    return None
