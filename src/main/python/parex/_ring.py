"""The rings between a client and its rank, in memory that both see: PROTOCOL.md has their layout.

Python has no fences. A lock that is taken and given back is one: what was written before is seen by others before what
is read after. A word is written by one store of the processor, because a cast memoryview copies eight bytes at once.
"""

from __future__ import annotations

import mmap
import threading

from parex.errors import ProtocolError

MAGIC = int.from_bytes(b"PAREXSM1", "little")
_PAGE_BYTES = 4096
_HEAD_BYTES = 8

# Places of the words, in words.
_MAGIC, _RING_BYTES = 0, 1
_SUBMISSION_READ, _SUBMISSION_WRITTEN = 8, 16
_COMPLETION_READ, _COMPLETION_WRITTEN = 24, 32
_CLIENT_SLEEPS, _RANK_SLEEPS, _RANK_WANTS_ROOM = 40, 48, 56


def map_memory(fd: int, size: int) -> mmap.mmap:
    """The memory of a descriptor, all of its pages there; the descriptor may be closed then."""
    return mmap.mmap(fd, size, mmap.MAP_SHARED | mmap.MAP_POPULATE, mmap.PROT_READ | mmap.PROT_WRITE)


class Rings:
    """This client's ends of both rings. Writing has one thread at a time, and so has reading."""

    def __init__(self, fd: int, size: int) -> None:
        memory = memoryview(map_memory(fd, size))
        self._words = memory[:_PAGE_BYTES].cast("Q")
        if self._words[_MAGIC] != MAGIC:
            raise ProtocolError("the rank's rings have another layout than this client knows")
        self._size = self._words[_RING_BYTES]
        if size < _PAGE_BYTES + 2 * self._size:
            raise ProtocolError(f"two rings of {self._size} bytes do not fit into {size}")
        self._submissions = memory[_PAGE_BYTES : _PAGE_BYTES + self._size]
        self._completions = memory[_PAGE_BYTES + self._size : _PAGE_BYTES + 2 * self._size]
        self._written = 0
        self._read = 0
        self._write_fence = threading.Lock()
        self._read_fence = threading.Lock()

    @property
    def largest(self) -> int:
        """Bytes of the largest message that a ring can hold."""
        return self._size - _HEAD_BYTES

    def write(self, message: bytes) -> bool:
        """Writes a message if there is room for it."""
        length = len(message)
        taken = _HEAD_BYTES + (length + 7 & ~7)
        words, size = self._words, self._size
        if taken > size - (self._written - words[_SUBMISSION_READ]):
            return False
        at = self._written % size
        ring = self._submissions
        ring[at : at + _HEAD_BYTES] = length.to_bytes(_HEAD_BYTES, "little")
        start = (at + _HEAD_BYTES) % size
        first = min(length, size - start)
        ring[start : start + first] = message if first == length else message[:first]
        if first < length:
            ring[: length - first] = message[first:]
        self._written += taken
        _fence(self._write_fence)
        words[_SUBMISSION_WRITTEN] = self._written
        _fence(self._write_fence)
        return True

    def rank_sleeps(self) -> bool:
        """Whether the rank is to be woken for what was just written."""
        return bool(self._words[_RANK_SLEEPS])

    def has_news(self) -> bool:
        """Whether there is a message to read."""
        return self._words[_COMPLETION_WRITTEN] != self._read

    def read(self) -> bytes | None:
        """The next message, a copy of its own; None if there is none. After it, see :meth:`rank_wants_room`."""
        available = self._words[_COMPLETION_WRITTEN] - self._read
        if not available:
            return None
        size, ring = self._size, self._completions
        at = self._read % size
        length = int.from_bytes(ring[at : at + _HEAD_BYTES], "little")
        if not 0 < available <= size or _HEAD_BYTES + length > available:
            raise ProtocolError(f"the rank has written a message of {length} bytes into a ring that holds {available}")
        start = (at + _HEAD_BYTES) % size
        first = min(length, size - start)
        message = bytes(ring[start : start + first])
        if first < length:
            message += bytes(ring[: length - first])
        self._read += _HEAD_BYTES + (length + 7 & ~7)
        self._words[_COMPLETION_READ] = self._read
        return message

    def rank_wants_room(self) -> bool:
        """Whether the rank is to be woken because something was read."""
        _fence(self._read_fence)
        return bool(self._words[_RANK_WANTS_ROOM])

    def sleep(self) -> None:
        """From now on the rank wakes this client. What it did before is to be looked for after this."""
        self._words[_CLIENT_SLEEPS] = 1
        _fence(self._read_fence)

    def awake(self) -> None:
        """The rank need not wake this client."""
        self._words[_CLIENT_SLEEPS] = 0


def _fence(lock: threading.Lock) -> None:
    # Twice: giving a lock back orders what was before it, taking it orders what comes after.
    lock.acquire()
    lock.release()
    lock.acquire()
    lock.release()
