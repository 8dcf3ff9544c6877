"""Calls as messages of the service."""

from __future__ import annotations

from typing import Any

from parex import _proto
from parex._call import Call, Options
from parex._fit import Fitted
from parex.errors import ArgumentError

_OPS = {name: code for code, name in _proto.enum_names("ReduceOp", "REDUCE_OP_").items() if code}

# Beside the field of a call that holds its tensor of the caller's own size.
_TENSOR = {
    "send": "tensor",
    "recv": "tensor",
    "broadcast": "tensor",
    "reduce": "tensor",
    "all_reduce": "tensor",
    "all_to_all": "tensor",
    "scatter": "block",
    "gather": "block",
    "all_gather": "block",
    "reduce_scatter": "block",
}
_BLOCK_IS_OUTPUT = frozenset(("scatter", "reduce_scatter", "recv"))


def set_duration(field: Any, seconds: float) -> None:
    """Sets a google.protobuf.Duration."""
    whole = int(seconds)
    field.seconds = whole
    field.nanos = int((seconds - whole) * 1e9)


def write(operation: Any, call: Call, fitted: Fitted, group: str, epoch: int, round_: int) -> None:
    """Fills an ``Operation`` but for its id: a call of ``group``, meant for its epoch (0: not known) and round."""
    message = getattr(operation, call.primitive)
    _header(message.header, call.options, group, epoch, round_)
    match call.primitive:
        case "barrier":
            return
        case "send_recv":
            _send_recv(message, call, fitted)
            return
    _tensor(getattr(message, _TENSOR[call.primitive]), call, fitted)
    match call.primitive:
        case "send":
            message.destination = call.destination
            message.tag = call.send_tag
        case "recv":
            _source(message, call.source, call.recv_tag, "tag")
        case "reduce" | "all_reduce" | "reduce_scatter":
            _reduction(message, call)
    if call.root is not None:
        message.root = call.root
    _lengths(message, call, fitted)


def _header(header: Any, options: Options, group: str, epoch: int, round_: int) -> None:
    # Even an empty header is said, for its presence.
    header.round = round_
    if epoch:
        header.epoch = epoch
    if group:
        header.group = group
    if options.timeout is not None:
        set_duration(header.timeout, options.timeout)
    if options.name:
        header.name = options.name
    if options.algorithm:
        header.algorithm = options.algorithm
    if options.deterministic:
        header.deterministic = True


def _tensor(tensor: Any, call: Call, fitted: Fitted) -> None:
    tensor.dtype = fitted.element.code
    if call.primitive == "broadcast":
        tensor.count = fitted.input_count or fitted.output_count
    elif call.primitive not in _BLOCK_IS_OUTPUT:
        tensor.count = fitted.input_count
    elif not call.open_lengths:
        tensor.count = fitted.output_count


def _send_recv(message: Any, call: Call, fitted: Fitted) -> None:
    message.send.dtype = message.recv.dtype = fitted.element.code
    message.send.count = fitted.input_count
    message.recv.count = fitted.output_count
    message.destination = call.destination
    message.send_tag = call.send_tag
    _source(message, call.source, call.recv_tag, "recv_tag")


def _source(message: Any, source: int | None, tag: int | None, tag_field: str) -> None:
    if source is not None:
        message.source = source
    if tag is not None:
        setattr(message, tag_field, tag)


def _reduction(message: Any, call: Call) -> None:
    code = _OPS.get(call.op or "")
    if code is None:
        raise ArgumentError(f"there is no op '{call.op}'; there are {', '.join(_OPS)}")
    message.op = code
    if call.factor is not None:
        message.factor = call.factor


def _lengths(message: Any, call: Call, fitted: Fitted) -> None:
    if call.primitive == "all_to_all":
        if call.send_lengths is not None:
            message.send_lengths.counts.extend(call.send_lengths)
            message.send_lengths.SetInParent()
        if call.recv_lengths is not None and not call.open_lengths:
            message.recv_lengths.counts.extend(call.recv_lengths)
            message.recv_lengths.SetInParent()
    elif call.send_lengths is not None and not (call.open_lengths and call.primitive != "scatter"):
        message.lengths.counts.extend(call.send_lengths)
        message.lengths.SetInParent()
    if call.open_lengths:
        message.capacity = fitted.output_count
