"""What a session has yet to send."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING

from parex import _wire

if TYPE_CHECKING:
    from parex._running import Running


class Outbox:
    """Messages go before chunks, of which each operation has one in turn. Any thread; :meth:`peek` and :meth:`pop` one
    at a time."""

    def __init__(self, chunk_bytes: int) -> None:
        """``chunk_bytes`` of one chunk: large against the cost of a message, small enough not to hold up others."""
        self._chunk_bytes = chunk_bytes
        self._lock = threading.Lock()
        self._messages: deque[bytes] = deque()
        self._sending: deque[Running] = deque()
        self._next: bytes | None = None
        self._of: Running | None = None
        self._stopped = False

    def put(self, message: bytes) -> None:
        """A message, after those before it."""
        with self._lock:
            self._messages.append(message)

    def add(self, operation: Running) -> None:
        """An operation that may have chunks to send."""
        with self._lock:
            if self._stopped or operation.transfer.is_sent():
                return
            if operation not in self._sending and operation is not self._of:
                self._sending.append(operation)

    def remove(self, operation: Running) -> None:
        """Nothing more of an operation but what :meth:`peek` has shown."""
        with self._lock:
            if operation in self._sending:
                self._sending.remove(operation)

    def stop_chunks(self) -> None:
        """Only messages from now on."""
        with self._lock:
            self._stopped = True
            self._sending.clear()

    def clear(self) -> None:
        """Nothing is to be sent any more."""
        with self._lock:
            self._messages.clear()
            self._sending.clear()

    def peek(self) -> bytes | None:
        """What is to be sent next; the same until :meth:`pop`. None: nothing, for now."""
        with self._lock:
            if self._next is None:
                self._next = self._messages.popleft() if self._messages else self._chunk()
            return self._next

    def _chunk(self) -> bytes | None:
        while self._sending:
            operation = self._sending.popleft()
            length = operation.transfer.next_length(self._chunk_bytes)
            if length:
                head = _wire.client_chunk(operation.id, length)
                data = operation.transfer.next_chunk(head, length)
                if data is not None:
                    self._of = operation
                    return data
        return None

    def pop(self) -> Running | None:
        """What :meth:`peek` has shown was sent. The operation whose last chunk it was, if it was one."""
        with self._lock:
            operation, self._next, self._of = self._of, None, None
            if operation is None or operation.transfer.is_sent():
                return operation
            if not self._stopped:
                self._sending.append(operation)
            return None
