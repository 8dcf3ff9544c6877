"""Client of Parex, a parameter exchange service for distributed training: see :class:`Client`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.typing import DTypeLike

from parex import _lifecycle
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
    "empty",
]


def empty(shape: int | Sequence[int], dtype: DTypeLike = np.float32) -> npt.NDArray[Any]:
    """As :meth:`Client.empty`, of the one client that is open in this process."""
    return _lifecycle.only().empty(shape, dtype)
