"""Client of Parex, a parameter exchange service for distributed training: see :class:`Client`."""

from __future__ import annotations

from parex._call import Buffer, Call, Options
from parex._work import Completed, Work
from parex.client import Client
from parex.errors import (
    AbortedError,
    ArgumentError,
    CallTimeoutError,
    CancelledError,
    DeadlockError,
    LeftError,
    MismatchError,
    OverloadedError,
    ParexError,
    PeerFailedError,
    ProtocolError,
    UnavailableError,
    UnsupportedError,
    WaitTimeout,
)
from parex.group import Group
from parex.messages import Recv, Send
from parex.pending import Pending
from parex.world import Recovered, WorldInfo

__all__ = [
    "AbortedError",
    "ArgumentError",
    "Buffer",
    "Call",
    "CallTimeoutError",
    "CancelledError",
    "Client",
    "Completed",
    "DeadlockError",
    "Group",
    "LeftError",
    "MismatchError",
    "Options",
    "OverloadedError",
    "ParexError",
    "PeerFailedError",
    "Pending",
    "ProtocolError",
    "Recovered",
    "Recv",
    "Send",
    "UnavailableError",
    "UnsupportedError",
    "WaitTimeout",
    "Work",
    "WorldInfo",
]
