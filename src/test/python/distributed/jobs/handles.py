"""Handles of collectives: several waits, futures, overlap, timeouts, who is late; splits of all_to_all."""

from __future__ import annotations

import datetime
import gc
import threading

import torch
import torch.distributed as dist
from job import Ranks, check, fails, run_checks, same

import parex.torch
from parex import ArgumentError, CallTimeoutError, MismatchError, ParexError
from parex.torch import _work

SECOND = datetime.timedelta(seconds=1)


@check(2)
def c75_wait_twice(on: Ranks) -> None:
    tensor = torch.ones(1000)
    work = dist.all_reduce(tensor, group=on.group, async_op=True)
    outcomes: list[bool] = []
    threads = [threading.Thread(target=lambda: outcomes.append(work.wait())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [True, True] and work.wait() and work.is_completed() and work.is_success()
    same(tensor, torch.full((1000,), 2.0))


@check(2)
def c75_wait_twice_for_a_failure(on: Ranks) -> None:
    work = dist.all_reduce(torch.ones(3 + on.rank), group=on.group, async_op=True)
    texts = [fails(MismatchError, work.wait) for _ in range(2)]
    assert texts[0] == texts[1]
    assert work.is_completed() and not work.is_success() and isinstance(work.exception(), MismatchError)


@check(2)
def calls_overlap(on: Ranks) -> None:
    tensors = [torch.full((size,), on.rank + 1.0) for size in (1, 100_000, 0, 7)]
    works = [dist.all_reduce(tensor, group=on.group, async_op=True) for tensor in tensors]
    for work in reversed(works):
        work.wait()
    for tensor in tensors:
        same(tensor, torch.full_like(tensor, 3.0))


@check(2)
def futures_hold_the_tensors(on: Ranks) -> None:
    strided = torch.ones(8)[::2]
    for tensor in (torch.ones(4), strided):
        future = dist.all_reduce(tensor, group=on.group, async_op=True).get_future()
        value = future.then(lambda done: done.value()[0] * 10).wait()
        same(value, [20.0] * 4)
        same(tensor, [2.0] * 4)
        assert future.value()[0].data_ptr() == tensor.data_ptr()
    ended = dist.broadcast(torch.ones(2), 0, group=on.group, async_op=True)
    ended.wait()
    assert len(ended.get_future().wait()) == 1 and len(ended.result()) == 1
    assert dist.barrier(group=on.group, async_op=True).get_future().wait() == []


@check(2)
def futures_carry_failures(on: Ranks) -> None:
    work = dist.all_reduce(torch.ones(3 + on.rank), group=on.group, async_op=True)
    fails(RuntimeError, lambda: work.get_future().wait(), "MismatchError", "all_reduce")


@check(2)
def handles_live_until_somebody_has_waited(on: Ranks) -> None:
    before = len(_work._kept)
    dist.all_reduce(torch.ones(3), group=on.group, async_op=True)
    gc.collect()
    assert len(_work._kept) == before + 1
    dist.all_reduce(torch.ones(3), group=on.group)
    assert len(_work._kept) == before + 1
    for _ in range(3 * _work._MAX_KEPT):
        dist.all_reduce(torch.ones(3), group=on.group, async_op=True)
    for work in list(_work._kept.values()):
        work._core.wait()
    dist.all_reduce(torch.ones(3), group=on.group, async_op=True)
    assert len(_work._kept) == _work._MAX_KEPT


@check(2)
def c80_a_timeout_of_one_call(on: Ranks) -> None:
    opts = dist.BarrierOptions()
    opts.timeout = 2 * SECOND
    if on.rank == 0:
        fails(CallTimeoutError, lambda: on.group.barrier(opts).wait(), "barrier", "1")
        on.tell("late")
    else:
        on.hear("late")
        fails(ParexError, lambda: on.group.barrier(opts).wait(), "barrier")
    dist.barrier(group=on.group)


@check(3)
def monitored_barrier_names_the_late(on: Ranks) -> None:
    if on.rank == 0:
        on.hear("late")
        fails(ParexError, lambda: parex.torch.monitored_barrier(on.group, SECOND))
    else:
        text = fails(CallTimeoutError, lambda: parex.torch.monitored_barrier(on.group, SECOND), "0")
        print(f"late: {text}", flush=True)
        if on.rank == 1:
            on.tell("late")
    parex.torch.monitored_barrier(on.group)
    parex.torch.monitored_barrier(dist.distributed_c10d.GroupMember.NON_GROUP_MEMBER)


@check(3)
def c34_all_to_all_of_uneven_rows(on: Ranks) -> None:
    mine = torch.arange(6) + 10 * on.rank
    splits = ([3, 2, 1], [2, 2, 2], [1, 2, 3])
    output = torch.zeros(6, dtype=torch.int64)
    dist.all_to_all_single(output, mine, [split[on.rank] for split in splits], splits[on.rank], group=on.group)
    expected = ([0, 1, 2, 10, 11, 20], [3, 4, 12, 13, 21, 22], [5, 14, 15, 23, 24, 25])[on.rank]
    same(output, expected)
    listed = [torch.zeros(split[on.rank], dtype=torch.int64) for split in splits]
    dist.all_to_all(listed, list(mine.split(splits[on.rank])), group=on.group)
    same(torch.cat(listed), expected)
    rows = torch.zeros(6, 2, dtype=torch.int64)
    two = mine.repeat_interleave(2).view(6, 2)
    dist.all_to_all_single(rows, two, [split[on.rank] for split in splits], splits[on.rank], group=on.group)
    same(rows[:, 1], expected)


@check(2)
def c36_splits_that_disagree(on: Ranks) -> None:
    for due in (3, 2):
        # Rank 0 has one element for rank 1, which expects more.
        output, given = torch.full((0 if on.rank == 0 else due,), 7.0), torch.ones(1 - on.rank)
        room, rows = ([0, 0], [0, 1]) if on.rank == 0 else ([due, 0], [0, 0])
        before = output.clone()
        fails(
            MismatchError,
            lambda room=room, rows=rows, output=output, given=given: dist.all_to_all_single(
                output, given, room, rows, group=on.group
            ),
            "1",
            str(due),
        )
        same(output, before)


@check(2)
def c37_splits_that_do_not_add_up(on: Ranks) -> None:
    output, rows = torch.zeros(6), torch.arange(6.0)
    for splits in ([4, 4], [-1, 7], [6], [3, 3, 0]):
        if on.rank == 0:
            fails(
                ArgumentError,
                lambda splits=splits: dist.all_to_all_single(output, rows, [3, 3], splits, group=on.group),
                str(splits),
            )
    fails(ArgumentError, lambda: dist.all_to_all_single(output, torch.ones(5), group=on.group), "5 rows")
    # Nothing of those was started: the other rank finds out whom it waits for, and the group is as it was.
    dist.all_to_all_single(output, rows + 10 * on.rank, group=on.group)
    same(output, [[0.0, 1.0, 2.0, 10.0, 11.0, 12.0], [3.0, 4.0, 5.0, 13.0, 14.0, 15.0]][on.rank])


@check(2)
def c37_the_other_rank_learns_who_is_missing(on: Ranks) -> None:
    opts = dist.AllToAllOptions()
    opts.timeout = SECOND
    if on.rank == 0:
        wrong = [4, 4]
        fails(ArgumentError, lambda: on.group.alltoall_base(torch.zeros(6), torch.ones(6), [3, 3], wrong, opts))
        on.hear("told")
    else:
        work = on.group.alltoall_base(torch.zeros(6), torch.ones(6), [3, 3], [3, 3], opts)
        fails(CallTimeoutError, work.wait, "rank 0")
        on.tell("told")


@check(3)
def objects(on: Ranks) -> None:
    gathered: list[object] = [None] * 3
    dist.all_gather_object(gathered, {"rank": on.rank, "text": "x" * on.rank * 100}, group=on.group)
    assert [each["rank"] for each in gathered] == [0, 1, 2]  # type: ignore[index]
    given = ["a", 12, {1: 2}] if on.rank == 1 else [None] * 3
    dist.broadcast_object_list(given, 1, group=on.group)
    assert given == ["a", 12, {1: 2}]
    at_root: list[object] = [None] * 3
    dist.gather_object((on.rank, "y"), at_root if on.rank == 2 else None, 2, group=on.group)
    assert at_root == ([(0, "y"), (1, "y"), (2, "y")] if on.rank == 2 else [None] * 3)
    mine: list[object] = [None]
    dist.scatter_object_list(mine, [f"for {rank}" for rank in range(3)] if on.rank == 0 else None, 0, group=on.group)
    assert mine == [f"for {on.rank}"]


run_checks()
