"""A client of one rank."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from types import TracebackType

from parex import _grpc, _proto, _shared
from parex._session import ANSWER_SECONDS, Session, Target
from parex.errors import ArgumentError, UnavailableError
from parex.group import Group

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
        self._events: list[str] = []
        self.session = Session(self._events.append)
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
        answer = _grpc.unary(self._channel, "CreateGroup", request, _proto.CreateGroupResponse, ANSWER_SECONDS)
        group = answer.group
        return Group(self, group.name, group.members, Target(group.name, group.epoch, group.round))

    def close(self, reason: str = "") -> None:
        """Ends the session. Without a reason the client leaves: calls of other ranks that need it fail with
        ``LeftError``. A reason says that it has failed: the calls in flight of all members fail with it. Waits up to 5 s
        for what is in flight to end. As often as one likes; the first counts."""
        self.session.close(reason, leave=not reason)
        carrier = self.session.carrier
        carrier.wait(lambda: self.session.ended, time.monotonic() + CLOSE_SECONDS)
        carrier.close()

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
