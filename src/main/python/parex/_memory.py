"""Memory that the rank shares: segments, and the blocks in them that operations and arrays have."""

from __future__ import annotations

import bisect
import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from parex import _wire

Bytes = npt.NDArray[np.uint8]

_ALIGNMENT = 64
_SMALLEST_SEGMENT = 4 << 20
_LARGEST_STEP = 64 << 20
_PAGE = 4096


@dataclass(slots=True)
class Segment:
    """Memory of one descriptor. ``gaps``: begins and ends of what is free, in order."""

    id: int
    data: Bytes
    address: int
    gaps: list[tuple[int, int]]

    def is_idle(self) -> bool:
        """Whether nothing of it is used."""
        return self.gaps == [(0, self.data.size)]


@dataclass(slots=True)
class Block:
    """A piece of a segment. ``data`` has exactly the bytes that were asked for, ``place`` is it in a message."""

    segment: Segment
    offset: int
    size: int
    data: Bytes
    place: bytes


class SharedMemory:
    """The segments of one client. Freed blocks are kept by their size, for the next of that size; when memory is short
    they are joined again. Any thread."""

    def __init__(self, add: Callable[[int], Segment | None], drop: Callable[[Segment], None]) -> None:
        """``add`` asks the rank for a segment, None if it has no more; ``drop`` gives one back."""
        self._add = add
        self._drop = drop
        self._lock = threading.Lock()
        self._segments: list[Segment] = []
        self._kept: dict[int, list[Block]] = {}
        self._has_arrays = False

    def allocate(self, size: int) -> Block | None:
        """``size`` bytes, not zeroed; None if the rank gives no more memory."""
        rounded = _rounded(size)
        with self._lock:
            kept = self._kept.get(rounded)
            if kept:
                return _cut(kept.pop(), size)
        # Not under the lock: the answer of the rank is read by whoever reads.
        block = self._find(rounded)
        if block is None:
            self._grow(rounded)
            block = self._find(rounded)
        return None if block is None else _cut(block, size)

    def free(self, block: Block) -> None:
        """Nothing uses the block any more. Once."""
        with self._lock:
            self._kept.setdefault(block.size, []).append(block)

    def array(self, size: int) -> Bytes | None:
        """``size`` bytes for the caller, not zeroed, which are free again when no array of them is left; None if the
        rank gives no more memory."""
        block = self.allocate(size)
        if block is None:
            return None
        # From now on there is something for :meth:`place` to find.
        self._has_arrays = True
        return np.asarray(_Lent(self, block))

    def place(self, buffer: memoryview) -> bytes | None:
        """Where a buffer of the caller's lies in this memory, as a message says it; None if it does not."""
        if not self._has_arrays or not buffer.nbytes:
            return None
        address = np.frombuffer(buffer, np.uint8).__array_interface__["data"][0]
        for segment in self._segments:
            offset = address - segment.address
            if 0 <= offset < segment.data.size:
                return _wire.place(segment.id, offset)
        return None

    def _find(self, size: int) -> Block | None:
        with self._lock:
            return self._cut_gap(size) or (self._join() and self._cut_gap(size)) or None

    def _cut_gap(self, size: int) -> Block | None:
        for segment in self._segments:
            for index, (start, end) in enumerate(segment.gaps):
                if end - start >= size:
                    if end - start == size:
                        del segment.gaps[index]
                    else:
                        segment.gaps[index] = (start + size, end)
                    data = segment.data[start : start + size]
                    return Block(segment, start, size, data, _wire.place(segment.id, start))
        return None

    def _join(self) -> bool:
        """Makes gaps of all blocks that are kept. Under the lock."""
        kept = [block for blocks in self._kept.values() for block in blocks]
        self._kept.clear()
        for block in kept:
            _insert(block.segment.gaps, block.offset, block.offset + block.size)
        return bool(kept)

    def _grow(self, size: int) -> None:
        with self._lock:
            held = sum(segment.data.size for segment in self._segments)
        step = max(_SMALLEST_SEGMENT, min(held, _LARGEST_STEP))
        segment = self._add(max(step, size))
        if segment is None:
            self._drop_idle()
            segment = self._add(size)
        if segment is not None:
            with self._lock:
                self._segments.append(segment)

    def _drop_idle(self) -> None:
        with self._lock:
            self._join()
            idle = [segment for segment in self._segments if segment.is_idle()]
            self._segments = [segment for segment in self._segments if not segment.is_idle()]
        for segment in idle:
            self._drop(segment)


class _Lent:
    """Memory of an array of the caller's: numpy keeps this as long as any view of it is there."""

    def __init__(self, memory: SharedMemory, block: Block) -> None:
        self._memory = memory
        self._block = block
        self.__array_interface__ = block.data.__array_interface__

    def __del__(self) -> None:
        self._memory.free(self._block)


def _rounded(size: int) -> int:
    """The next of four sizes between powers of two, so that almost equal ones use each other's blocks; whole pages
    above 64 KiB."""
    if size <= _ALIGNMENT:
        return _ALIGNMENT
    step = max(_ALIGNMENT, 1 << (size - 1).bit_length() - 3)
    if size > 16 * _PAGE:
        step = min(step, 1 << 20)
    return -(-size // step) * step


def _cut(block: Block, size: int) -> Block:
    if block.data.size != size:
        block.data = block.segment.data[block.offset : block.offset + size]
    return block


def _insert(gaps: list[tuple[int, int]], start: int, end: int) -> None:
    index = bisect.bisect(gaps, (start, end))
    if index < len(gaps) and gaps[index][0] == end:
        end = gaps.pop(index)[1]
    if index and gaps[index - 1][1] == start:
        index -= 1
        start = gaps.pop(index)[0]
    gaps.insert(index, (start, end))
