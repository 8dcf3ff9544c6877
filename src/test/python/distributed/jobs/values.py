"""Values, types and operations of collectives."""

from __future__ import annotations

import torch
import torch.distributed as dist
from job import Ranks, check, fails, run_checks, same

from parex import MismatchError, ParexError, UnsupportedError

OPS = dist.ReduceOp
EVERY_TYPE = (
    torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
    torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128,
)  # fmt: skip


def reduced(values: torch.Tensor, op: dist.ReduceOp, on: Ranks) -> torch.Tensor:
    result = values.clone()
    dist.all_reduce(result, op, group=on.group)
    return result


@check(4)
def c01_all_gather_of_no_elements(on: Ranks) -> None:
    outputs = [torch.empty(1, 0, 2) for _ in range(4)]
    dist.all_gather(outputs, torch.empty(1, 0, 2), group=on.group)
    assert [each.shape for each in outputs] == [(1, 0, 2)] * 4
    same(reduced(torch.tensor([1.0]), OPS.SUM, on), [4.0])


@check(2)
def c04_reduce_scatter_sums_the_right_halves(on: Ranks) -> None:
    given = torch.tensor([1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16], dtype=torch.int32)
    expected = [[2, 4, 6, 8, 10, 12], [22, 24, 26, 28, 30, 32]][on.rank]
    whole, output, listed = given.clone(), torch.empty(6, dtype=torch.int32), torch.empty(6, dtype=torch.int32)
    dist.reduce_scatter_tensor(output, whole, group=on.group)
    dist.reduce_scatter(listed, list(whole.chunk(2)), group=on.group)
    same(output, expected)
    same(listed, expected)
    same(whole, given)


@check(2)
def c06_reduce_does_not_touch_other_ranks(on: Ranks) -> None:
    given = torch.tensor([[[1, 2], [3, 4]], [[4, 5], [6, 7]]][on.rank])
    result = given.clone()
    dist.reduce(result, 0, group=on.group)
    same(result, [[5, 7], [9, 11]] if on.rank == 0 else given)


@check(5)
def c06_reduce_to_rank_3_of_5(on: Ranks) -> None:
    result = torch.ones(2, 2)
    dist.reduce(result, 3, group=on.group)
    same(result, torch.full((2, 2), 5.0 if on.rank == 3 else 1.0))


@check(2)
def c10_broadcast_of_different_types(on: Ranks) -> None:
    tensor = torch.arange(6.0) if on.rank == 0 else torch.zeros(14, dtype=torch.int64)
    before = tensor.clone()
    fails(MismatchError, lambda: dist.broadcast(tensor, 0, group=on.group), "float32", "int64", "6", "14")
    same(tensor, before)
    same(reduced(torch.tensor([1.0]), OPS.SUM, on), [2.0])


@check(2)
def c12_bfloat16(on: Ranks) -> None:
    given = torch.tensor([[1.5, -2.25, 3.0], [0.5, 0.25, 1.0]][on.rank], dtype=torch.bfloat16)
    for op, expected in (
        (OPS.SUM, [2.0, -2.0, 4.0]),
        (OPS.MAX, [1.5, 0.25, 3.0]),
        (OPS.MIN, [0.5, -2.25, 1.0]),
        (OPS.AVG, [1.0, -1.0, 2.0]),
        (OPS.PRODUCT, [0.75, -0.5625, 3.0]),
    ):
        same(reduced(given, op, on), torch.tensor(expected, dtype=torch.bfloat16))


@check(2)
def c17_bool_is_moved(on: Ranks) -> None:
    both = [torch.tensor([True, False, True, False, True]), torch.tensor([False, False, True, True, False])]
    gathered = [torch.zeros(5, dtype=torch.bool) for _ in range(2)]
    dist.gather(both[on.rank], gathered if on.rank == 0 else None, 0, group=on.group)
    everywhere = [torch.zeros(5, dtype=torch.bool) for _ in range(2)]
    dist.all_gather(everywhere, both[on.rank], group=on.group)
    sent = both[on.rank].clone()
    dist.broadcast(sent, 1, group=on.group)
    for rank in range(2):
        same(everywhere[rank], both[rank])
        same(gathered[rank], both[rank] if on.rank == 0 else torch.zeros(5, dtype=torch.bool))
    same(sent, both[1])


@check(3)
def c18_bool_is_reduced(on: Ranks) -> None:
    given = torch.tensor([[True, False, True], [False, False, True], [True, False, True]][on.rank])
    for op, expected in (
        (OPS.SUM, [True, False, True]),
        (OPS.MAX, [True, False, True]),
        (OPS.PRODUCT, [False, False, True]),
        (OPS.MIN, [False, False, True]),
    ):
        result = reduced(given, op, on)
        same(result, expected)
        assert set(result.view(torch.uint8).tolist()) <= {0, 1}
    fails(UnsupportedError, lambda: reduced(given, OPS.AVG, on), "avg", "bool")


@check(2)
def c20_int16(on: Ranks) -> None:
    given = torch.tensor([-1, 2, 3, -5], dtype=torch.int16)
    outputs = [torch.empty_like(given) for _ in range(2)]
    dist.all_gather(outputs, given, group=on.group)
    for output in outputs:
        same(output, given)
    same(reduced(given, OPS.SUM, on), [-2, 4, 6, -10])


@check(4)
def c22_avg_divides_by_the_number_of_ranks(on: Ranks) -> None:
    given = torch.full((10,), on.rank + 1.0)
    same(reduced(given, OPS.AVG, on), [2.5] * 10)
    result = given.clone()
    dist.reduce(result, 2, OPS.AVG, group=on.group)
    same(result, [2.5] * 10 if on.rank == 2 else given)


@check(4)
def c25_nan_wins(on: Ranks) -> None:
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        for place in range(4):
            given = torch.tensor([float("nan") if on.rank == place else on.rank + 1.0], dtype=dtype)
            for op in (OPS.MIN, OPS.MAX):
                assert reduced(given, op, on).isnan().all(), (dtype, place, op)


@check(4)
def c27_all_ranks_hold_the_same_bits(on: Ranks) -> None:
    values = torch.tensor([1e8, 1.0, -1e8, 1.0])
    given = values[(torch.arange(1000) + on.rank) % 4]
    first = reduced(given, OPS.SUM, on)
    for _ in range(99):
        same(reduced(given, OPS.SUM, on), first)
    outputs = [torch.empty(1000) for _ in range(4)]
    dist.all_gather(outputs, first, group=on.group)
    for output in outputs:
        same(output, first)


@check(4)
def c30_reduce_scatter_of_a_scalar(on: Ranks) -> None:
    for given in (torch.tensor(3.5), torch.tensor([3.5]), torch.ones(7)):
        fails(ValueError, lambda: dist.reduce_scatter_tensor(torch.empty(1), given, group=on.group), "4 blocks")
    same(reduced(torch.tensor(3.5), OPS.SUM, on), torch.tensor(14.0))


@check(2)
def c40_rows_without_elements(on: Ranks) -> None:
    shape = ((648632, 0), (5, 0))[on.rank]
    outputs = [torch.empty(shape) for _ in range(2)]
    fails(MismatchError, lambda: dist.all_gather(outputs, torch.empty(shape), group=on.group), "648632", "(5, 0)")
    output = torch.empty(4, 0)
    dist.all_to_all_single(output, torch.empty(4, 0), group=on.group)
    assert output.shape == (4, 0)


@check(2)
def equal_counts_of_different_shapes_are_reduced(on: Ranks) -> None:
    given = torch.arange(6.0).reshape(((2, 3), (3, 2))[on.rank])
    same(reduced(given, OPS.SUM, on), 2 * given)


@check(3)
def every_type_is_moved(on: Ranks) -> None:
    for dtype in EVERY_TYPE:
        given = [(torch.arange(5) * (rank + 1) - rank).to(dtype) for rank in range(3)]
        outputs = [torch.zeros_like(given[0]) for _ in range(3)]
        dist.all_gather(outputs, given[on.rank], group=on.group)
        room = torch.zeros_like(given[0])
        sent = dist.isend(given[on.rank], (on.rank + 1) % 3, group=on.group)
        dist.recv(room, (on.rank - 1) % 3, group=on.group)
        sent.wait()
        same(room, given[(on.rank - 1) % 3])
        for output, wanted in zip(outputs, given, strict=True):
            same(output, wanted)


@check(3, gloo=True)
def reductions_agree_with_gloo(on: Ranks) -> None:
    for dtype in (torch.uint8, torch.int8, torch.int32, torch.int64, torch.float16, torch.float32, torch.float64):
        for op in (OPS.SUM, OPS.PRODUCT, OPS.MIN, OPS.MAX):
            given = (torch.arange(7) % 3 + on.rank).to(dtype)
            expected = given.clone()
            dist.all_reduce(expected, op, group=on.gloo)
            same(reduced(given, op, on), expected)


@check(2)
def bits_are_combined(on: Ranks) -> None:
    given = torch.tensor([12, 10][on.rank], dtype=torch.int32)
    for op, expected in ((OPS.BAND, 8), (OPS.BOR, 14), (OPS.BXOR, 6)):
        same(reduced(given, op, on), torch.tensor(expected, dtype=torch.int32))
        fails(UnsupportedError, lambda op=op: reduced(given.float(), op, on))


@check(2)
def complex_numbers_are_summed(on: Ranks) -> None:
    given = torch.tensor([1 + 2j, 3 - 1j]) * (on.rank + 1)
    same(reduced(given, OPS.SUM, on), torch.tensor([3 + 6j, 9 - 3j]))
    at_root = given.clone()
    dist.reduce(at_root, 1, group=on.group)
    same(at_root, torch.tensor([3 + 6j, 9 - 3j]) if on.rank == 1 else given)
    output = torch.empty(1, dtype=torch.complex64)
    dist.reduce_scatter(output, list(given.chunk(2)), group=on.group)
    same(output, torch.tensor([[3 + 6j], [9 - 3j]][on.rank]))
    fails(UnsupportedError, lambda: dist.reduce(given, 0, OPS.MAX, group=on.group), "max", "complex")


@check(2)
def the_factor_of_premul_sum_is_not_guessed(on: Ranks) -> None:
    op = dist._make_nccl_premul_sum(2.5) if hasattr(dist, "_make_nccl_premul_sum") else None
    if op is None:
        op = torch._C._distributed_c10d._make_nccl_premul_sum(2.5)
    if isinstance(op.__getstate__(), tuple):
        same(reduced(torch.tensor([2.0]), op, on), [10.0])
    else:
        fails(UnsupportedError, lambda: reduced(torch.tensor([2.0]), op, on), "PREMUL_SUM")


@check(2)
def what_is_no_host_memory_is_refused(on: Ranks) -> None:
    fails(ValueError, lambda: dist.all_reduce(torch.empty(3, device="meta"), group=on.group), "'meta'", ".cpu()")
    sparse = torch.eye(3).to_sparse()
    fails(ValueError, lambda: dist.broadcast(sparse, 0, group=on.group), "sparse")
    fails(ParexError, lambda: dist.broadcast(torch.quantize_per_tensor(torch.ones(2), 1.0, 0, torch.qint8), 0), "qint8")


@check(3)
def lists_of_different_sizes(on: Ranks) -> None:
    outputs = [torch.zeros(size + 1) for size in range(3)]
    dist.all_gather(outputs, torch.full((on.rank + 1,), float(on.rank)), group=on.group)
    for rank, output in enumerate(outputs):
        same(output, torch.full((rank + 1,), float(rank)))
    part = torch.zeros(on.rank + 1)
    dist.reduce_scatter(part, [torch.full((size + 1,), float(size)) for size in range(3)], group=on.group)
    same(part, torch.full((on.rank + 1,), 3.0 * on.rank))


@check(3)
def coalesced(on: Ranks) -> None:
    tensors = [torch.full((size,), on.rank + 1.0) for size in (1, 0, 5)]
    dist.all_reduce_coalesced(tensors, group=on.group)
    for tensor, size in zip(tensors, (1, 0, 5), strict=True):
        same(tensor, torch.full((size,), 6.0))
    later = [torch.full((size,), on.rank + 1.0) for size in (2, 3)]
    value = dist.all_reduce_coalesced(later, group=on.group, async_op=True).wait()
    assert value[1] is later[1] or torch.equal(value[1], torch.full((3,), 6.0))
    work = on.group.allgather_into_tensor_coalesced(
        [whole := torch.zeros(3), strided := torch.zeros(12)[::2]], [torch.tensor([on.rank + 1.0]), torch.ones(2)]
    )
    assert len(work.get_future().wait()) == 2 and work.wait() and work.is_success()
    same(whole, [1.0, 2.0, 3.0])
    same(strided, [1.0] * 6)
    parts = [torch.zeros(1), torch.zeros(2)]
    opts = dist.ReduceScatterOptions()
    assert on.group.reduce_scatter_tensor_coalesced(parts, [torch.ones(3), torch.ones(6)], opts).wait()
    same(torch.cat(parts), [3.0] * 3)
    assert on.group.allgather_into_tensor_coalesced([], []).get_future().wait() == []
    inputs = [torch.full((size,), float(on.rank)) for size in (1, 4)]
    lists = [[torch.zeros(1), torch.zeros(4)] for _ in range(3)]
    dist.all_gather_coalesced(lists, inputs, group=on.group)
    for rank, row in enumerate(lists):
        same(row[0], torch.full((1,), float(rank)))
        same(row[1], torch.full((4,), float(rank)))


run_checks()
