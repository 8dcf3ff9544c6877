"""Refuses buffers of one call that do not fit together, before anything is sent, and says which of them it uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from parex._call import Buffer, Call
from parex.dtypes import ElementType, named
from parex.errors import ArgumentError

_ALIKE = frozenset(("all_reduce", "reduce"))
_WHOLE_INPUT = frozenset(("scatter", "reduce_scatter"))
_ROOTED_OUTPUT = frozenset(("gather", "reduce"))
_ROOTED_INPUT = frozenset(("scatter", "broadcast"))
_ROOTED = _ROOTED_INPUT | _ROOTED_OUTPUT
_REDUCTIONS = frozenset(("reduce", "all_reduce", "reduce_scatter"))
PRIMITIVES = _ROOTED | _REDUCTIONS | {"send", "recv", "send_recv", "barrier", "all_gather", "all_to_all"}


@dataclass(frozen=True, slots=True)
class Fitted:
    """What of a call's buffers this rank reads and fills, in elements and bytes.

    ``holds_output``: output would replace input that is yet to be sent, and must wait for it.
    """

    element: ElementType
    inputs: tuple[Buffer, ...]
    outputs: tuple[Buffer, ...]
    input_count: int
    output_count: int
    holds_output: bool = False


def fit(call: Call, rank: int, size: int) -> Fitted:
    """What a call means on rank ``rank`` of ``size``; ArgumentError, with nothing started, if it cannot be meant."""
    element = named(call.dtype)
    if call.primitive not in PRIMITIVES:
        raise ArgumentError(f"there is no primitive '{call.primitive}'; there are {', '.join(sorted(PRIMITIVES))}")
    _require_words(call)
    inputs, outputs = _used(call, rank)
    for buffer in outputs:
        if buffer.readonly:
            raise ArgumentError(f"an output of {call.primitive} is read-only")
    fitted = Fitted(element, inputs, outputs, _count(inputs, element), _count(outputs, element))
    match call.primitive:
        case "all_reduce" | "reduce":
            return _alike(call, fitted)
        case "gather" | "all_gather" | "scatter" | "reduce_scatter":
            return _blocks(call, fitted, rank, size)
        case "all_to_all":
            return _exchange(call, fitted, size)
        case "send_recv":
            _require_apart(fitted, "the message to send and the room for the one to receive")
    return fitted


def _require_words(call: Call) -> None:
    if call.primitive in _REDUCTIONS and call.op is None:
        raise ArgumentError(f"{call.primitive} needs an op, such as sum")
    if call.primitive in _ROOTED and call.root is None:
        raise ArgumentError(f"{call.primitive} needs a root")
    if call.primitive in ("send", "send_recv") and call.destination is None:
        raise ArgumentError(f"{call.primitive} needs a destination")
    if call.options.timeout is not None and not call.options.timeout > 0:
        raise ArgumentError(f"the timeout must be positive, not {call.options.timeout} s")


def _used(call: Call, rank: int) -> tuple[tuple[Buffer, ...], tuple[Buffer, ...]]:
    """Others than the root neither give nor get where only the root does, whatever buffers they name."""
    is_root = call.root == rank
    if call.primitive == "broadcast":
        # One tensor, read at the root and filled elsewhere; callers may name it as either.
        return (call.inputs or call.outputs, ()) if is_root else ((), call.outputs)
    inputs = () if call.primitive in _ROOTED_INPUT and not is_root else call.inputs
    outputs = () if call.primitive in _ROOTED_OUTPUT and not is_root else call.outputs
    return inputs, outputs


def _count(buffers: Sequence[Buffer], element: ElementType) -> int:
    count = 0
    for buffer in buffers:
        if buffer.nbytes % element.size:
            raise ArgumentError(f"a buffer of {buffer.nbytes} bytes holds no whole number of {element.name}")
        count += buffer.nbytes // element.size
    return count


def _alike(call: Call, fitted: Fitted) -> Fitted:
    if call.primitive == "reduce" and not fitted.outputs and not fitted.output_count:
        return fitted
    if fitted.input_count != fitted.output_count:
        raise ArgumentError(
            f"the input has {fitted.input_count} elements, the output {fitted.output_count}, and both are one shape"
        )
    if not _is_same(fitted):
        _require_apart(fitted, "input and output")
    return fitted


def _blocks(call: Call, fitted: Fitted, rank: int, size: int) -> Fitted:
    """One side is a block of each rank, the other this rank's block."""
    splits = call.primitive in _WHOLE_INPUT
    whole, block = (fitted.input_count, fitted.output_count) if splits else (fitted.output_count, fitted.input_count)
    has_whole = call.primitive in ("reduce_scatter", "all_gather") or call.root == rank
    if not has_whole:
        return fitted
    lengths = call.send_lengths
    if call.open_lengths:
        if splits:
            _require_lengths(lengths, size, whole, "input")
        _require_apart(fitted, "input and output")
        return fitted
    if lengths is not None:
        _require_lengths(lengths, size, whole, "tensor of all blocks")
        if lengths[rank] != block:
            raise ArgumentError(f"this rank's block has {block} elements, its length is given as {lengths[rank]}")
    elif whole != block * size:
        raise ArgumentError(
            f"the tensor of all blocks has {whole} elements, {size} blocks of {block} are due in {call.primitive}"
        )
    before = block * rank if lengths is None else sum(lengths[:rank])
    _require_place(fitted, splits, before * fitted.element.size)
    return fitted


def _exchange(call: Call, fitted: Fitted, size: int) -> Fitted:
    in_place = _is_same(fitted)
    if call.open_lengths:
        _require_lengths(call.send_lengths, size, fitted.input_count, "input")
        in_place = False
    elif call.send_lengths is not None or call.recv_lengths is not None:
        _require_lengths(call.send_lengths, size, fitted.input_count, "input")
        _require_lengths(call.recv_lengths, size, fitted.output_count, "output")
        in_place = in_place and call.send_lengths == call.recv_lengths
    else:
        if fitted.input_count % size:
            raise ArgumentError(f"an input of {fitted.input_count} elements does not divide into {size} blocks")
        if fitted.input_count != fitted.output_count:
            raise ArgumentError(
                f"the input has {fitted.input_count} elements, the output {fitted.output_count};"
                f" both hold {size} blocks"
            )
    if not in_place:
        _require_apart(fitted, "input and output")
        return fitted
    return Fitted(
        fitted.element,
        fitted.inputs,
        fitted.outputs,
        fitted.input_count,
        fitted.output_count,
        holds_output=fitted.input_count > 0,
    )


def _require_lengths(lengths: tuple[int, ...] | None, size: int, count: int, what: str) -> None:
    if lengths is None or len(lengths) != size:
        given = "none" if lengths is None else str(len(lengths))
        raise ArgumentError(f"{given} lengths for the {what}, {size} are due, one for each rank")
    if min(lengths) < 0:
        raise ArgumentError(f"a length is negative: {list(lengths)}")
    if sum(lengths) != count:
        raise ArgumentError(f"the {what} has {count} elements, the lengths {list(lengths)} make {sum(lengths)}")


def _spans(buffers: Sequence[Buffer]) -> list[tuple[int, int]]:
    """Addresses of the first byte and the one after the last, of each buffer that has any."""
    spans = []
    for buffer in buffers:
        if buffer.nbytes:
            start = np.frombuffer(buffer, np.uint8).__array_interface__["data"][0]
            spans.append((start, start + buffer.nbytes))
    return spans


def _is_same(fitted: Fitted) -> bool:
    if len(fitted.inputs) == 1 == len(fitted.outputs) and fitted.inputs[0] is fitted.outputs[0]:
        return True
    return fitted.inputs is fitted.outputs or _spans(fitted.inputs) == _spans(fitted.outputs)


def _overlap(ours: Sequence[tuple[int, int]], theirs: Sequence[tuple[int, int]]) -> bool:
    """Whether any two spans share a byte: a sweep over both lists in the order of their begins."""
    ends = [0, 0]
    for start, end, side in sorted([(a, b, 0) for a, b in ours] + [(a, b, 1) for a, b in theirs]):
        if start < ends[1 - side]:
            return True
        ends[side] = max(ends[side], end)
    return False


def _require_apart(fitted: Fitted, what: str) -> None:
    if fitted.inputs and fitted.outputs and _overlap(_spans(fitted.inputs), _spans(fitted.outputs)):
        raise ArgumentError(f"{what} overlap, and not as they do in place")


def _require_place(fitted: Fitted, splits: bool, before: int) -> None:
    """A block lies where it belongs in the tensor of all blocks, or apart from it."""
    inputs, outputs = _spans(fitted.inputs), _spans(fitted.outputs)
    if not _overlap(inputs, outputs):
        return
    whole, block = (inputs, outputs) if splits else (outputs, inputs)
    # Several parts would each have a place: only the plain case is in place.
    if len(whole) != 1 or len(block) != 1 or block[0][0] != whole[0][0] + before:
        raise ArgumentError("the block overlaps the tensor of all blocks, and is not this rank's in it")
