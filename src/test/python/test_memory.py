"""How much memory a rank needs that serves tensors over gRPC."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parex
from processes import LocalWorld

MIB = 1 << 20
TENSOR_BYTES = 1 << 30
OVERHEAD_BYTES = 64 * MIB
CALL_SECONDS = 600.0


def memory(pid: int, name: str) -> int:
    """A line of the process's status, in bytes."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    raise AssertionError(f"there is no {name}")


def all_reduce(clients: list[parex.Client], arrays: list[np.ndarray[Any, Any]]) -> None:
    works = []
    for client, array in zip(clients, arrays, strict=True):
        buffer = memoryview(array.data).cast("B")
        call = parex.Call("all_reduce", "float32", (buffer,), (buffer,), "sum")
        works.append(client.world.start(call))
    for work in works:
        work.wait(CALL_SECONDS)


@pytest.fixture
def world(parex: str) -> Iterator[LocalWorld]:
    started = LocalWorld(parex, 2, isolation="process")
    yield started
    started.close()


@pytest.mark.slow
def test_should_hold_a_tensor_once(world: LocalWorld) -> None:
    """Staging is shared by input and output: a GiB, and what moves it, beside what an idle rank has."""
    clients = [parex.Client(endpoint, shared="never", timeout=CALL_SECONDS) for endpoint in world.endpoints]
    pids = [world.pid_of(rank) for rank in range(2)]
    all_reduce(clients, [np.ones(1, np.float32) for _ in clients])
    idle = [memory(pid, "VmRSS") for pid in pids]
    arrays = [np.full(TENSOR_BYTES // 4, rank + 1, np.float32) for rank in range(2)]
    all_reduce(clients, arrays)
    added = [memory(pid, "VmHWM") - before for pid, before in zip(pids, idle, strict=True)]
    assert all((array == 3).all() for array in arrays)
    print("beside the tensor, MiB:", [(each - TENSOR_BYTES) // MIB for each in added])
    # Less would mean that it was not there.
    assert all(TENSOR_BYTES < each <= TENSOR_BYTES + OVERHEAD_BYTES for each in added)
    for client in clients:
        client.close()
