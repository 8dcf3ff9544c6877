"""numpy arrays and buffers as what calls are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from parex._call import Buffer
from parex.dtypes import ElementType, of_numpy
from parex.errors import ArgumentError

Array = NDArray[Any]
Readable = Union[Array, bytes, bytearray, memoryview]
"""What calls take as input: an array of any strides, or a buffer of elements; others that are buffers work too."""


def readable(value: Readable, dtype: str | None) -> tuple[Array, ElementType]:
    """An array with the elements of ``value`` in C order, a copy only if they do not lie so; and their type."""
    array = _array(value)
    element = of_numpy(array.dtype, dtype)
    # Unlike ascontiguousarray this leaves an array without dimensions as it is.
    return (array if array.flags.c_contiguous else array.copy(order="C")), element


def writable(value: Readable, dtype: str | None, what: str = "out") -> tuple[Array, ElementType]:
    """``value`` itself as an array that can be filled; ArgumentError if it cannot."""
    array = _array(value)
    element = of_numpy(array.dtype, dtype)
    if not array.flags.writeable:
        raise ArgumentError(f"{what} is read-only, and is to be filled")
    if not array.flags.c_contiguous:
        raise ArgumentError(
            f"{what} is not contiguous (shape {array.shape}, strides {array.strides}), and is to be filled:"
            " give an array that is, such as numpy.empty, and copy from it"
        )
    return array, element


def blocks_of(blocks: Sequence[Readable], size: int, dtype: str | None) -> tuple[list[Array], ElementType]:
    """Contiguous arrays of one type, one for each rank."""
    if len(blocks) != size:
        raise ArgumentError(f"{len(blocks)} blocks, {size} are due, one for each rank")
    pairs = [readable(block, dtype) for block in blocks]
    names = {element.name for _, element in pairs}
    if len(names) > 1:
        raise ArgumentError(f"blocks of one call are of one type, these are {', '.join(sorted(names))}")
    return [array for array, _ in pairs], pairs[0][1]


def result(out: Readable | None, shape: tuple[int, ...], element: ElementType, dtype: str | None) -> Array:
    """``out`` if it is given and can be filled, else a new array."""
    if out is None:
        return np.empty(shape, element.storage)
    array, given = writable(out, dtype)
    if given is not element:
        raise ArgumentError(f"the input is {element.name}, out is {given.name}")
    return array


def buffer(array: Array) -> Buffer:
    """The memory of a contiguous array."""
    flat: Any = array.reshape(-1).view(np.uint8)
    return memoryview(flat)


def split(array: Array, lengths: Sequence[int]) -> list[Array]:
    """Views of the blocks that lie one after the other in an array of one dimension."""
    parts = []
    start = 0
    for length in lengths:
        parts.append(array[start : start + length])
        start += length
    return parts


def _array(value: Readable) -> Array:
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value)
    try:
        return np.asarray(memoryview(value))
    except TypeError:
        raise ArgumentError(
            f"a {type(value).__name__} is neither an array nor a buffer: numpy.asarray with a dtype makes one"
        ) from None
