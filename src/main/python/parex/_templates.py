"""Calls as serialised messages, kept for the next call that is alike: a training step makes the same calls again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parex import _proto, _requests
from parex._call import Call
from parex._fit import Fitted
from parex.errors import ArgumentError

if TYPE_CHECKING:
    from parex._running import Target

_MOST = 1024
"""Kept; a program whose calls are all different begins anew then."""


class Templates:
    """Serialised ``Operation`` messages without what differs from call to call: id and places. Any thread."""

    def __init__(self) -> None:
        self._kept: dict[tuple[object, ...], bytes] = {}

    def of(self, call: Call, fitted: Fitted, target: Target) -> bytes:
        """That of a call on the group of ``target``; ArgumentError if a value is none that a message can hold."""
        key = (
            call.primitive,
            fitted.element.code,
            fitted.input_count,
            fitted.output_count,
            fitted.holds_output,
            call.op,
            call.factor,
            call.root,
            call.destination,
            call.source,
            call.send_tag,
            call.recv_tag,
            call.send_lengths,
            call.recv_lengths,
            call.open_lengths,
            call.options,
            target,
        )
        try:
            known = self._kept.get(key)
        except TypeError:
            # Lengths in a list, which is no key.
            return _serialised(call, fitted, target)
        if known is None:
            known = _serialised(call, fitted, target)
            if len(self._kept) >= _MOST:
                self._kept.clear()
            self._kept[key] = known
        return known


def _serialised(call: Call, fitted: Fitted, target: Target) -> bytes:
    entry = _proto.Operation()
    try:
        _requests.write(entry, call, fitted, target.name, target.epoch, target.round)
    except (TypeError, OverflowError, ValueError) as error:
        # Of protobuf, about a value that its field does not take.
        raise ArgumentError(f"{call.primitive}: {error}; nothing was started") from None
    if fitted.holds_output:
        entry.output_credit_bytes = 0
    return bytes(entry.SerializeToString())
