"""Memory that a rank shares with its client: what it saves, what it is limited to, and what a hostile client can do."""

from __future__ import annotations

import logging
import mmap
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parex
from parex import _proto
from parex._line import Line
from parex._ring import map_memory
from processes import LocalWorld, until
from ranks import on_each

_SECONDS = 20.0


@pytest.fixture(scope="module")
def lasting_world(parex_world: Callable[..., LocalWorld]) -> LocalWorld:
    """Two ranks whose clients may each have 32 MiB."""
    return parex_world(2, {"PAREX_SHARED_CLIENT_MAX_BYTES": "32M"})


@pytest.fixture
def world(lasting_world: LocalWorld) -> LocalWorld:
    """That of all tests, in which nothing is left of the one before."""
    clients = _clients(lasting_world)
    on_each(clients, lambda client: client.world.recover(_SECONDS))
    for client in clients:
        client.close()
    return lasting_world


@pytest.fixture(scope="module")
def parex_world(parex: str) -> Iterator[Callable[..., LocalWorld]]:
    """Starts worlds that end with the tests."""
    started: list[LocalWorld] = []

    def start(size: int, environment: dict[str, str]) -> LocalWorld:
        started.append(LocalWorld(parex, size, environment))
        return started[-1]

    yield start
    for each in started:
        each.close()


def _clients(world: LocalWorld) -> list[parex.Client]:
    return [parex.Client(world.endpoint, rank, timeout=_SECONDS) for rank in range(2)]


def _sums(clients: list[parex.Client], arrays: list[np.ndarray[Any, Any]]) -> None:
    on_each(list(zip(clients, arrays)), lambda pair: pair[0].world.all_reduce(pair[1], out=pair[1]))


def _shared_segments(world: LocalWorld) -> int:
    """Descriptors of shared memory that the process of the ranks holds."""
    folder = f"/proc/{world.pid}/fd"
    links = []
    for name in os.listdir(folder):
        try:
            links.append(os.readlink(f"{folder}/{name}"))
        except OSError:
            pass
    return sum("memfd:parex" in link for link in links)


def test_should_reduce_arrays_in_shared_memory_in_place(world: LocalWorld) -> None:
    clients = _clients(world)
    arrays = [client.empty((1000, 3)) for client in clients]
    for rank, array in enumerate(arrays):
        array[:] = np.arange(3000).reshape(1000, 3) * (rank + 1)
    before = [client.session.carrier._memory.place(memoryview(a).cast("B")) for client, a in zip(clients, arrays)]
    assert None not in before
    _sums(clients, arrays)
    for array in arrays:
        np.testing.assert_array_equal(array, np.arange(3000).reshape(1000, 3) * 3)
    # A part of one, and one that is not contiguous.
    _sums(clients, [array[10:20] for array in arrays])
    np.testing.assert_array_equal(arrays[0][10:20], np.arange(30, 60).reshape(10, 3) * 6)
    results = on_each(list(zip(clients, arrays)), lambda pair: pair[0].world.all_reduce(pair[1][:, 1]))
    np.testing.assert_array_equal(results[0], arrays[0][:, 1] * 2)
    for client in clients:
        client.close()


def test_should_give_memory_of_arrays_back(world: LocalWorld) -> None:
    clients = _clients(world)
    for _ in range(20):
        array = clients[0].empty(3 << 20, np.uint8)
        view = array[1:5]
        del array
        view[:] = 7
        del view
    assert _shared_segments(world) <= 3
    for client in clients:
        client.close()
    until(lambda: _shared_segments(world) == 0, "memory of clients that have left is still there")


def test_c121_should_go_on_in_chunks_when_the_limit_is_reached(
    world: LocalWorld, caplog: pytest.LogCaptureFixture
) -> None:
    clients = _clients(world)
    with caplog.at_level(logging.WARNING, "parex"):
        for _ in range(2):
            arrays = [np.full(12 << 20, rank + 1, np.float32) for rank in range(2)]
            _sums(clients, arrays)
            for array in arrays:
                assert (array == 3).all()
    texts = [record.getMessage() for record in caplog.records]
    assert len(texts) == 2 and all("33554432 bytes at most" in text for text in texts), texts
    # What fits goes through shared memory as before.
    _sums(clients, [np.ones(5, np.float32) for _ in clients])
    for client in clients:
        client.close()


def test_should_say_once_why_there_is_no_shared_memory(
    parex_world: Callable[..., LocalWorld], caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    directory = tmp_path / "sockets"
    directory.mkdir()
    world = parex_world(1, {"PAREX_SHARED_DIRECTORY": str(directory)})
    (socket_path,) = directory.iterdir()
    socket_path.rename(tmp_path / "moved")
    with caplog.at_level(logging.WARNING, "parex"), parex.Client(world.endpoint, 0) as client:
        for _ in range(3):
            np.testing.assert_array_equal(client.world.all_reduce(np.ones(3)), np.ones(3))
    assert [str(socket_path) in record.getMessage() for record in caplog.records] == [True]


def test_should_not_let_a_client_shrink_the_memory(world: LocalWorld) -> None:
    clients = _clients(world)
    arrays = [np.ones(1 << 14, np.float32) for _ in clients]

    def warm(pair: Any) -> None:
        client, array = pair
        for _ in range(4000):
            client.world.all_reduce(array, op="max", out=array)

    # The kernels that read the memory are compiled then: a page that is gone would be the end of the process.
    on_each(list(zip(clients, arrays)), warm, seconds=120)
    line, opened = _line_of(world)
    line.rings.write(_add_segment(1 << 20))
    line.ring()
    descriptor = line.descriptor()
    assert os.fstat(descriptor).st_size == 1 << 20
    for size in (0, 4096, 2 << 20):
        with pytest.raises(PermissionError):
            os.ftruncate(descriptor, size)
    memory = map_memory(descriptor, 1 << 20)
    assert len(memory) == 1 << 20 and not memory.closed
    opened.close()
    _sums(clients, arrays)
    for client in clients:
        client.close()


def _line_of(world: LocalWorld, rank: int = 0) -> tuple[Line, parex.Client]:
    """The socket of a client that has not come to it by itself, and that client."""
    client = parex.Client(world.endpoint, rank, shared="never")
    opened = client.session.opened
    return Line(opened.shared.socket_path, opened.session_id), client


def _add_segment(size: int) -> bytes:
    message = _proto.ClientMessage()
    message.add_segment.bytes = size
    return bytes(message.SerializeToString())


@pytest.mark.parametrize("what", ["cursor", "length", "message", "read"])
def test_should_end_the_session_of_a_client_that_breaks_its_rings(world: LocalWorld, what: str) -> None:
    line, client = _line_of(world)
    words = line.rings._words
    if what == "cursor":
        words[16] = 1 << 40
    elif what == "length":
        line.rings._submissions[:8] = b"\xff" * 8
        words[16] = 8
    elif what == "message":
        assert line.rings.write(b"\xff\xff\xff")
    else:
        words[24] = 1 << 30
        assert line.rings.write(_add_segment(4096))
    line.ring()
    assert client.session.wait(lambda: client.session.ended, time.monotonic() + _SECONDS)
    until(lambda: _shared_segments(world) == 0, "memory of a client that has broken its rings is still there")
    # Nobody else is disturbed.
    others = _clients(world)
    arrays = [np.ones(10, np.float32) for _ in others]
    _sums(others, arrays)
    assert (arrays[0] == 2).all()
    for other in others:
        other.close()


@pytest.mark.parametrize("place", [(9, 0), (1, 1 << 40), (1, 4096 - 8), (1, 2)])
def test_should_refuse_tensors_outside_of_the_memory(world: LocalWorld, place: tuple[int, int]) -> None:
    line, client = _line_of(world)
    line.rings.write(_add_segment(4096))
    message = _proto.ClientMessage()
    operation = message.submit.operations.add()
    operation.operation_id = 1
    operation.all_reduce.tensor.dtype = 9
    operation.all_reduce.tensor.count = 4
    operation.all_reduce.op = 1
    operation.input.segment_id, operation.input.offset = place
    operation.output.segment_id, operation.output.offset = 1, 0
    line.rings.write(message.SerializeToString())
    line.ring()
    results = []
    limit = time.monotonic() + _SECONDS
    while not results and time.monotonic() < limit:
        line.listen(limit)
        while (data := line.rings.read()) is not None:
            answer = _proto.ServerMessage.FromString(data)
            if answer.WhichOneof("message") == "result":
                results.append(answer.result)
    assert results[0].error.kind == 1 and "segment" in results[0].error.message, results
    # A collective keeps its turn: the other rank hears of it.
    with parex.Client(world.endpoint, 1, timeout=_SECONDS) as other:
        with pytest.raises(parex.ParexError, match="segment"):
            other.world.all_reduce(np.ones(4, np.float32))
    client.close()


def test_should_turn_strangers_away(world: LocalWorld) -> None:
    with parex.Client(world.endpoint, 0, shared="never") as client:
        path = client.session.opened.shared.socket_path
        with pytest.raises(parex.UnavailableError, match="no open session"):
            Line(path, "0" * 36)
        for greeting in (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2, b"PAREXSM0" + b"0" * 36):
            with socket.socket(socket.AF_UNIX) as stranger:
                stranger.settimeout(_SECONDS)
                stranger.connect(path)
                stranger.sendall(greeting)
                assert stranger.recv(100)[:1] == b"!"
                assert stranger.recv(100) == b""
        # One that says nothing is not kept.
        with socket.socket(socket.AF_UNIX) as silent:
            silent.settimeout(_SECONDS)
            silent.connect(path)
            assert b"no greeting within 5 s" in silent.recv(100)
        # The id of a session is of use once.
        line = Line(path, client.session.opened.session_id)
        with pytest.raises(parex.UnavailableError, match="no open session"):
            Line(path, client.session.opened.session_id)
        line.shut()


_DOOMED = """
import sys
import numpy as np
import parex
client = parex.Client(sys.argv[1], 1, timeout=60)
client.world.all_reduce(np.ones(1 << 20, np.float32))
client.world.all_reduce(np.ones(1 << 20, np.float32))
print("waits", flush=True)
client.world.recv(np.ones(1 << 20, np.float32), 0)
"""


def test_should_keep_nothing_of_a_client_that_was_killed(world: LocalWorld) -> None:
    client = parex.Client(world.endpoint, 0, timeout=_SECONDS)
    with subprocess.Popen([sys.executable, "-c", _DOOMED, world.endpoint], stdout=subprocess.PIPE, text=True) as doomed:
        for _ in range(2):
            client.world.all_reduce(np.ones(1 << 20, np.float32))
        assert doomed.stdout is not None
        assert doomed.stdout.readline() == "waits\n"
        waiting = client.world.all_reduce_async(np.ones(1 << 20, np.float32))
        doomed.send_signal(signal.SIGKILL)
        doomed.wait()
        with pytest.raises(parex.AbortedError, match="client of rank 1 closed: connection lost"):
            waiting.wait(_SECONDS)
    client.close()
    until(lambda: _shared_segments(world) == 0, "memory of a client that was killed is still there")


def test_should_wait_in_several_threads_at_once(world: LocalWorld) -> None:
    clients = _clients(world)

    def exchange(tag: int) -> int:
        other = np.zeros(4)
        for step in range(50):
            sent = clients[0].world.isend(np.full(4, float(step)), 1, tag=tag)
            works = [sent, clients[1].world.irecv(other, 0, tag=tag)]
            for work in works:
                work.wait(_SECONDS)
            assert (other == step).all()
        return tag

    assert on_each(list(range(6)), exchange) == list(range(6))
    for client in clients:
        client.close()


def test_should_call_back_although_nobody_waits(world: LocalWorld) -> None:
    clients = _clients(world)
    ended = [threading.Event() for _ in clients]
    works = [client.world.start(parex.Call("barrier")) for client in clients]
    for work, event in zip(works, ended):
        work.add_done_callback(lambda _, event=event: event.set())
    assert all(event.wait(_SECONDS) for event in ended)
    for client in clients:
        client.close()


def test_should_map_all_pages_at_once() -> None:
    descriptor = os.memfd_create("test")
    os.ftruncate(descriptor, 1 << 16)
    memory = map_memory(descriptor, 1 << 16)
    os.close(descriptor)
    memory[0:4] = b"abcd"
    assert isinstance(memory, mmap.mmap) and memory[0:5] == b"abcd\0"


def test_should_refuse_a_message_that_no_ring_holds(world: LocalWorld) -> None:
    clients = _clients(world)
    with pytest.raises(parex.ArgumentError, match="nothing was started"):
        clients[0].world.start(parex.Call("barrier", options=parex.Options(name="x" * (1 << 20))))
    _sums(clients, [np.ones(5, np.float32) for _ in clients])
    for client in clients:
        client.close()
