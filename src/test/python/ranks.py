"""Clients of all ranks of a world in one process, and what each of them does in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest

import parex

T = TypeVar("T")
SECONDS = 60.0


def on_each(items: Sequence[Any], body: Callable[[Any], T], seconds: float = SECONDS) -> list[T]:
    """What ``body`` returns for each item, all at once in threads. Fails with the first exception of any."""
    results: list[Any] = [None] * len(items)
    failures: list[BaseException] = []

    def run(index: int) -> None:
        try:
            results[index] = body(items[index])
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(index,), daemon=True) for index in range(len(items))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds)
    if failures:
        raise failures[0]
    assert not any(thread.is_alive() for thread in threads), f"not done within {seconds} s"
    return results


class Ranks:
    """A client of each rank of a world, by turns with shared memory and over gRPC alone: calls do not differ."""

    def __init__(self, endpoint: str, size: int, first_shares: bool) -> None:
        self.clients = [
            parex.Client(endpoint, rank, shared="auto" if (rank % 2 == 0) == first_shares else "never", timeout=30)
            for rank in range(size)
        ]

    def each(self, body: Callable[[parex.Group], T]) -> list[T]:
        """What ``body`` returns for the world's group of each rank."""
        return on_each([client.world for client in self.clients], body)

    def fail(self, body: Callable[[parex.Group], object], kind: type[parex.ParexError]) -> list[str]:
        """The text with which ``body`` fails on each rank: with ``kind``, or this fails."""

        def failure(group: parex.Group) -> str:
            with pytest.raises(kind) as caught:
                body(group)
            return str(caught.value)

        return self.each(failure)

    def group(self, name: str, members: Sequence[int]) -> list[parex.Group]:
        """A group as its members see it."""
        return [self.clients[member].new_group(name, members) for member in members]

    def close(self) -> None:
        """All leave."""
        on_each(self.clients, lambda client: client.close())
