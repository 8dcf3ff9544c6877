"""Groups of some ranks: ranks in them, roots, who is no member, many of them; the process group made anew."""

from __future__ import annotations

import gc
import os
import threading
import weakref

import torch
import torch.distributed as dist
from job import TIMEOUT, Ranks, check, fails, run_checks, same

import parex.torch
from parex import ArgumentError

# torch creates groups on all ranks of the world, in one order, so not within a check.
PAIRS: dict[tuple[int, ...], object] = {}


def group_of(*members: int) -> object:
    return PAIRS[members]


def make_groups() -> None:
    for members in ((1, 3), (2, 3), (3, 0, 2)):
        PAIRS[members] = dist.new_group(list(members), timeout=TIMEOUT)


@check(5)
def ranks_1_and_3_call_by_ranks_of_the_world(on: Ranks) -> None:
    if on.rank not in (1, 3):
        return
    group, other = group_of(1, 3), 4 - on.rank
    assert dist.get_rank(group) == (on.rank - 1) // 2 and dist.get_world_size(group) == 2
    assert group.rank() == dist.get_rank(group) and group.size() == 2 and group.name() == "parex"
    mean = torch.full((10,), on.rank + 1.0)
    dist.all_reduce(mean, dist.ReduceOp.AVG, group=group)
    same(mean, [3.0] * 10)
    for root in (1, 3):
        tensor = torch.tensor([float(on.rank)])
        dist.broadcast(tensor, root, group=group)
        same(tensor, [float(root)])
    at_root = torch.tensor([1.0 + on.rank])
    dist.reduce(at_root, 3, group=group)
    same(at_root, [6.0] if on.rank == 3 else [2.0])
    rooms = [torch.zeros(1) for _ in range(2)]
    dist.gather(torch.tensor([float(on.rank)]), rooms if on.rank == 3 else None, 3, group=group)
    same(torch.cat(rooms), [1.0, 3.0] if on.rank == 3 else [0.0, 0.0])
    room = torch.zeros(1)
    pieces = [torch.tensor([5.0]), torch.tensor([6.0])] if on.rank == 3 else None
    dist.scatter(room, pieces, 3, group=group)
    same(room, [5.0 if on.rank == 1 else 6.0])
    sent = dist.isend(torch.tensor([float(on.rank)]), other, group=group)
    assert dist.recv(room, group=group) == other
    sent.wait()
    same(room, [float(other)])


@check(5)
def c22_avg_of_a_subgroup(on: Ranks) -> None:
    if on.rank in (1, 3):
        tensor = torch.full((10,), on.rank + 1.0)
        dist.all_reduce(tensor, dist.ReduceOp.AVG, group=group_of(1, 3))
        same(tensor, [3.0] * 10)


@check(5)
def c58_roots_are_ranks_of_the_world(on: Ranks) -> None:
    if on.rank not in (2, 3):
        return
    group = group_of(2, 3)
    tensor = torch.tensor([float(on.rank)])
    dist.broadcast(tensor, 2, group=group)
    same(tensor, [2.0])
    fails(RuntimeError, lambda: dist.broadcast(tensor, 0, group=group), "not part of group")
    opts = dist.BroadcastOptions()
    opts.rootRank = 2
    fails(ArgumentError, lambda: group.broadcast([tensor], opts).wait(), "2")
    opts.rootRank = 1
    group.broadcast([tensor.fill_(on.rank)], opts).wait()
    same(tensor, [3.0])


@check(5)
def c59_who_is_no_member_takes_no_part(on: Ranks) -> None:
    group, tensor = group_of(2, 3), torch.tensor([float(on.rank)])
    if on.rank in (2, 3):
        dist.broadcast(tensor, 3, group=group)
        same(tensor, [3.0])
    else:
        dist.broadcast(tensor, 1, group=group)
        same(tensor, [float(on.rank)])
        assert dist.get_rank(group) == -1


@check(5)
def ranks_in_a_group_are_in_the_order_of_the_world(on: Ranks) -> None:
    if on.rank in (0, 2, 3):
        group = group_of(3, 0, 2)
        rooms = [torch.zeros(1) for _ in range(3)]
        dist.all_gather(rooms, torch.tensor([float(on.rank)]), group=group)
        same(torch.cat(rooms), [0.0, 2.0, 3.0])


@check(5)
def nothing_of_gloo_or_mpi_lies_underneath(on: Ranks) -> None:
    others = [each for each in gc.get_objects() if isinstance(each, dist.ProcessGroup)]
    assert others and all(type(each) is parex.torch.ParexProcessGroup for each in others), others
    assert dist.get_backend() == "parex"


@check(5)
def registration_may_be_repeated(on: Ranks) -> None:
    parex.torch.register()
    assert dist.Backend("parex") == "parex" and dist.Backend.PAREX == "PAREX"


def rounds_of_groups(rounds: int) -> None:
    """c62: groups made and dropped leave nothing open; what is left after the first ones is left after all."""
    first = None
    for number in range(rounds):
        group = dist.new_group([0, 1], timeout=TIMEOUT)
        if dist.get_rank() < 2:
            tensor = torch.ones(4)
            dist.all_reduce(tensor, group=group)
            same(tensor, [2.0] * 4)
            parex_group = weakref.ref(group.parex)
            dist.destroy_process_group(group)
            del group
            assert parex_group() is None
        if number == 9:
            first = open_now()
    assert first is not None
    files, threads = open_now()
    assert files <= first[0] + 2 and threads <= first[1] + 2, (first, files, threads)


def open_now() -> tuple[int, int]:
    return len(os.listdir("/proc/self/fd")), threading.active_count()


def another_store() -> object:
    """A store that the first rank serves, at a port that it tells the others through the one there is."""
    old, is_server = dist.distributed_c10d._get_default_store(), dist.get_rank() == 0
    if is_server:
        made = dist.TCPStore("127.0.0.1", 0, dist.get_world_size(), True, TIMEOUT, wait_for_workers=False)
        old.set("port", str(made.port))
        return made
    return dist.TCPStore("127.0.0.1", int(old.get("port")), dist.get_world_size(), False, TIMEOUT)


def init_again() -> None:
    """The process group of the world, made anew in the same process, while the first is still referred to."""
    kept = dist.distributed_c10d._get_default_group()
    client = weakref.ref(kept.parex.client)
    store = another_store()
    dist.barrier()
    rank, size = dist.get_rank(), dist.get_world_size()
    dist.destroy_process_group()
    dist.init_process_group("parex", store=store, rank=rank, world_size=size, timeout=TIMEOUT)
    tensor = torch.ones(2)
    dist.all_reduce(tensor)
    same(tensor, [5.0] * 2)
    assert dist.distributed_c10d._get_default_group().parex.client is not client()
    fails(RuntimeError, lambda: kept.barrier().wait())
    make_groups()


run_checks(before=make_groups, after=(init_again, lambda: rounds_of_groups(100)))
