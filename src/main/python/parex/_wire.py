"""The few messages that are read and written without protobuf: chunks, whose bytes would be copied once more."""

from __future__ import annotations

from collections.abc import Iterator

# Field numbers and wire types, as protobuf joins them: (number << 3) | type.
_CLIENT_CHUNK = 0x1A
_SERVER_CHUNK = 0x12
_CHUNK_ID = 0x08
_CHUNK_DATA = 0x12

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


def varint(value: int) -> bytes:
    """A whole number from 0 on as protobuf writes it."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


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
