"""Messages between two ranks, of numpy arrays and buffers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from parex._arrays import Readable, buffer, readable, writable
from parex._call import DEFAULT, Call, Options
from parex._work import Completed, Work
from parex.collectives import Startable
from parex.errors import ArgumentError


@dataclass(frozen=True, slots=True)
class Send:
    """A send of a batch: ``array`` to ``destination``."""

    array: Readable
    destination: int
    tag: int = 0
    dtype: str | None = None


@dataclass(frozen=True, slots=True)
class Recv:
    """A receive of a batch into ``out``; ``source`` or ``tag`` None: any."""

    out: Readable
    source: int | None
    tag: int | None = 0
    dtype: str | None = None


class Messages(Startable):
    """Ranks are ranks in the group. A message and its receive agree in type and number of elements, the tag decides the
    match, and messages of one source and tag come in the order in which they were sent.

    Arrays to send may have any strides; those up to 1 MiB are copied when the call starts and may be changed at once,
    larger ones when it has ended. ``out`` must be contiguous. ``dtype`` as in :class:`Collectives`.
    """

    @abstractmethod
    def start_batch(self, calls: Sequence[Call]) -> list[Work]:
        """Starts sends and receives as one."""

    def isend(
        self, array: Readable, destination: int, tag: int = 0, *, dtype: str | None = None, options: Options = DEFAULT
    ) -> Work:
        """Starts sending ``array``. Above 64 KiB it is done when the receiver has it."""
        return self.start(_send(Send(array, destination, tag, dtype), options))

    def irecv(
        self,
        out: Readable,
        source: int | None,
        tag: int | None = 0,
        *,
        dtype: str | None = None,
        options: Options = DEFAULT,
    ) -> Work:
        """Starts receiving into ``out``; ``source`` or ``tag`` None: any. The end says which they were."""
        return self.start(_recv(Recv(out, source, tag, dtype), options))

    def send(
        self, array: Readable, destination: int, tag: int = 0, *, dtype: str | None = None, options: Options = DEFAULT
    ) -> None:
        """:meth:`isend`, waited for. Two ranks that both send more than 64 KiB before they receive wait for each other:
        see :meth:`send_recv` and :meth:`batch`."""
        self.isend(array, destination, tag, dtype=dtype, options=options).wait()

    def recv(
        self,
        out: Readable,
        source: int | None,
        tag: int | None = 0,
        *,
        dtype: str | None = None,
        options: Options = DEFAULT,
    ) -> Completed:
        """:meth:`irecv`, waited for: source, tag and number of elements of the message that ``out`` now holds."""
        return self.irecv(out, source, tag, dtype=dtype, options=options).wait()

    def isend_recv(self, send: Send, recv: Recv, *, options: Options = DEFAULT) -> Work:
        """Starts to send and receive at once; it never waits for its own other half."""
        source, element = readable(send.array, send.dtype)
        target, received = writable(recv.out, recv.dtype)
        if element is not received:
            raise ArgumentError(f"the message to send is {element.name}, the one to receive {received.name}")
        call = Call(
            "send_recv",
            element.name,
            (buffer(source),),
            (buffer(target),),
            destination=send.destination,
            source=recv.source,
            send_tag=send.tag,
            recv_tag=recv.tag,
            options=options,
        )
        return self.start(call)

    def send_recv(self, send: Send, recv: Recv, *, options: Options = DEFAULT) -> Completed:
        """:meth:`isend_recv`, waited for: what was received."""
        return self.isend_recv(send, recv, options=options).wait()

    def batch(self, transfers: Sequence[Send | Recv], *, options: Options = DEFAULT) -> list[Work]:
        """Starts sends and receives as one: each ends alone, in whatever order both sides listed them. Returns at once;
        if one of them has a wrong argument none is started."""
        return self.start_batch(
            [_send(each, options) if isinstance(each, Send) else _recv(each, options) for each in transfers]
        )


def _send(send: Send, options: Options) -> Call:
    array, element = readable(send.array, send.dtype)
    return Call(
        "send", element.name, (buffer(array),), destination=send.destination, send_tag=send.tag, options=options
    )


def _recv(recv: Recv, options: Options) -> Call:
    array, element = writable(recv.out, recv.dtype)
    return Call(
        "recv", element.name, (), (buffer(array),), source=recv.source, recv_tag=recv.tag, options=options
    )
