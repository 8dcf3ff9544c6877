"""Messages between two ranks: order, tags, matching."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import parex
from parex import Options, Recv, Send
from ranks import Ranks


def test_c41_should_match_by_tag(ranks_of: Any) -> None:
    sender, receiver = (client.world for client in ranks_of(2).clients)
    second, first = np.full(1000, 7.0), np.full(1000, 7.0)
    late = receiver.irecv(second, 0, 2)
    early = receiver.irecv(first, 0, 1)
    sender.send(np.ones(1000), 1, 1)
    early.wait()
    assert (first == 1).all()
    assert not late.done()
    sender.send(np.zeros(1000), 1, 2)
    assert late.wait().tag == 2
    assert (second == 0).all()


@pytest.mark.parametrize("size", [1, 3])
def test_c43_should_send_to_itself(ranks_of: Any, size: int) -> None:
    group = ranks_of(size).clients[0].world
    for count in (1, 300_000):
        sent = group.isend(np.full(count, 5.0), 0)
        target = np.zeros(count)
        assert group.recv(target, 0).source == 0
        sent.wait()
        assert (target == 5).all()
    with pytest.raises(parex.ParexError):
        group.send(np.zeros(300_000), 0, options=Options(timeout=0.5))


@pytest.mark.parametrize("count", [1, 1 << 18, 1 << 24])
def test_c45_should_take_receives_listed_before_sends(ranks_of: Any, count: int) -> None:
    def exchange(group: parex.Group) -> bool:
        peer = 1 - group.rank
        target = np.zeros(count, np.float32)
        works = group.batch([Recv(target, peer), Send(np.full(count, group.rank + 1, np.float32), peer)])
        for work in works:
            work.wait()
        return bool((target == peer + 1).all())

    assert ranks_of(2).each(exchange) == [True, True]


def test_c46_should_exchange_with_neighbours_in_a_fresh_group(ranks_of: Any) -> None:
    ranks: Ranks = ranks_of(4)
    groups = ranks.group("fresh", [0, 1, 2, 3])

    def exchange(group: parex.Group, right: int, left: int) -> list[float]:
        target = np.zeros(3)
        for work in groups[group.rank].batch([Send(np.full(3, float(group.rank)), right), Recv(target, left)]):
            work.wait()
        return list(target)

    for distance in (1, 2, 3):
        got = ranks.each(lambda group: exchange(group, (group.rank + distance) % 4, (group.rank - distance) % 4))
        assert got == [[(rank - distance) % 4] * 3 for rank in range(4)]
    pair = ranks.each(lambda group: exchange(group, 3 - group.rank, 3 - group.rank) if group.rank in (1, 2) else [])
    assert pair == [[], [2] * 3, [1] * 3, []]


def test_c48_should_fail_only_the_receive_without_a_sender(ranks_of: Any) -> None:
    first, second = (client.world for client in ranks_of(2).clients)
    target = np.zeros(2)
    sent, unmatched = first.batch([Send(np.ones(2), 1), Recv(np.zeros(2), 1, 9)], options=Options(timeout=1))
    (received,) = second.batch([Recv(target, 0)])
    received.wait()
    sent.wait()
    assert (target == 1).all()
    with pytest.raises(parex.CallTimeoutError, match="rank 1.*tag 9|tag 9.*rank 1"):
        unmatched.wait()


def test_c50_should_know_no_grouping_between_batches(ranks_of: Any) -> None:
    first, second = (client.world for client in ranks_of(2).clients)
    targets = [np.zeros(1) for _ in range(5)]
    sent = first.batch([Send(np.full(1, float(index)), 1) for index in range(5)])
    for work in second.batch([Recv(target, 0) for target in targets[:4]]):
        work.wait()
    second.irecv(targets[4], 0).wait()
    assert [work.wait().count for work in sent] == [1] * 5
    assert [target[0] for target in targets] == [0, 1, 2, 3, 4]


def test_c51_should_receive_from_any_source(ranks_of: Any) -> None:
    def exchange(group: parex.Group) -> list[tuple[int | None, float]]:
        if group.rank:
            for number in range(2):
                group.send(np.full(1, 10 * group.rank + number), 0)
            return []
        targets = [np.zeros(1, np.int64) for _ in range(6)]
        works = [group.irecv(target, None) for target in targets]
        return [(work.wait().source, target[0]) for work, target in zip(works, targets)]

    got = ranks_of(4).each(exchange)[0]
    for source in (1, 2, 3):
        assert [value for origin, value in got if origin == source] == [10 * source, 10 * source + 1]


@pytest.mark.parametrize("sent, room", [(4, 2), (2, 4)])
def test_c53_should_refuse_room_of_another_size(ranks_of: Any, sent: int, room: int) -> None:
    ranks: Ranks = ranks_of(2)
    first, second = (client.world for client in ranks.clients)
    target = np.full(room, 3, np.uint16)
    # A message this small is done when it has left; before that, its sender would hear of the mismatch as well.
    first.isend(np.ones(sent, np.uint16), 1, dtype="bfloat16").wait()
    with pytest.raises(parex.MismatchError) as caught:
        second.recv(target, 0, dtype="bfloat16")
    assert f"x {sent}" in str(caught.value) and f"x {room}" in str(caught.value)
    assert (target == 3).all()
    ranks.each(lambda group: group.barrier())


def test_c54_should_take_very_many_operations_in_a_batch(ranks_of: Any) -> None:
    ranks: Ranks = ranks_of(4)

    def exchange(group: parex.Group) -> bool:
        peers = [rank for rank in range(4) if rank != group.rank]
        each = 170
        targets = {peer: [np.zeros(256, np.int32) for _ in range(each)] for peer in peers}
        transfers: list[Send | Recv] = []
        for index in range(each):
            for peer in peers:
                transfers.append(Send(np.full(256, 1000 * group.rank + index, np.int32), peer))
                transfers.append(Recv(targets[peer][index], peer))
        for work in group.batch(transfers):
            work.wait()
        return all((targets[peer][index] == 1000 * peer + index).all() for peer in peers for index in range(each))

    before = threading.active_count()
    assert ranks.each(exchange) == [True] * 4
    assert threading.active_count() <= before


def test_should_send_and_receive_at_once(ranks_of: Any) -> None:
    def shift(group: parex.Group) -> tuple[int | None, bool]:
        target = np.zeros(100_000)
        right, left = (group.rank + 1) % 3, (group.rank - 1) % 3
        done = group.send_recv(Send(np.full(100_000, float(group.rank)), right, 4), Recv(target, left, 4))
        return done.source, bool((target == left).all())

    assert ranks_of(3).each(shift) == [(2, True), (0, True), (1, True)]


def test_should_refuse_a_batch_as_a_whole(ranks_of: Any) -> None:
    ranks: Ranks = ranks_of(2)
    first, second = (client.world for client in ranks.clients)
    with pytest.raises(parex.ArgumentError):
        first.batch([Send(np.ones(1), 1), Recv(np.broadcast_to(np.float64(0), (3,)), 1)])
    with pytest.raises(parex.ArgumentError):
        first.batch([])
    with pytest.raises(parex.CallTimeoutError):
        second.recv(np.zeros(1), 0, options=Options(timeout=0.3))
