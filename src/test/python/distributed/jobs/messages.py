"""Sends and receives: tags, order, batches, any source, handles."""

from __future__ import annotations

import datetime
import time

import torch
import torch.distributed as dist
from job import Ranks, check, fails, run_checks, same

from parex import ParexError, WaitTimeout

DEADLINE_SECONDS = 20.0


def batch(on: Ranks, *operations: tuple[object, torch.Tensor, int]) -> list[dist.Work]:
    return dist.batch_isend_irecv([dist.P2POp(op, tensor, peer, on.group) for op, tensor, peer in operations])


def wait_all(works: list[dist.Work]) -> None:
    for work in works:
        assert work.wait()


@check(2)
def c41_tags_decide_the_match(on: Ranks) -> None:
    if on.rank == 0:
        dist.send(torch.ones(1000), 1, group=on.group, tag=1)
        # Only when the other's wait for tag 1 has ended is there anything of tag 2.
        on.hear("first")
        dist.send(torch.zeros(1000), 1, group=on.group, tag=2)
        return
    zeros, ones = torch.full((1000,), 7.0), torch.full((1000,), 7.0)
    second = dist.irecv(zeros, 0, group=on.group, tag=2)
    first = dist.irecv(ones, 0, group=on.group, tag=1)
    first.wait()
    assert not second.is_completed()
    on.tell("first")
    second.wait()
    same(ones, torch.ones(1000))
    same(zeros, torch.zeros(1000))


@check(2)
def c45_receive_before_send_on_both_sides(on: Ranks) -> None:
    for count in (1, 1 << 18, 16 << 20):
        room, mine = torch.zeros(count), torch.full((count,), on.rank + 1.0)
        wait_all(batch(on, (dist.irecv, room, 1 - on.rank), (dist.isend, mine, 1 - on.rank)))
        same(room, torch.full((count,), 2.0 - on.rank))


@check(4)
def c46_neighbours_are_the_first_call(on: Ranks) -> None:
    for distance in (1, 2, 3):
        room, mine = torch.zeros(3), torch.full((3,), float(on.rank))
        right, left = (on.rank + distance) % 4, (on.rank - distance) % 4
        wait_all(batch(on, (dist.isend, mine, right), (dist.irecv, room, left)))
        same(room, torch.full((3,), float(left)))
    if on.rank in (1, 2):
        room, peer = torch.zeros(1), 3 - on.rank
        wait_all(batch(on, (dist.isend, torch.tensor([float(on.rank)]), peer), (dist.irecv, room, peer)))
        same(room, [float(peer)])


@check(2)
def c50_five_against_four_and_one(on: Ranks) -> None:
    if on.rank == 0:
        wait_all(batch(on, *[(dist.isend, torch.tensor([float(number)]), 1) for number in range(5)]))
        return
    rooms = [torch.zeros(1) for _ in range(5)]
    wait_all(batch(on, *[(dist.irecv, room, 0) for room in rooms[:4]]))
    wait_all(batch(on, (dist.irecv, rooms[4], 0)))
    same(torch.cat(rooms), [0.0, 1.0, 2.0, 3.0, 4.0])


@check(4)
def c51_receive_from_any_source(on: Ranks) -> None:
    if on.rank:
        for number in range(2):
            dist.send(torch.tensor([10 * on.rank + number]), 0, group=on.group)
        return
    rooms = [torch.zeros(1, dtype=torch.int64) for _ in range(6)]
    works = [dist.irecv(room, group=on.group) for room in rooms]
    wait_all(works)
    seen: dict[int, list[int]] = {1: [], 2: [], 3: []}
    for room, work in zip(rooms, works, strict=True):
        seen[work.source_rank()].append(int(room) - 10 * work._source_rank())
    assert seen == {1: [0, 1], 2: [0, 1], 3: [0, 1]}, seen


@check(2)
def blocking_receive_says_who_sent(on: Ranks) -> None:
    if on.rank == 1:
        dist.send(torch.tensor([3.0]), 0, group=on.group, tag=4)
        return
    room = torch.zeros(1)
    assert dist.recv(room, group=on.group, tag=4) == 1
    same(room, [3.0])


@check(4)
def c54_very_many_in_one_batch(on: Ranks) -> None:
    peers = [peer for peer in range(4) if peer != on.rank]
    rooms = {peer: [torch.zeros(256) for _ in range(170)] for peer in peers}
    sends = [
        (dist.isend, torch.full((256,), 1000.0 * on.rank + number), peer) for number in range(170) for peer in peers
    ]
    receives = [(dist.irecv, rooms[peer][number], peer) for number in range(170) for peer in peers]
    wait_all(batch(on, *sends, *receives))
    for peer in peers:
        for number, room in enumerate(rooms[peer]):
            same(room, torch.full((256,), 1000.0 * peer + number))


@check(2)
def c74_progress_without_wait(on: Ranks) -> None:
    room, peer = torch.zeros(1 << 18), 1 - on.rank
    works = [dist.isend(torch.ones(1 << 18), peer, group=on.group), dist.irecv(room, peer, group=on.group)]
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not all([work.is_completed() for work in works]):
        assert time.monotonic() < deadline
    same(room, torch.ones(1 << 18))
    assert all(work.is_success() and work.exception() is None for work in works)


@check(2)
def c78_three_sends_three_receives_three_tags(on: Ranks) -> None:
    rooms = [torch.full((1,), -1.0) for _ in range(3)]
    if on.rank == 0:
        works = [dist.isend(torch.tensor([float(tag)]), 1, group=on.group, tag=tag) for tag in range(3)]
    else:
        works = [dist.irecv(room, 0, group=on.group, tag=tag) for tag, room in enumerate(rooms)]
    wait_all(works)
    if on.rank:
        same(torch.cat(rooms), [0.0, 1.0, 2.0])


@check(2)
def sends_to_oneself_arrive(on: Ranks) -> None:
    room = torch.zeros(3)
    sent = dist.isend(torch.ones(3), on.rank, group=on.group)
    dist.recv(room, on.rank, group=on.group)
    sent.wait()
    same(room, [1.0] * 3)


@check(2)
def a_wait_may_end_before_its_receive(on: Ranks) -> None:
    if on.rank == 1:
        on.hear("waited")
        dist.send(torch.ones(2), 0, group=on.group)
        return
    room = torch.zeros(2)
    work = dist.irecv(room, 1, group=on.group)
    fails(WaitTimeout, lambda: work.wait(datetime.timedelta(milliseconds=50)))
    on.tell("waited")
    assert work.wait()
    same(room, [1.0] * 2)


@check(2)
def messages_of_another_size_are_refused(on: Ranks) -> None:
    if on.rank == 0:
        try:
            dist.send(torch.ones(4), 1, group=on.group)
        except ParexError:
            pass
        return
    room = torch.zeros(2)
    fails(ParexError, lambda: dist.recv(room, 0, group=on.group), "4", "2")
    same(room, [0.0, 0.0])


run_checks()
