"""Tensors as buffers of calls: the one place where memory of torch becomes memory of :mod:`parex`.

A contiguous tensor is used where it lies. Of one that is not, a contiguous copy goes into the call, and what comes is
copied into the tensor when the call has ended well; so a call that failed leaves it as it was. Nothing here computes.
"""

from __future__ import annotations

import threading

import torch

from parex.errors import ArgumentError, UnsupportedError

# Types of torch, by the names of parex.dtypes; the later ones are not in every release.
_NAMES = {
    "bool": "bool",
    "uint8": "uint8",
    "int8": "int8",
    "int16": "int16",
    "int32": "int32",
    "int64": "int64",
    "float16": "float16",
    "bfloat16": "bfloat16",
    "float32": "float32",
    "float64": "float64",
    "complex64": "complex64",
    "complex128": "complex128",
    "float8_e4m3fn": "float8_e4m3",
    "float8_e5m2": "float8_e5m2",
    "uint16": "uint16",
    "uint32": "uint32",
    "uint64": "uint64",
}
_DTYPES: dict[torch.dtype, str] = {
    getattr(torch, name): parex for name, parex in _NAMES.items() if hasattr(torch, name)
}
# Types that numpy has not, by one as large that it has.
_STORAGE: dict[torch.dtype, torch.dtype] = {
    dtype: torch.int16 if name == "bfloat16" else torch.uint8
    for dtype, name in _DTYPES.items()
    if name in ("bfloat16", "float8_e4m3", "float8_e5m2")
}
# A sum of complex numbers is one of twice as many real ones in the same memory.
_REAL_PARTS = {"complex64": "float32", "complex128": "float64"}
_EMPTY = memoryview(bytearray())


class Operands:
    """The tensors of one call as its buffers, and what is to be copied back when it has ended well.

    Attributes:
        dtype: of the call; all tensors given have it.
    """

    __slots__ = ("_copied", "_copies", "_lock", "_primitive", "_type", "dtype")

    def __init__(self, primitive: str, first: torch.Tensor) -> None:
        """Of a call of ``primitive`` whose tensors have the type of ``first``; UnsupportedError if it is none that is
        moved."""
        self._primitive = primitive
        self._type = first.dtype
        self._copies: list[tuple[torch.Tensor, torch.Tensor]] = []
        self._copied = False
        self._lock: threading.Lock | None = None
        name = _DTYPES.get(first.dtype)
        if name is None:
            raise UnsupportedError(
                f"{primitive}: tensors of {first.dtype} are not moved; those of {', '.join(_DTYPES.values())} are",
                primitive=primitive,
                not_started=True,
            )
        self.dtype = name

    def real_parts(self) -> str:
        """The type in which sums of these tensors are taken: that of their real and imaginary parts if complex."""
        return _REAL_PARTS.get(self.dtype, self.dtype)

    def source(self, tensor: torch.Tensor, apart_from: torch.Tensor | None = None) -> memoryview:
        """The bytes of an input, or of a copy of it if it lies where the output ``apart_from`` begins."""
        self._check(tensor)
        return _view(tensor if _lies_flat(tensor) and not _begin_alike(tensor, apart_from) else _flat_copy(tensor))

    def target(self, tensor: torch.Tensor, apart_from: torch.Tensor | None = None) -> memoryview:
        """Room for an output; beside it if it lies where the input ``apart_from`` begins."""
        self._check(tensor)
        if _lies_flat(tensor) and not _begin_alike(tensor, apart_from):
            return _view(tensor)
        return self._staged(tensor, torch.empty(tensor.shape, dtype=tensor.dtype))

    def in_place(self, tensor: torch.Tensor) -> memoryview:
        """The bytes of a tensor that is input and output."""
        self._check(tensor)
        return _view(tensor) if _lies_flat(tensor) else self._staged(tensor, _flat_copy(tensor))

    def staged(self) -> bool:
        """Whether anything is to be copied back."""
        return bool(self._copies)

    def copy_back(self) -> None:
        """Copies outputs that were staged into their tensors, once, whichever thread is first; later ones wait for it.
        To be called when the call has ended well."""
        assert self._lock is not None
        with self._lock:
            if self._copied:
                return
            self._copied = True
            for tensor, stage in self._copies:
                tensor.copy_(stage)
            self._copies = []

    def _staged(self, tensor: torch.Tensor, stage: torch.Tensor) -> memoryview:
        if any(stride == 0 and size > 1 for size, stride in zip(tensor.shape, tensor.stride(), strict=True)):
            raise ArgumentError(
                f"{self._primitive}: elements of an output of shape {tuple(tensor.shape)} share memory, as those of an"
                " expanded tensor do: pass tensor.clone()",
                primitive=self._primitive,
            )
        if self._lock is None:
            self._lock = threading.Lock()
        self._copies.append((tensor.detach(), stage))
        return _view(stage)

    def _check(self, tensor: torch.Tensor) -> None:
        if tensor.dtype is not self._type:
            raise ArgumentError(
                f"{self._primitive}: the tensors of one call have one type; these are of {self._type} and"
                f" {tensor.dtype}",
                primitive=self._primitive,
            )
        if tensor.device.type != "cpu" or tensor.layout is not torch.strided:
            raise ArgumentError(
                f"{self._primitive}: the tensor is on device '{tensor.device}' with layout {tensor.layout}; Parex moves"
                " dense tensors in the memory of the host: pass a copy that is one, such as tensor.cpu()",
                primitive=self._primitive,
            )


def _lies_flat(tensor: torch.Tensor) -> bool:
    """Whether its memory is its elements, in order and as they are: not strided, not to be conjugated or negated."""
    return tensor.is_contiguous() and not tensor.is_neg() and not (tensor.is_complex() and tensor.is_conj())


def _begin_alike(tensor: torch.Tensor, other: torch.Tensor | None) -> bool:
    return other is not None and tensor.numel() > 0 and tensor.data_ptr() == other.data_ptr()


def _flat_copy(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.detach().resolve_conj().resolve_neg().clone(memory_format=torch.contiguous_format)


def _view(tensor: torch.Tensor) -> memoryview:
    """The memory of a tensor that lies flat; keeps it alive."""
    if tensor.numel() == 0:
        # No elements have no address, and Python casts no view of none.
        return _EMPTY
    tensor = tensor.detach()
    storage = _STORAGE.get(tensor.dtype)
    return memoryview((tensor if storage is None else tensor.view(storage)).numpy()).cast("B")
