"""Element types: their names, sizes in bytes, numbers on the wire, and the numpy types that hold them.

bfloat16 and the float8 types have no numpy type: arrays of uint16 or uint8 hold them, and the call says which is meant.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike

from parex.errors import ArgumentError


@dataclass(frozen=True, slots=True)
class ElementType:
    """One element type: ``name``, ``code`` on the wire, ``size`` in bytes, ``storage``, the numpy type that holds it,
    and whether that type is it (``native``) or only as large."""

    name: str
    code: int
    size: int
    storage: np.dtype[np.generic]
    native: bool


def _type(name: str, code: int, storage: str | None = None) -> ElementType:
    held = np.dtype(storage or name)
    return ElementType(name, code, held.itemsize, held, storage is None)


_TYPES = (
    _type("bool", 1),
    _type("uint8", 2),
    _type("int8", 3),
    _type("int16", 4),
    _type("int32", 5),
    _type("int64", 6),
    _type("float16", 7),
    _type("bfloat16", 8, "uint16"),
    _type("float32", 9),
    _type("float64", 10),
    _type("complex64", 32),
    _type("complex128", 33),
    _type("float8_e4m3", 34, "uint8"),
    _type("float8_e5m2", 35, "uint8"),
    _type("uint16", 36),
    _type("uint32", 37),
    _type("uint64", 38),
)

BY_NAME: dict[str, ElementType] = {each.name: each for each in _TYPES}
_BY_NUMPY: dict[np.dtype[np.generic], ElementType] = {each.storage: each for each in _TYPES if each.native}


def named(name: str) -> ElementType:
    """The element type called ``name``; ArgumentError if there is none."""
    found = BY_NAME.get(name)
    if found is None:
        raise ArgumentError(f"there is no element type '{name}'; there are {', '.join(BY_NAME)}")
    return found


def of_numpy(dtype: DTypeLike, name: str | None = None) -> ElementType:
    """The element type of arrays of ``dtype``, or the one called ``name`` that such arrays are said to hold."""
    held = np.dtype(dtype)
    if name is not None:
        given = named(name)
        if held != given.storage:
            raise ArgumentError(f"arrays that hold {name} are of {given.storage}, this one is of {held}")
        return given
    found = _BY_NUMPY.get(held)
    if found is None:
        raise ArgumentError(f"numpy's {held.str} ({held}) is none of the element types: {', '.join(BY_NAME)}")
    return found
