"""The Unix socket to the rank: descriptors of memory come through it, and bytes that wake the other side."""

from __future__ import annotations

import errno
import os
import select
import socket
import struct
import time
from collections import deque

from parex._ring import Rings
from parex.errors import ParexError, UnavailableError

_GREETING = b"PAREXSM1"
_BELL = b"."
_BELL_FLAGS = int(socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
_CONNECT_SECONDS = 5.0
_SLICE_SECONDS = 1.0
"""The longest sleep: a bell that was lost, which no order of stores allows, would cost no more."""

_MOST_DESCRIPTORS = 16


class Line:
    """The socket of one session. :meth:`listen` has one thread at a time, the rest any."""

    def __init__(self, path: str, session_id: str) -> None:
        """Connects and gets the rings. Raises UnavailableError if there are none for this client."""
        self.closed = False
        self._descriptors: deque[int] = deque()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        try:
            self._socket.settimeout(_CONNECT_SECONDS)
            self._socket.connect(path)
            self._socket.sendall(_GREETING + session_id.encode())
            self.rings = self._greeted(path)
            # A blocking read that ends in time costs one system call, a wait and a read two.
            self._socket.settimeout(None)
            self._limit_sleep(_SLICE_SECONDS)
        except OSError as error:
            self._socket.close()
            raise UnavailableError(f"{path}: {error.strerror or error}", not_started=True) from None
        except ParexError:
            self._socket.close()
            raise
        self._poll = select.poll()
        self._poll.register(self._socket, select.POLLIN)

    def _greeted(self, path: str) -> Rings:
        said = self._receive()
        if not self._descriptors:
            while said and (more := self._receive()):
                said += more
            raise UnavailableError(f"{path}: {said[1:].decode(errors='replace') or 'closed'}", not_started=True)
        fd = self._descriptors.popleft()
        try:
            return Rings(fd, os.fstat(fd).st_size)
        finally:
            os.close(fd)

    def _limit_sleep(self, seconds: float) -> None:
        whole = int(seconds)
        timeval = struct.pack("@ll", whole, int((seconds - whole) * 1e6))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, timeval)

    def _receive(self) -> bytes:
        data, descriptors, _, _ = socket.recv_fds(self._socket, 4096, _MOST_DESCRIPTORS)
        self._descriptors.extend(descriptors)
        return data

    def ring(self) -> None:
        """Wakes the rank. Of no effect on a line that is broken: :meth:`listen` finds that out."""
        try:
            self._socket.send(_BELL, _BELL_FLAGS)
        except OSError:
            # A socket that takes no more bells has one that the rank has not heard yet.
            pass

    def listen(self, deadline: float | None) -> None:
        """Sleeps until the rank rings, until ``deadline`` (seconds of time.monotonic) at most, or a second."""
        try:
            if deadline is not None:
                left = deadline - time.monotonic()
                if left < _SLICE_SECONDS and not self._poll.poll(max(0.0, left * 1e3)):
                    return
            self.closed = not self._receive()
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self.closed = error.errno not in (errno.EAGAIN, errno.EINTR)

    def descriptor(self) -> int:
        """The next descriptor that the rank has sent, or is sending; the caller closes it."""
        limit = time.monotonic() + _CONNECT_SECONDS
        while not self._descriptors:
            self.listen(limit)
            if self.closed or time.monotonic() >= limit:
                raise UnavailableError("the rank has announced memory and sent none")
        return self._descriptors.popleft()

    def shut(self) -> None:
        """Ends it: whoever listens wakes. As often as one likes."""
        self.closed = True
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def drop(self) -> None:
        """Closes the descriptor. In a process that was forked the connection stays the parent's. Not while another
        thread listens."""
        self.closed = True
        self._socket.close()
