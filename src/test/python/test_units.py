"""What needs no rank: the wire, the transfer, the element types."""

from __future__ import annotations

import numpy as np
import pytest

from parex import Call, _arrays, _proto, _wire, dtypes
from parex._fit import fit
from parex._transfer import ChunkedTransfer
from parex.errors import ArgumentError, CallTimeoutError, ParexError, ProtocolError, class_of

IDS = [0, 1, 127, 128, 300, 1 << 20, (1 << 63) + 5]


@pytest.mark.parametrize("operation_id", IDS)
@pytest.mark.parametrize("length", [0, 1, 127, 128, 70_000])
def test_c111_should_write_chunks_as_protobuf_does(operation_id: int, length: int) -> None:
    data = bytes(range(256)) * (length // 256 + 1)
    written = _wire.client_chunk(operation_id, length) + data[:length]
    parsed = _proto.ClientMessage.FromString(written)
    assert (parsed.chunk.operation_id, parsed.chunk.data) == (operation_id, data[:length])


@pytest.mark.parametrize("operation_id", IDS[1:])
@pytest.mark.parametrize("length", [0, 1, 127, 128, 70_000])
def test_c111_should_read_chunks_as_protobuf_writes_them(operation_id: int, length: int) -> None:
    message = _proto.ServerMessage()
    message.chunk.operation_id = operation_id
    message.chunk.data = bytes(range(256)) * (length // 256) + b"x" * (length % 256)
    read = _wire.server_chunk(message.SerializeToString())
    assert read is not None
    assert (read[0], bytes(read[1])) == (operation_id, message.chunk.data)


def test_should_leave_other_messages_to_protobuf() -> None:
    result = _proto.ServerMessage()
    result.result.operation_id = 3
    for data in (result.SerializeToString(), b"", b"\x12", b"\x12\x05\x08\x80", b"\x12\x02\x12\x00"):
        assert _wire.server_chunk(data) is None


def transfer(parts: list[int], credit: int = 1 << 30) -> tuple[ChunkedTransfer, list[np.ndarray], list[np.ndarray]]:
    rng = np.random.default_rng(7)
    inputs = [rng.integers(0, 255, count * 4, np.uint8) for count in parts]
    outputs = [np.zeros(count * 4, np.uint8) for count in reversed(parts)]
    call = Call(
        "all_reduce",
        "float32",
        tuple(_arrays.buffer(each) for each in inputs),
        tuple(_arrays.buffer(each) for each in outputs),
        op="sum",
    )
    return ChunkedTransfer(fit(call, 0, 2), credit), inputs, outputs


@pytest.mark.parametrize("parts", [[5], [0, 3, 0, 4, 1], [1] * 9])
@pytest.mark.parametrize("most", [4, 5, 12, 1000])
def test_should_gather_and_scatter_in_whole_elements(parts: list[int], most: int) -> None:
    moved, inputs, outputs = transfer(parts)
    while length := moved.next_length(most):
        assert length % 4 == 0
        chunk = moved.next_chunk(b"head", length)
        assert chunk is not None and len(chunk) == 4 + length
        moved.receive(memoryview(chunk)[4:])
    assert moved.is_sent()
    assert b"".join(each.tobytes() for each in outputs) == b"".join(each.tobytes() for each in inputs)


def test_should_send_no_more_than_the_credit() -> None:
    moved, _, _ = transfer([100], credit=10)
    assert moved.next_length(1000) == 8
    moved.next_chunk(b"", 8)
    assert moved.next_length(1000) == 0
    moved.grant(50)
    moved.grant(20)
    assert moved.next_length(1000) == 40


def test_should_refuse_more_output_than_there_is_room_for() -> None:
    moved, _, outputs = transfer([2])
    with pytest.raises(ProtocolError, match="12 bytes of output, 8"):
        moved.receive(memoryview(b"123456789012"))
    assert not outputs[0].any()


def test_should_touch_no_memory_once_released() -> None:
    moved, _, outputs = transfer([2])
    moved.release()
    moved.receive(memoryview(b"12345678"))
    assert moved.next_chunk(b"", 8) is None
    assert not outputs[0].any()


def test_should_know_every_element_type() -> None:
    codes = _proto.enum_names("DataType", "DATA_TYPE_")
    assert {each.code: name for name, each in dtypes.BY_NAME.items()} == {
        code: name for code, name in codes.items() if code
    }
    assert dtypes.of_numpy(np.uint16).name == "uint16"
    assert dtypes.of_numpy(np.uint16, "bfloat16").name == "bfloat16"
    for dtype, name in ((np.float32, "bfloat16"), (np.uint8, "no-such"), (np.dtype("U3"), None), (">i4", None)):
        with pytest.raises(ArgumentError):
            dtypes.of_numpy(dtype, name)


def test_should_have_a_class_for_every_kind() -> None:
    kinds = [kind for code, kind in _proto.enum_names("ErrorKind", "ERROR_KIND_").items() if code]
    assert all(class_of(kind).kind == kind for kind in kinds)
    assert class_of("of a newer server") is ProtocolError
    error = CallTimeoutError("late", ranks=(1,), primitive="barrier")
    assert isinstance(error, TimeoutError) and isinstance(error, ParexError)
    assert (str(error), error.ranks, error.primitive) == ("late", (1,), "barrier")
