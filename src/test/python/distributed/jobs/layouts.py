"""Tensors that are strided, transposed, sliced, conjugated, or lie in their own result: right or refused."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.distributed as dist
from job import Ranks, check, fails, run_checks, same


def strided(values: torch.Tensor) -> torch.Tensor:
    """The same values at every second place of a larger tensor."""
    room = torch.full((2 * values.numel(),), -1.0, dtype=values.dtype)
    view = room[::2]
    view.copy_(values.reshape(-1))
    return view


def transposed(values: torch.Tensor) -> torch.Tensor:
    """The same values in the order of columns, as a matrix of two rows."""
    return values.reshape(2, -1).t().contiguous().t()


def sliced(values: torch.Tensor) -> torch.Tensor:
    """The same values as the middle columns of a matrix."""
    matrix = torch.full((2, values.numel() // 2 + 2), -1.0, dtype=values.dtype)
    matrix[:, 1:-1] = values.reshape(2, -1)
    return matrix[:, 1:-1]


LAYOUTS: tuple[Callable[[torch.Tensor], torch.Tensor], ...] = (strided, transposed, sliced)


def each_layout(on: Ranks, count: int) -> list[tuple[torch.Tensor, Callable[[torch.Tensor], torch.Tensor]]]:
    mine = torch.arange(float(count)) + 100 * on.rank
    made = [(layout(mine), layout) for layout in LAYOUTS]
    assert not any(tensor.is_contiguous() for tensor, _ in made)
    return made


@check(2)
def c07_scatter_of_strided_pieces(on: Ranks) -> None:
    output = torch.zeros(3)
    pieces = [torch.arange(6.0)[::2] for _ in range(2)] if on.rank == 0 else None
    dist.scatter(output, pieces, 0, group=on.group)
    same(output, [0.0, 2.0, 4.0])


@check(2)
def c09_gather_of_a_transposed_matrix(on: Ranks) -> None:
    mine = torch.arange(10.0).reshape(2, 5).t() if on.rank == 0 else torch.zeros(5, 2)
    outputs = [torch.full((5, 2), -1.0) for _ in range(2)] if on.rank == 1 else None
    dist.gather(mine, outputs, 1, group=on.group)
    if outputs is not None:
        same(outputs[0], [[0.0, 5.0], [1.0, 6.0], [2.0, 7.0], [3.0, 8.0], [4.0, 9.0]])


@check(3)
def reductions_in_place(on: Ranks) -> None:
    expected = 3 * torch.arange(8.0) + 300
    for tensor, _ in each_layout(on, 8):
        before = tensor.clone()
        dist.all_reduce(tensor, group=on.group)
        same(tensor.reshape(-1), expected)
        tensor.copy_(before)
        dist.reduce(tensor, 1, group=on.group)
        same(tensor.reshape(-1), expected if on.rank == 1 else before.reshape(-1))


@check(3)
def roots(on: Ranks) -> None:
    for tensor, layout in each_layout(on, 8):
        mine = tensor.clone()
        dist.broadcast(tensor, 2, group=on.group)
        same(tensor.reshape(-1), torch.arange(8.0) + 200)
        rooms = [layout(torch.zeros(8)) for _ in range(3)]
        dist.gather(mine, rooms if on.rank == 0 else None, 0, group=on.group)
        for rank, room in enumerate(rooms):
            same(room.reshape(-1), torch.arange(8.0) + 100 * rank if on.rank == 0 else torch.zeros(8))
        block = layout(torch.zeros(8))
        pieces = [layout(torch.arange(8.0) * (rank + 1)) for rank in range(3)] if on.rank == 1 else None
        dist.scatter(block, pieces, 1, group=on.group)
        same(block.reshape(-1), torch.arange(8.0) * (on.rank + 1))


@check(3)
def blocks(on: Ranks) -> None:
    for tensor, layout in each_layout(on, 8):
        rooms = [layout(torch.zeros(8)) for _ in range(3)]
        dist.all_gather(rooms, tensor, group=on.group)
        for rank, room in enumerate(rooms):
            same(room.reshape(-1), torch.arange(8.0) + 100 * rank)
        block = layout(torch.zeros(8))
        dist.reduce_scatter(block, [layout(torch.arange(8.0) + rank) for rank in range(3)], group=on.group)
        same(block.reshape(-1), 3 * (torch.arange(8.0) + on.rank))
        rooms = [layout(torch.zeros(8)) for _ in range(3)]
        dist.all_to_all(rooms, [layout(torch.arange(8.0) + 10 * on.rank + rank) for rank in range(3)], group=on.group)
        for rank, room in enumerate(rooms):
            same(room.reshape(-1), torch.arange(8.0) + 10 * rank + on.rank)


@check(2)
def whole_tensors(on: Ranks) -> None:
    columns = torch.zeros(2, 4).t()
    dist.all_gather_into_tensor(columns, torch.arange(8.0).reshape(4, 2)[:, on.rank], group=on.group)
    same(columns.reshape(-1), [0.0, 2.0, 4.0, 6.0, 1.0, 3.0, 5.0, 7.0])
    block = torch.zeros(4)[::2]
    dist.reduce_scatter_tensor(block, torch.arange(8.0)[::2], group=on.group)
    same(block, [[0.0, 4.0], [8.0, 12.0]][on.rank])
    rows = torch.zeros(3, 2).t()
    dist.all_to_all_single(rows, torch.arange(6.0).reshape(3, 2).t() + 10 * on.rank, group=on.group)
    same(rows, [[[0.0, 2.0, 4.0], [10.0, 12.0, 14.0]], [[1.0, 3.0, 5.0], [11.0, 13.0, 15.0]]][on.rank])


@check(2)
def messages(on: Ranks) -> None:
    for tensor, layout in each_layout(on, 8):
        room = layout(torch.zeros(8))
        sent = dist.isend(tensor, 1 - on.rank, group=on.group)
        received = dist.irecv(room, 1 - on.rank, group=on.group)
        received.wait()
        sent.wait()
        same(room.reshape(-1), torch.arange(8.0) + 100 * (1 - on.rank))


@check(2)
def what_lies_beside_is_not_touched(on: Ranks) -> None:
    matrix = torch.full((4, 4), float(on.rank))
    dist.all_reduce(matrix[:, 1], group=on.group)
    same(matrix[:, 1], [1.0] * 4)
    same(matrix[:, 0], [float(on.rank)] * 4)


@check(2)
def a_failed_call_leaves_a_strided_tensor(on: Ranks) -> None:
    room = strided(torch.arange(4.0 + on.rank))
    before = room.clone()
    fails(RuntimeError, lambda: dist.all_reduce(room, group=on.group))
    same(room, before)


@check(2)
def expanded_outputs_are_refused(on: Ranks) -> None:
    expanded = torch.ones(1).expand(4)
    fails(ValueError, lambda: dist.all_reduce(expanded, group=on.group), "share memory")
    # As an input it has values like any other.
    outputs = [torch.zeros(4) for _ in range(2)]
    dist.all_gather(outputs, expanded * 1.0 if on.rank else expanded, group=on.group)
    same(outputs[0], [1.0] * 4)


@check(2)
def conjugates_are_resolved(on: Ranks) -> None:
    values = torch.tensor([1 + 2j, 3 - 4j]).conj()
    room = torch.zeros(2, dtype=torch.complex64)
    dist.broadcast(room if on.rank else values, 0, group=on.group)
    if on.rank:
        same(room, torch.tensor([1 - 2j, 3 + 4j]))
    target = torch.zeros(2, dtype=torch.complex64).conj()
    dist.broadcast(target if on.rank else torch.tensor([5 + 1j, 2j]), 0, group=on.group)
    if on.rank:
        same(target.resolve_conj(), torch.tensor([5 + 1j, 2j]))


@check(3)
def blocks_in_their_own_result(on: Ranks) -> None:
    outputs = [torch.full((2,), float(on.rank)) for _ in range(3)]
    dist.all_gather(outputs, outputs[on.rank], group=on.group)
    whole = torch.full((6,), float(on.rank))
    dist.all_gather_into_tensor(whole, whole[2 * on.rank : 2 * on.rank + 2], group=on.group)
    same(whole, [0.0, 0.0, 1.0, 1.0, 2.0, 2.0])
    same(torch.cat(outputs), whole)
    pieces = [torch.full((2,), rank + 1.0) for rank in range(3)]
    dist.reduce_scatter(pieces[on.rank], pieces, group=on.group)
    same(pieces[on.rank], [3.0 * (on.rank + 1)] * 2)
    mine = [torch.full((2,), rank + 5.0) for rank in range(3)]
    dist.scatter(mine[on.rank], mine if on.rank == 1 else None, 1, group=on.group)
    same(mine[on.rank], [on.rank + 5.0] * 2)
    dist.gather(mine[on.rank], mine if on.rank == 1 else None, 1, group=on.group)
    if on.rank == 1:
        same(torch.cat(mine), [5.0, 5.0, 6.0, 6.0, 7.0, 7.0])


@check(2)
def parameters_are_used_without_their_history(on: Ranks) -> None:
    parameter = torch.nn.Parameter(torch.ones(3))
    dist.all_reduce(parameter, group=on.group)
    same(parameter.detach(), [2.0] * 3)
    assert parameter.grad_fn is None and parameter.requires_grad


run_checks()
