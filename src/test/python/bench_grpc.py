"""Compares a round trip through a rank over gRPC with a bare grpcio stream that echoes the same chunks
with the same options.

Usage: ``bench_grpc.py [--mib 64] [--rounds 7]`` under ``parex run -n 1 -- python3``, or with PAREX_ENDPOINT set to
a rank
of a world of one. The round trip is an all_reduce in a world of one: every byte goes to the rank and comes back. The
echo's server is a Python process of its own. Both alternate in one run; medians are printed, and their ratio.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent import futures
from multiprocessing.connection import Connection
from typing import Any

import grpc
import numpy as np

import parex
from parex._grpc import CHANNEL_OPTIONS, CHUNK_BYTES


class _Echo(grpc.GenericRpcHandler):
    """Serves every method: gives back each message as it comes."""

    def service(self, handler_call_details: Any) -> Any:
        return grpc.stream_stream_rpc_method_handler(lambda requests, context: requests)


def _serve(pipe: Connection) -> None:
    server = grpc.server(futures.ThreadPoolExecutor(4), (_Echo(),), options=CHANNEL_OPTIONS)
    pipe.send(server.add_insecure_port("127.0.0.1:0"))
    server.start()
    pipe.recv()
    server.stop(0)


def _echo(channel: grpc.Channel, data: memoryview, out: memoryview, chunk: int) -> None:
    def requests() -> Iterator[bytes]:
        for start in range(0, len(data), chunk):
            yield bytes(data[start : start + chunk])

    at = 0
    for message in channel.stream_stream("/Echo/Echo")(requests()):
        out[at : at + len(message)] = message
        at += len(message)
    assert at == len(data)


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mib", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    # Before any gRPC thread runs here; a fork after that would take copies of its locks along.
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs,), daemon=True)
    server.start()
    channel = grpc.insecure_channel(f"127.0.0.1:{ours.recv()}", options=CHANNEL_OPTIONS)
    source = np.arange(arguments.mib << 18, dtype=np.float32)
    target = np.zeros_like(source)
    data, out = memoryview(source).cast("B"), memoryview(target).cast("B")
    call = parex.Call("all_reduce", "float32", (data,), (out,), op="sum")
    with parex.Client(shared="never") as client:
        if client.world.size != 1:
            raise SystemExit("bench_grpc.py measures in a world of one rank")
        trip, bare = [], []
        for _ in range(arguments.rounds):
            bare.append(_seconds(lambda: _echo(channel, data, out, CHUNK_BYTES)))
            target.fill(0)
            trip.append(_seconds(lambda: client.world.start(call).wait()))
            assert np.array_equal(source, target)
    channel.close()
    ours.send(None)
    parts = [(name, statistics.median(times[1:])) for name, times in (("bare echo", bare), ("parex", trip))]
    for name, seconds in parts:
        print(f"{name:10} {seconds * 1e3:9.1f} ms  {(arguments.mib << 20) / seconds / 1e6:8.0f} MB/s each way")
    print(
        f"parex reaches {parts[0][1] / parts[1][1]:.2f} of the bare echo, {arguments.mib} MiB"
        f", chunks of {CHUNK_BYTES}"
    )


if __name__ == "__main__":
    main()
