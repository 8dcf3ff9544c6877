"""What the rank and the connection say of failures, as exceptions."""

from __future__ import annotations

from typing import Any

import grpc

from parex import _proto, _wire
from parex.errors import ParexError, class_of

_KINDS = _proto.enum_names("ErrorKind", "ERROR_KIND_")
_DETAILS = "grpc-status-details-bin"
_CALL_ERROR = b"/parex.v1.CallError"

_KIND_OF_CODE = {
    grpc.StatusCode.INVALID_ARGUMENT: "argument",
    grpc.StatusCode.OUT_OF_RANGE: "argument",
    grpc.StatusCode.NOT_FOUND: "argument",
    grpc.StatusCode.ALREADY_EXISTS: "argument",
    grpc.StatusCode.FAILED_PRECONDITION: "mismatch",
    grpc.StatusCode.DEADLINE_EXCEEDED: "timeout",
    grpc.StatusCode.ABORTED: "aborted",
    grpc.StatusCode.UNIMPLEMENTED: "unsupported",
    grpc.StatusCode.UNAVAILABLE: "unavailable",
    grpc.StatusCode.RESOURCE_EXHAUSTED: "overloaded",
    grpc.StatusCode.CANCELLED: "cancelled",
}


def of_call(error: Any) -> ParexError:
    """The exception of a ``CallError``."""
    return class_of(_KINDS.get(error.kind, ""))(
        error.message,
        ranks=tuple(error.ranks),
        group=error.group,
        primitive=error.primitive,
        call_number=error.call_number if error.HasField("call_number") else None,
        not_started=error.not_started,
    )


def of_rpc(what: str, error: grpc.RpcError) -> ParexError:
    """The exception of a failed RPC: what its details say, else what its code means; ``what`` leads the text."""
    for key, value in error.trailing_metadata() or ():
        if key == _DETAILS:
            detail = _call_error(value)
            if detail is not None:
                return of_call(detail)
    code = error.code()
    text = error.details()
    return class_of(_KIND_OF_CODE.get(code, ""))(f"{what}: {code.name}{': ' + text if text else ''}")


def _call_error(status: bytes) -> Any | None:
    """The CallError among the details of a serialised google.rpc.Status: field 3, of Any (type_url 1, value 2)."""
    for number, detail in _wire.fields(status):
        if number == 3 and isinstance(detail, bytes):
            parts = dict(_wire.fields(detail))
            kind = parts.get(1)
            if isinstance(kind, bytes) and kind.endswith(_CALL_ERROR):
                return _proto.CallError.FromString(parts.get(2, b""))
    return None
