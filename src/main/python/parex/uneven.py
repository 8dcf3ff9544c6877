"""Collectives of blocks of any lengths, on numpy arrays and buffers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from parex._arrays import Array, Readable, blocks_of, buffer, readable, result, split, writable
from parex._call import DEFAULT, Call, Options
from parex._work import Completed
from parex.collectives import Startable
from parex.errors import ArgumentError
from parex.pending import Pending, blocking


class UnevenCollectives(Startable):
    """Blocks may have any number of elements, also none; results are of one dimension. Inputs of a block for each rank
    are sequences of arrays, whose shapes do not travel.

    Where ranks do not know what comes they give a capacity, room in elements, in the place of the lengths: all ranks
    do, or none. Room that is too small fails the call, and the error says where, and how much would have come.
    """

    def all_gather_v_async(
        self,
        array: Readable,
        lengths: Sequence[int] | None = None,
        *,
        capacity: int | None = None,
        dtype: str | None = None,
        options: Options = DEFAULT,
    ) -> Pending[list[Array]]:
        """Brings the arrays of all ranks to all. ``lengths``: of all of them, alike on all ranks; or ``capacity`` for
        all together. Result: an array for each rank."""
        source, element = readable(array, dtype)
        sizes = _sizes(lengths, capacity)
        target = np.empty(_room(sizes, capacity), element.storage)
        call = Call(
            "all_gather",
            element.name,
            (buffer(source),),
            (buffer(target),),
            send_lengths=sizes,
            open_lengths=sizes is None,
            options=options,
        )
        return Pending(self.start(call), lambda completed: split(target, _told(sizes, completed)))

    def gather_v_async(
        self,
        array: Readable,
        root: int,
        lengths: Sequence[int] | None = None,
        *,
        capacity: int | None = None,
        dtype: str | None = None,
        options: Options = DEFAULT,
    ) -> Pending[list[Array] | None]:
        """Brings the arrays of all ranks to the root. There ``lengths`` of all of them, elsewhere nothing; or a
        ``capacity`` for all together on all ranks, of any value elsewhere. Result at the root: an array for each
        rank."""
        source, element = readable(array, dtype)
        is_root = root == self.rank
        sizes = _sizes(lengths, capacity) if is_root else None if capacity is not None else ()
        target = np.empty(_room(sizes, capacity) if is_root else 0, element.storage)
        call = Call(
            "gather",
            element.name,
            (buffer(source),),
            (buffer(target),),
            root=root,
            send_lengths=sizes,
            open_lengths=sizes is None,
            options=options,
        )
        return Pending(
            self.start(call), lambda completed: split(target, _told(sizes, completed)) if is_root else None
        )

    def scatter_v_async(
        self,
        blocks: Sequence[Readable] | None,
        root: int,
        out: Readable | None = None,
        *,
        open_lengths: bool = False,
        dtype: str | None = None,
        options: Options = DEFAULT,
    ) -> Pending[Array]:
        """Gives each rank its one of the root's ``blocks``; others give None, and an ``out`` of the length of their
        block, or with ``open_lengths`` on all ranks one that is long enough. Result: the filled part of ``out``."""
        inputs: list[Array] = []
        lengths: tuple[int, ...] | None = None
        if root == self.rank:
            if blocks is None:
                raise ArgumentError("scatter_v at the root needs the blocks")
            inputs, element = blocks_of(blocks, self.size, dtype)
            lengths = tuple(block.size for block in inputs)
            target = result(out, (lengths[self.rank],), element, dtype)
        elif out is None:
            raise ArgumentError("scatter_v elsewhere than at the root needs out: length and type of the block")
        else:
            target, element = writable(out, dtype)
            lengths = None if open_lengths else ()
        call = Call(
            "scatter",
            element.name,
            tuple(buffer(block) for block in inputs),
            (buffer(target),),
            root=root,
            send_lengths=lengths,
            open_lengths=open_lengths,
            options=options,
        )
        return Pending(self.start(call), lambda completed: target.reshape(-1)[: completed.count])

    def reduce_scatter_v_async(
        self,
        blocks: Sequence[Readable],
        op: str = "sum",
        out: Readable | None = None,
        *,
        factor: float | None = None,
        dtype: str | None = None,
        options: Options = DEFAULT,
    ) -> Pending[Array]:
        """Combines the ``blocks`` of all ranks, whose lengths are alike on all, and gives each rank its one."""
        inputs, element = blocks_of(blocks, self.size, dtype)
        lengths = tuple(block.size for block in inputs)
        target = result(out, (lengths[self.rank],), element, dtype)
        call = Call(
            "reduce_scatter",
            element.name,
            tuple(buffer(block) for block in inputs),
            (buffer(target),),
            op=op,
            factor=factor,
            send_lengths=lengths,
            options=options,
        )
        return self.start_into(call, target)

    def all_to_all_v_async(
        self,
        blocks: Sequence[Readable],
        recv_lengths: Sequence[int] | None = None,
        *,
        capacity: int | None = None,
        dtype: str | None = None,
        options: Options = DEFAULT,
    ) -> Pending[list[Array]]:
        """Gives each rank its one of this rank's ``blocks``, and takes this rank's of each other's. ``recv_lengths``:
        of what comes from each rank; or ``capacity`` for all of it. Result: an array from each rank."""
        inputs, element = blocks_of(blocks, self.size, dtype)
        sizes = _sizes(recv_lengths, capacity)
        target = np.empty(_room(sizes, capacity), element.storage)
        call = Call(
            "all_to_all",
            element.name,
            tuple(buffer(block) for block in inputs),
            (buffer(target),),
            send_lengths=tuple(block.size for block in inputs),
            recv_lengths=sizes,
            open_lengths=sizes is None,
            options=options,
        )
        return Pending(self.start(call), lambda completed: split(target, _told(sizes, completed)))

    all_gather_v = blocking(all_gather_v_async)
    gather_v = blocking(gather_v_async)
    scatter_v = blocking(scatter_v_async)
    reduce_scatter_v = blocking(reduce_scatter_v_async)
    all_to_all_v = blocking(all_to_all_v_async)


def _sizes(lengths: Sequence[int] | None, capacity: int | None) -> tuple[int, ...] | None:
    """The lengths, None if they are open."""
    if (lengths is None) == (capacity is None):
        raise ArgumentError("either the lengths of what comes or a capacity for it, not both and not none")
    sizes = None if lengths is None else tuple(int(length) for length in lengths)
    if sizes and min(sizes) < 0 or capacity is not None and capacity < 0:
        raise ArgumentError(f"a negative number of elements: lengths {lengths}, capacity {capacity}")
    return sizes


def _room(sizes: tuple[int, ...] | None, capacity: int | None) -> int:
    return sum(sizes) if sizes is not None else capacity or 0


def _told(sizes: tuple[int, ...] | None, completed: Completed) -> tuple[int, ...]:
    return completed.lengths if sizes is None else sizes
