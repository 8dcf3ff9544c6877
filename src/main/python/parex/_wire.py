"""The few messages that are read and written without protobuf: chunks, whose bytes would be copied once more, and those
that each call needs, of which protobuf makes many objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

# Field numbers and wire types, as protobuf joins them: (number << 3) | type.
_CLIENT_CHUNK = 0x1A
_SERVER_CHUNK = 0x12
_CHUNK_ID = 0x08
_CHUNK_DATA = 0x12
_CLIENT_SUBMIT = 0x12
_SUBMIT_OPERATION = 0x0A
_SUBMIT_REFUSAL_SEEN = 0x10
_OPERATION_ID = 0x08
_OPERATION_INPUT = b"\x7a"
_OPERATION_OUTPUT = b"\x82\x01"
_SERVER_RESULT = 0x22
_RESULT_ID = 0x08
_RESULT_COMPLETED = 0x12
_COMPLETED_COUNT = 0x18

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


_SHORT = tuple(bytes((value,)) for value in range(0x80))


def varint(value: int) -> bytes:
    """A whole number from 0 on as protobuf writes it."""
    if value <= 0x7F:
        return _SHORT[value]
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def submission(operations: Sequence[tuple[int, bytes, bytes]], refusal_seen: int) -> bytes:
    """A serialised ClientMessage that submits operations: of each its id, the rest of it, and its places."""
    entries = bytearray()
    for operation_id, template, places in operations:
        number = varint(operation_id)
        entries.append(_SUBMIT_OPERATION)
        entries += varint(1 + len(number) + len(template) + len(places))
        entries.append(_OPERATION_ID)
        entries += number
        entries += template
        entries += places
    entries.append(_SUBMIT_REFUSAL_SEEN)
    entries += varint(refusal_seen)
    return b"".join((bytes((_CLIENT_SUBMIT,)), varint(len(entries)), entries))


def place(segment_id: int, offset: int) -> bytes:
    """A SharedPlace, with its length before it."""
    inner = b"".join((b"\x08", varint(segment_id), b"\x10", varint(offset)))
    return varint(len(inner)) + inner


def places(source: bytes | None, target: bytes | None) -> bytes:
    """The fields of an operation that say where its input and its output lie."""
    if source is None:
        return b"" if target is None else _OPERATION_OUTPUT + target
    return _OPERATION_INPUT + source if target is None else b"".join(
        (_OPERATION_INPUT, source, _OPERATION_OUTPUT, target)
    )


def completed(message: bytes) -> tuple[int, int] | None:
    """Id and count of a serialised ServerMessage that is the good end of an operation and says nothing more; None if
    it is none, or says more."""
    try:
        if message[0] != _SERVER_RESULT:
            return None
        length, at = _varint(message, 1)
        if at + length != len(message) or message[at] != _RESULT_ID:
            return None
        operation_id, at = _varint(message, at + 1)
        if message[at] != _RESULT_COMPLETED:
            return None
        length, at = _varint(message, at + 1)
        if length == 0:
            return (operation_id, 0) if at == len(message) else None
        if message[at] != _COMPLETED_COUNT:
            return None
        count, at = _varint(message, at + 1)
    except IndexError:
        return None
    return (operation_id, count) if at == len(message) else None


def client_chunk(operation_id: int, length: int) -> bytes:
    """What comes before the ``length`` bytes of a chunk, for the two to be a serialised ClientMessage."""
    inner = bytes((_CHUNK_ID,)) + varint(operation_id) + bytes((_CHUNK_DATA,)) + varint(length)
    return bytes((_CLIENT_CHUNK,)) + varint(len(inner) + length) + inner


def server_chunk(message: bytes) -> tuple[int, memoryview] | None:
    """Id and bytes of a serialised ServerMessage that is a chunk, the bytes within it; None if it is none, or written
    in another order than serialisers do."""
    try:
        if message[0] != _SERVER_CHUNK:
            return None
        length, at = _varint(message, 1)
        if at + length != len(message) or message[at] != _CHUNK_ID:
            return None
        operation_id, at = _varint(message, at + 1)
        if at == len(message):
            return operation_id, memoryview(b"")
        if message[at] != _CHUNK_DATA:
            return None
        length, at = _varint(message, at + 1)
    except IndexError:
        return None
    return (operation_id, memoryview(message)[at:]) if at + length == len(message) else None


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while data[at] & 0x80:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
    return value | data[at] << shift, at + 1


def fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Numbers and values of a message's fields, in their order: of a type there is no description of at hand."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        match key & 7:
            case 0:
                value, at = _varint(data, at)
                yield key >> 3, value
            case 2:
                length, at = _varint(data, at)
                yield key >> 3, data[at : at + length]
                at += length
            case kind:
                at += 8 if kind == _FIXED64 else 4
