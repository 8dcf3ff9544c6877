"""What can go wrong, one class for each kind of failure; decide by class or ``kind``, never by the text."""

from __future__ import annotations


class ParexError(RuntimeError):
    """A call has failed. The text says what happened, on which rank, in which call, and what is now true.

    Attributes:
        kind: such as ``"mismatch"``; see the subclasses.
        ranks: the ranks on which the call was made, where that is known.
        group: name of the call's group; empty: that of all ranks.
        primitive: such as ``"all_reduce"``; empty where there is none.
        call_number: of the call, if it had one.
        not_started: nothing of the call was started: it has no place in the order of calls and may be made again.
    """

    kind = "protocol"

    def __init__(
        self,
        message: str,
        *,
        ranks: tuple[int, ...] = (),
        group: str = "",
        primitive: str = "",
        call_number: int | None = None,
        not_started: bool = False,
    ) -> None:
        super().__init__(message)
        self.ranks = ranks
        self.group = group
        self.primitive = primitive
        self.call_number = call_number
        self.not_started = not_started


class ArgumentError(ParexError, ValueError):
    """The caller's argument is wrong; nothing was started."""

    kind = "argument"

    def __init__(self, message: str, *, not_started: bool = True, **where: object) -> None:
        super().__init__(message, not_started=not_started, **where)  # type: ignore[arg-type]


class MismatchError(ParexError):
    """The ranks do not agree on the call."""

    kind = "mismatch"


class CallTimeoutError(ParexError, TimeoutError):
    """The call's timeout passed; the call has ended. See :class:`WaitTimeout` for a wait that ends before its call."""

    kind = "timeout"


class PeerFailedError(ParexError):
    """A rank that the call needs is lost."""

    kind = "peer_failed"


class AbortedError(ParexError):
    """The call was ended from outside."""

    kind = "aborted"


class UnsupportedError(ParexError):
    """What is not computed, such as a reduction of a type that is only carried; nothing was started."""

    kind = "unsupported"


class ProtocolError(ParexError):
    """The rank, a peer or a client broke the protocol."""

    kind = "protocol"


class UnavailableError(ParexError):
    """The rank takes no calls now; nothing was started."""

    kind = "unavailable"


class OverloadedError(ParexError):
    """A limit is reached; nothing was started."""

    kind = "overloaded"


class LeftError(ParexError):
    """A rank left the group in good order."""

    kind = "left"


class DeadlockError(ParexError):
    """The calls of several ranks wait for each other."""

    kind = "deadlock"


class CancelledError(ParexError):
    """The caller cancelled the call."""

    kind = "cancelled"


class WaitTimeout(TimeoutError):
    """A wait ended before its operation, which goes on. Not a failure of the call, so not a :class:`ParexError`."""


_KINDS: tuple[type[ParexError], ...] = (
    ArgumentError,
    MismatchError,
    CallTimeoutError,
    PeerFailedError,
    AbortedError,
    UnsupportedError,
    ProtocolError,
    UnavailableError,
    OverloadedError,
    LeftError,
    DeadlockError,
    CancelledError,
)
_CLASSES = {each.kind: each for each in _KINDS}


def class_of(kind: str) -> type[ParexError]:
    """The class of a kind; :class:`ProtocolError` for one that this release does not know."""
    return _CLASSES.get(kind, ProtocolError)
