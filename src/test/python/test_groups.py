"""Groups of some ranks, and roots."""

from __future__ import annotations

import os
import threading
import time
from typing import Any

import numpy as np
import pytest

import parex
from parex import Options
from ranks import Ranks, on_each


def test_c58_should_take_roots_as_ranks_in_the_group(ranks_of: Any) -> None:
    groups = ranks_of(4).group("pair", [2, 3])
    for root in (0, groups[0].rank_of(2)):
        given = on_each(groups, lambda group: group.broadcast(np.full(2, group.client.rank), root))
        assert [list(each) for each in given] == [[2, 2], [2, 2]]

    def wrong(group: parex.Group) -> str:
        with pytest.raises(parex.ArgumentError) as caught:
            group.broadcast(np.zeros(2), 2)
        return str(caught.value)

    assert all("2" in text for text in on_each(groups, wrong))
    with pytest.raises(parex.ArgumentError, match="rank 0 of the world is not a member"):
        groups[0].rank_of(0)


def test_c59_should_refuse_a_group_to_others_than_its_members(ranks_of: Any) -> None:
    ranks: Ranks = ranks_of(4)
    groups = ranks.group("inner", [2, 3])
    for client in ranks.clients[:2]:
        with pytest.raises(parex.ArgumentError, match="member"):
            client.new_group("inner", [2, 3])
    sums = on_each(groups, lambda group: group.all_reduce(np.ones(2)))
    assert [list(each) for each in sums] == [[2, 2], [2, 2]]


def test_c61_should_tell_both_sides_of_roots_that_differ(ranks_of: Any) -> None:
    ranks: Ranks = ranks_of(2)
    for call in (
        lambda group: group.reduce(np.ones(2), group.rank),
        lambda group: group.broadcast(np.ones(2), group.rank),
    ):
        assert all("root 0" in text and "root 1" in text for text in ranks.fail(call, parex.MismatchError))
        ranks.each(lambda group: group.barrier())


def test_c62_should_keep_nothing_of_closed_groups(ranks_of: Any) -> None:
    ranks: Ranks = ranks_of(2)

    def round_(client: parex.Client, number: int) -> None:
        group = client.new_group(f"round {number}", [0, 1])
        group.all_reduce(np.ones(4))
        group.close()

    def rounds(start: int, end: int) -> tuple[int, int]:
        on_each(ranks.clients, lambda client: [round_(client, number) for number in range(start, end)])
        return len(os.listdir("/proc/self/fd")), threading.active_count()

    early = rounds(0, 5)
    assert rounds(5, 60) == early
    assert all(not rank.groups for rank in ranks.clients[0].info().ranks)


def test_should_order_members_as_given(ranks_of: Any) -> None:
    groups = ranks_of(3).group("turned", [2, 0])
    assert [(group.rank, group.size, group.members) for group in groups] == [(0, 2, (2, 0)), (1, 2, (2, 0))]
    gathered = on_each(groups, lambda group: group.all_gather(np.array([group.client.rank])))
    assert [each.tolist() for each in gathered] == [[[2], [0]]] * 2
    for group in groups:
        group.close()
    with pytest.raises(parex.ParexError):
        groups[0].barrier(options=Options(timeout=1))


def test_should_not_close_the_group_of_all_ranks(ranks_of: Any) -> None:
    with pytest.raises(parex.ArgumentError, match="closed with its client"):
        ranks_of(1).clients[0].world.close()


def test_should_tell_about_the_world(ranks_of: Any) -> None:
    ranks: Ranks = ranks_of(3)
    ranks.each(lambda group: group.all_reduce(np.ones(1000)))
    waiting = ranks.clients[1].world.irecv(np.zeros(1), 0)
    # The call and the question travel apart.
    limit, pause = time.monotonic() + 10, threading.Event()
    while not (info := ranks.clients[0].info()).ranks[1].in_flight:
        assert time.monotonic() < limit
        pause.wait(0.01)
    assert (info.size, len(info.ranks), info.staging_limit_bytes > 0) == (3, 3, True)
    assert [(rank.rank, rank.state, rank.in_flight) for rank in info.ranks] == [
        (0, "ready", 0),
        (1, "ready", 1),
        (2, "ready", 0),
    ]
    assert ranks.clients[0].doctor().splitlines()[1] == (
        "rank 1 of 3: ready, 1 operations in flight, connected: 0, 2"
    )
    ranks.clients[0].world.send(np.ones(1), 1)
    waiting.wait()


def test_should_recover(ranks_of: Any) -> None:
    ranks: Ranks = ranks_of(2)
    stuck = ranks.clients[0].world.irecv(np.zeros(1), 1, 77)
    recovered = ranks.each(lambda group: group.recover(20))
    assert recovered[0] == recovered[1] and recovered[0].is_level()
    with pytest.raises(parex.AbortedError):
        stuck.wait()
    sums = ranks.each(lambda group: group.all_reduce(np.ones(2)))
    assert [list(each) for each in sums] == [[2, 2], [2, 2]]
    with pytest.raises(parex.CallTimeoutError, match="1"):
        ranks.clients[0].world.recover(0.3)
    ranks.each(lambda group: group.recover(20))
