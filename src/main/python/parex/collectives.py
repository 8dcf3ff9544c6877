"""Collectives of blocks of one length, on numpy arrays and buffers."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from parex._arrays import Array, Readable, buffer, readable, result, writable
from parex._call import DEFAULT, Buffer, Call, Options
from parex._work import Work
from parex.errors import ArgumentError
from parex.pending import Pending, blocking


class Startable(ABC):
    """What calls are started on: a group."""

    @property
    @abstractmethod
    def rank(self) -> int:
        """Rank of this client in the group."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of members."""

    @abstractmethod
    def start(self, call: Call) -> Work:
        """Starts a call. Returns at once."""

    def start_into(self, call: Call, out: Array) -> Pending[Array]:
        """Starts a call whose result is ``out``."""
        return Pending(self.start(call), lambda completed: out)


class Collectives(Startable):
    """Each form comes twice: ``x_async`` starts a call and returns a :class:`parex.Pending`, ``x`` waits for it and
    returns its result. All members of the group make the same calls in the same order; ``root`` is a rank in the group.

    Inputs are arrays of any strides (those that are not contiguous are copied first) or buffers. ``out`` is filled; it
    must be contiguous, of the input's type and of as many elements as the result; without it the result is a new array.
    It may be the input itself (all_reduce, reduce, all_to_all), or the input may be this rank's block of it
    (all_gather, gather), or it this rank's block of the input (scatter, reduce_scatter). Where there is a block for
    each rank the first axis of the array has as many entries as the group has members.

    ``dtype`` says which type arrays hold that have no numpy type: ``"bfloat16"`` in uint16, ``"float8_e4m3"`` and
    ``"float8_e5m2"`` in uint8. ``op``: sum avg min max product band bor bxor, or premul_sum with a ``factor``.
    """

    def barrier_async(self, *, options: Options = DEFAULT) -> Pending[None]:
        """Done when every rank has called."""
        return Pending(self.start(Call("barrier", options=options)), lambda completed: None)

    def broadcast_async(
        self, array: Readable, root: int, *, dtype: str | None = None, options: Options = DEFAULT
    ) -> Pending[Array]:
        """Gives the root's ``array`` to all: read there, filled elsewhere. Result: the array."""
        is_root = root == self.rank
        tensor, element = readable(array, dtype) if is_root else writable(array, dtype, "the array")
        part = (buffer(tensor),)
        inputs, outputs = (part, ()) if is_root else ((), part)
        call = Call("broadcast", element.name, inputs, outputs, root=root, options=options)
        return self.start_into(call, tensor)

    def all_reduce_async(
        self,
        array: Readable,
        op: str = "sum",
        out: Readable | None = None,
        *,
        factor: float | None = None,
        dtype: str | None = None,
        options: Options = DEFAULT,
    ) -> Pending[Array]:
        """Combines the arrays of all ranks, element by element; every rank gets the same bits, in the array's shape."""
        source, element = readable(array, dtype)
        target = result(out, source.shape, element, dtype)
        parts = (buffer(source),), (buffer(target),)
        call = Call("all_reduce", element.name, *parts, op=op, factor=factor, options=options)
        return self.start_into(call, target)

    def reduce_async(
        self,
        array: Readable,
        root: int,
        op: str = "sum",
        out: Readable | None = None,
        *,
        factor: float | None = None,
        dtype: str | None = None,
        options: Options = DEFAULT,
    ) -> Pending[Array | None]:
        """Combines the arrays of all ranks, element by element, at the root. Result: None elsewhere."""
        source, element = readable(array, dtype)
        target = result(out, source.shape, element, dtype) if root == self.rank else None
        outputs = () if target is None else (buffer(target),)
        call = Call(
            "reduce", element.name, (buffer(source),), outputs, op=op, factor=factor, root=root, options=options
        )
        return Pending(self.start(call), lambda completed: target)

    def all_gather_async(
        self, array: Readable, out: Readable | None = None, *, dtype: str | None = None, options: Options = DEFAULT
    ) -> Pending[Array]:
        """Brings the arrays of all ranks, which have one shape, to all. Result: shape (size, \\*shape)."""
        source, element = readable(array, dtype)
        target = result(out, (self.size, *source.shape), element, dtype)
        parts = (buffer(source),), (buffer(target),)
        return self.start_into(Call("all_gather", element.name, *parts, options=options), target)

    def gather_async(
        self,
        array: Readable,
        root: int,
        out: Readable | None = None,
        *,
        dtype: str | None = None,
        options: Options = DEFAULT,
    ) -> Pending[Array | None]:
        """Brings the arrays of all ranks, which have one shape, to the root. Result there: shape (size, \\*shape), None
        elsewhere."""
        source, element = readable(array, dtype)
        target = result(out, (self.size, *source.shape), element, dtype) if root == self.rank else None
        outputs = () if target is None else (buffer(target),)
        call = Call("gather", element.name, (buffer(source),), outputs, root=root, options=options)
        return Pending(self.start(call), lambda completed: target)

    def scatter_async(
        self,
        array: Readable | None,
        root: int,
        out: Readable | None = None,
        *,
        dtype: str | None = None,
        options: Options = DEFAULT,
    ) -> Pending[Array]:
        """Gives each rank its block of the root's ``array`` of shape (size, \\*shape); others give None, and say with
        ``out`` what they take."""
        inputs: tuple[Buffer, ...] = ()
        if root == self.rank:
            if array is None:
                raise ArgumentError("scatter at the root needs the array of all blocks")
            source, element = readable(array, dtype)
            inputs = (buffer(source),)
            target = result(out, self._block(source), element, dtype)
        elif out is None:
            raise ArgumentError("scatter elsewhere than at the root needs out, which says shape and type of the block")
        else:
            target, element = writable(out, dtype)
        call = Call("scatter", element.name, inputs, (buffer(target),), root=root, options=options)
        return self.start_into(call, target)

    def reduce_scatter_async(
        self,
        array: Readable,
        op: str = "sum",
        out: Readable | None = None,
        *,
        factor: float | None = None,
        dtype: str | None = None,
        options: Options = DEFAULT,
    ) -> Pending[Array]:
        """Combines the arrays of all ranks, of shape (size, \\*shape), element by element, and gives each rank its
        block, of that shape."""
        source, element = readable(array, dtype)
        target = result(out, self._block(source), element, dtype)
        parts = (buffer(source),), (buffer(target),)
        call = Call("reduce_scatter", element.name, *parts, op=op, factor=factor, options=options)
        return self.start_into(call, target)

    def all_to_all_async(
        self, array: Readable, out: Readable | None = None, *, dtype: str | None = None, options: Options = DEFAULT
    ) -> Pending[Array]:
        """Gives each rank its block of this one's ``array`` of shape (size, \\*shape), and takes this rank's block of
        each other's, in the order of the ranks."""
        source, element = readable(array, dtype)
        self._block(source)
        target = result(out, source.shape, element, dtype)
        parts = (buffer(source),), (buffer(target),)
        return self.start_into(Call("all_to_all", element.name, *parts, options=options), target)

    def _block(self, whole: Array) -> tuple[int, ...]:
        """Shape of a block."""
        if whole.ndim == 0 or whole.shape[0] != self.size:
            raise ArgumentError(
                f"the first axis of an array of shape {whole.shape} does not have an entry for each of the"
                f" {self.size} ranks"
            )
        return np.shape(whole)[1:]

    barrier = blocking(barrier_async)
    broadcast = blocking(broadcast_async)
    all_reduce = blocking(all_reduce_async)
    reduce = blocking(reduce_async)
    all_gather = blocking(all_gather_async)
    gather = blocking(gather_async)
    scatter = blocking(scatter_async)
    reduce_scatter = blocking(reduce_scatter_async)
    all_to_all = blocking(all_to_all_async)
