"""Collectives of blocks of any lengths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parex
from parex import Call, Options
from ranks import Ranks


def lists(results: list[Any]) -> list[list[list[float]]]:
    return [[block.tolist() for block in blocks] for blocks in results]


@pytest.mark.parametrize("is_open", [False, True])
def test_c34_should_exchange_blocks_of_three_ranks(ranks_of: Any, is_open: bool) -> None:
    splits = [[3, 2, 1], [2, 2, 2], [1, 2, 3]]

    def exchange(group: parex.Group) -> list[Any]:
        blocks = np.split(np.arange(6) + 10 * group.rank, np.cumsum(splits[group.rank])[:-1])
        lengths = None if is_open else [splits[source][group.rank] for source in range(3)]
        return group.all_to_all_v(blocks, lengths, capacity=9 if is_open else None)

    assert lists(ranks_of(3).each(exchange)) == [
        [[0, 1, 2], [10, 11], [20]],
        [[3, 4], [12, 13], [21, 22]],
        [[5], [14, 15], [23, 24, 25]],
    ]


@pytest.mark.parametrize("sent, expected", [(1, 3), (1, 2)])
def test_c36_should_tell_both_sides_of_lengths_that_differ(ranks_of: Any, sent: int, expected: int) -> None:
    ranks: Ranks = ranks_of(2)
    outputs = [np.full(1, 7, np.float32), np.full(expected, 7, np.float32)]
    lengths = [((0, sent), (0, 1)), ((1, 0), (expected, 0))]
    sizes = [sent, 1]

    def exchange(group: parex.Group) -> None:
        send, recv = lengths[group.rank]
        data = memoryview(np.ones(sizes[group.rank], np.float32)).cast("B")
        out = memoryview(outputs[group.rank]).cast("B")
        call = Call("all_to_all", "float32", (data,), (out,), send_lengths=send, recv_lengths=recv)
        group.start(call).wait()

    texts = ranks.fail(exchange, parex.MismatchError)
    assert all(f"{sent}" in text and f"{expected}" in text for text in texts)
    # What rank 1 sends to rank 0 agrees, and may have come.
    assert (outputs[1] == 7).all()


@pytest.mark.parametrize("lengths", [(4, 4), (-1, 7), (6,), (3, 3, 0)])
def test_c37_should_refuse_lengths_that_do_not_add_up(ranks_of: Any, lengths: tuple[int, ...]) -> None:
    ranks: Ranks = ranks_of(2)
    data = memoryview(np.zeros(6, np.float32)).cast("B")
    out = memoryview(np.zeros(6, np.float32)).cast("B")
    late = ranks.clients[1].world.barrier_async(options=Options(timeout=1))
    call = Call("all_to_all", "float32", (data,), (out,), send_lengths=lengths, recv_lengths=(3, 3))
    with pytest.raises(parex.ArgumentError, match="length"):
        ranks.clients[0].world.start(call)
    # Nothing has left: the other rank waits for the call that was not made, and is told of whom.
    with pytest.raises(parex.CallTimeoutError, match="rank 0"):
        late.wait()
    with pytest.raises(parex.ParexError):
        ranks.clients[0].world.barrier()
    ranks.each(lambda group: group.barrier())


def test_c37_should_refuse_rows_that_do_not_divide(ranks_of: Any) -> None:
    ranks_of(2).fail(lambda group: group.all_to_all(np.zeros((5, 2))), parex.ArgumentError)


@pytest.mark.parametrize("is_open", [False, True])
def test_c39_should_scatter_blocks_of_any_lengths(ranks_of: Any, is_open: bool) -> None:
    counts = [2, 3, 2, 4]
    blocks = np.split(np.array([1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10]), np.cumsum(counts)[:-1])

    def scatter(group: parex.Group) -> Any:
        if group.rank == 0:
            return group.scatter_v(blocks, 0, open_lengths=is_open)
        room = np.zeros(9 if is_open else counts[group.rank], np.int64)
        return group.scatter_v(None, 0, room, open_lengths=is_open)

    assert [each.tolist() for each in ranks_of(4).each(scatter)] == [[1, 2], [2, 3, 4], [5, 6], [7, 8, 9, 10]]


def test_c40_should_tell_shapes_without_elements_apart_by_name(ranks_of: Any) -> None:
    shapes = [(648632, 0), (5, 0)]
    ranks: Ranks = ranks_of(2)

    def named(group: parex.Group) -> Any:
        shape = shapes[group.rank]
        return group.all_gather(np.empty(shape), options=Options(name=f"shape {shape}"))

    assert all("648632" in text and "(5, 0)" in text for text in ranks.fail(named, parex.MismatchError))
    # Shapes do not travel: without a name each rank's result has its own.
    unnamed = ranks.each(lambda group: group.all_gather(np.empty(shapes[group.rank])))
    assert [each.shape for each in unnamed] == [(2, 648632, 0), (2, 5, 0)]


def test_c40_should_exchange_rows_without_elements(ranks_of: Any) -> None:
    exchanged = ranks_of(4).each(lambda group: group.all_to_all(np.empty((4, 0))))
    assert [each.shape for each in exchanged] == [(4, 0)] * 4


@pytest.mark.parametrize("is_open", [False, True])
def test_should_gather_what_each_rank_has(ranks_of: Any, is_open: bool) -> None:
    ranks: Ranks = ranks_of(3)
    lengths, capacity = (None, 6) if is_open else ([2, 0, 1], None)
    own = [np.array([5, 6]), np.array([], np.int64), np.array([7])]
    expected = [[5, 6], [], [7]]
    everywhere = ranks.each(lambda group: group.all_gather_v(own[group.rank], lengths, capacity=capacity))
    assert lists(everywhere) == [expected] * 3

    def gather(group: parex.Group) -> Any:
        return group.gather_v(own[group.rank], 1, lengths if group.rank == 1 else None, capacity=capacity)

    gathered = ranks.each(gather)
    assert gathered[0] is None and gathered[2] is None
    assert lists([gathered[1]]) == [expected]


def test_should_say_how_much_more_would_have_come(ranks_of: Any) -> None:
    texts = ranks_of(2).fail(
        lambda group: group.all_gather_v(np.zeros(3 + group.rank), capacity=5), parex.ArgumentError
    )
    assert all("7" in text for text in texts)


def test_should_reduce_blocks_of_any_lengths(ranks_of: Any) -> None:
    results = ranks_of(2).each(lambda group: group.reduce_scatter_v([np.ones(3), np.full(2, float(group.rank))]))
    assert [each.tolist() for each in results] == [[2, 2, 2], [1, 1]]
