"""Values, element types and sizes of the collectives, on numpy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parex
from parex import Options
from ranks import Ranks


def bf16(*values: float) -> np.ndarray[Any, np.dtype[np.uint16]]:
    """The upper halves of float32 values that have nothing in their lower halves."""
    return (np.array(values, np.float32).view(np.uint32) >> 16).astype(np.uint16)


def same(results: list[Any], *expected: Any) -> bool:
    return all(np.array_equal(np.asarray(result), np.asarray(want)) for result, want in zip(results, expected))


def test_c01_should_gather_tensors_without_elements(ranks_of: Any) -> None:
    ranks: Ranks = ranks_of(4)
    gathered = ranks.each(lambda group: group.all_gather(np.empty((1, 0, 2), np.float32)))
    assert [each.shape for each in gathered] == [(4, 1, 0, 2)] * 4
    assert same(ranks.each(lambda group: group.all_reduce(np.ones(3))), *[[4.0] * 3] * 4)


def test_c03_should_do_every_collective_in_a_world_of_one(ranks_of: Any) -> None:
    group = ranks_of(1).clients[0].world
    values = np.array([1, 2, 3], np.float32)
    for op in ("avg", "sum", "max", "min", "product"):
        assert same([group.all_reduce(values, op), group.reduce(values, 0, op)], values, values)
        assert same([group.reduce_scatter(values[np.newaxis], op)], values)
    whole = values[np.newaxis]
    results = [group.all_gather(values), group.gather(values, 0), group.all_to_all(whole)]
    assert same(results, whole, whole, whole)
    assert same([group.scatter(whole, 0), group.broadcast(values.copy(), 0)], values, values)
    group.barrier()


def test_c04_should_scatter_the_right_halves_of_a_sum(ranks_of: Any) -> None:
    source = np.array([1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16], np.int32).reshape(2, 6)
    kept = source.copy()
    halves = ranks_of(2).each(lambda group: group.reduce_scatter(source))
    assert same(halves, [2, 4, 6, 8, 10, 12], [22, 24, 26, 28, 30, 32])
    assert np.array_equal(source, kept)


@pytest.mark.parametrize("size, root", [(2, 0), (5, 3)])
def test_c06_should_reduce_at_the_root_only(ranks_of: Any, size: int, root: int) -> None:
    inputs = [np.array([[1, 2], [3, 4]]) + 3 * rank for rank in range(size)]
    results = ranks_of(size).each(lambda group: group.reduce(inputs[group.rank], root, out=inputs[group.rank]))
    assert [result is None for result in results] == [rank != root for rank in range(size)]
    untouched = np.array([[1, 2], [3, 4]])
    total = sum(untouched + 3 * rank for rank in range(size))
    assert same(inputs, *[total if rank == root else untouched + 3 * rank for rank in range(size)])


def test_c07_should_scatter_strided_pieces(ranks_of: Any) -> None:
    pieces = np.broadcast_to(np.arange(6, dtype=np.float32)[::2], (2, 3))

    def scatter(group: parex.Group) -> Any:
        return group.scatter(pieces if group.rank == 0 else None, 0, np.empty(3, np.float32))

    assert same(ranks_of(2).each(scatter), [0, 2, 4], [0, 2, 4])


def test_c09_should_gather_a_transposed_matrix(ranks_of: Any) -> None:
    matrix = np.arange(10, dtype=np.float32).reshape(2, 5).T
    gathered = ranks_of(2).each(lambda group: group.gather(matrix, 1))
    assert gathered[0] is None
    assert same([gathered[1]], [[[0, 5], [1, 6], [2, 7], [3, 8], [4, 9]]] * 2)


def test_c09_should_refuse_outputs_that_are_not_contiguous(ranks_of: Any) -> None:
    group = ranks_of(1).clients[0].world
    for out in (np.empty((4, 2)).T, np.empty(16)[::2].reshape(2, 4)[:, ::-1]):
        with pytest.raises(parex.ArgumentError, match="not contiguous"):
            group.all_reduce(np.ones((2, 4)), out=out)
    with pytest.raises(parex.ArgumentError, match="read-only"):
        group.all_reduce(np.ones(2), out=np.broadcast_to(np.float64(1), (2,)))
    with pytest.raises(parex.ArgumentError, match="list is neither an array nor a buffer"):
        group.all_reduce([1, 2])
    with pytest.raises(parex.ArgumentError, match=">f4"):
        group.all_reduce(np.ones(2, ">f4"))


def test_c10_should_tell_both_sides_of_different_types(ranks_of: Any) -> None:
    tensors = [np.arange(6, dtype=np.float32), np.zeros(14, np.int64)]
    texts = ranks_of(2).fail(lambda group: group.broadcast(tensors[group.rank], 0), parex.MismatchError)
    assert all("float32 x 6" in text and "int64 x 14" in text for text in texts)
    assert not tensors[1].any()


@pytest.mark.parametrize(
    "op, expected",
    [
        ("sum", (2.0, -2.0, 4.0)),
        ("max", (1.5, 0.25, 3.0)),
        ("min", (0.5, -2.25, 1.0)),
        ("avg", (1.0, -1.0, 2.0)),
        ("product", (0.75, -0.5625, 3.0)),
    ],
)
def test_c12_should_reduce_bfloat16(ranks_of: Any, op: str, expected: tuple[float, ...]) -> None:
    inputs = [bf16(1.5, -2.25, 3.0), bf16(0.5, 0.25, 1.0)]
    reduced = ranks_of(2).each(lambda group: group.all_reduce(inputs[group.rank], op, dtype="bfloat16"))
    assert same(reduced, bf16(*expected), bf16(*expected))


def test_c14_should_not_overflow_float16_on_the_way(ranks_of: Any) -> None:
    signs = [1, 1, -1]
    summed = ranks_of(3).each(lambda group: group.all_reduce(np.full(1, 60000 * signs[group.rank], np.float16)))
    assert same(summed, [60000], [60000], [60000])
    averaged = ranks_of(2).each(lambda group: group.all_reduce(np.full(1, 60000, np.float16), "avg"))
    assert same(averaged, [60000], [60000])


@pytest.mark.parametrize(
    "dtype, op, values, expected",
    [("int8", "sum", (120, 100), -36), ("uint8", "sum", (200, 100), 44), ("int32", "product", (65536, 65536), 0)],
)
def test_c16_should_wrap_integers_around(
    ranks_of: Any, dtype: str, op: str, values: tuple[int, int], expected: int
) -> None:
    results = ranks_of(2).each(lambda group: group.all_reduce(np.array([values[group.rank]]).astype(dtype), op))
    assert same(results, [expected], [expected])


def test_c17_should_move_bool(ranks_of: Any) -> None:
    inputs = [np.array([1, 0, 1, 0, 1], bool), np.array([0, 0, 1, 1, 0], bool)]
    ranks: Ranks = ranks_of(2)
    gathered = ranks.each(lambda group: group.gather(inputs[group.rank], 0))
    everywhere = ranks.each(lambda group: group.all_gather(inputs[group.rank]))
    given = ranks.each(lambda group: group.broadcast(inputs[group.rank].copy(), 1))
    assert same([gathered[0], *everywhere, *given], inputs, inputs, inputs, inputs[1], inputs[1])
    assert {each.dtype for each in everywhere} == {np.dtype(bool)}


@pytest.mark.parametrize("op, is_or", [("sum", True), ("max", True), ("product", False), ("min", False)])
def test_c18_should_reduce_bool(ranks_of: Any, op: str, is_or: bool) -> None:
    inputs = [np.array([1, 0, 1], bool), np.array([0, 0, 1], bool), np.array([1, 0, 1], bool)]
    results = ranks_of(3).each(lambda group: group.all_reduce(inputs[group.rank], op).view(np.uint8))
    assert same(results, *[[1, 0, 1] if is_or else [0, 0, 1]] * 3)


def test_c18_should_refuse_the_average_of_bool(ranks_of: Any) -> None:
    ranks_of(3).fail(lambda group: group.all_reduce(np.ones(3, bool), "avg"), parex.UnsupportedError)


@pytest.mark.parametrize("op, expected", [("band", 8), ("bor", 14), ("bxor", 6)])
def test_c19_should_combine_bits_of_integers_only(ranks_of: Any, op: str, expected: int) -> None:
    values = (12, 10)
    ranks: Ranks = ranks_of(2)
    results = ranks.each(lambda group: group.all_reduce(np.full(2, values[group.rank], np.int32), op))
    assert same(results, [expected] * 2, [expected] * 2)
    ranks.fail(lambda group: group.all_reduce(np.ones(2, np.float32), op), parex.UnsupportedError)


def test_c20_should_do_int16(ranks_of: Any) -> None:
    values = np.array([-1, 2, 3, -5], np.int16)
    ranks: Ranks = ranks_of(2)
    assert same(ranks.each(lambda group: group.all_gather(values)), [values] * 2, [values] * 2)
    assert same(ranks.each(lambda group: group.all_reduce(values)), values * 2, values * 2)


@pytest.mark.parametrize(
    "storage, dtype",
    [
        ("uint8", "float8_e4m3"),
        ("uint8", "float8_e5m2"),
        ("complex64", None),
        ("uint16", None),
        ("uint32", None),
        ("uint64", None),
    ],
)
def test_c21_should_only_carry_some_types(ranks_of: Any, storage: str, dtype: str | None) -> None:
    values = np.arange(256, dtype=np.uint8).view(storage)
    ranks: Ranks = ranks_of(2)

    def move(group: parex.Group) -> list[Any]:
        moved = [group.broadcast(values if group.rank == 0 else np.zeros_like(values), 0, dtype=dtype)]
        moved += list(group.all_gather(values, dtype=dtype))
        target = np.zeros_like(values)
        group.send_recv(parex.Send(values, 1 - group.rank, 0, dtype), parex.Recv(target, 1 - group.rank, 0, dtype))
        return [each.tobytes() for each in (*moved, target)]

    assert ranks.each(move) == [[values.tobytes()] * 4] * 2
    op = "max" if storage == "complex64" else "sum"
    texts = ranks.fail(lambda group: group.all_reduce(values, op, dtype=dtype), parex.UnsupportedError)
    assert all((dtype or storage) in text for text in texts)


def test_c22_should_average_over_the_members(ranks_of: Any) -> None:
    ranks: Ranks = ranks_of(4)

    def average(group: parex.Group) -> Any:
        return group.all_reduce(np.full(10, group.client.rank + 1, np.float32), "avg")

    assert same(ranks.each(average), *[[2.5] * 10] * 4)
    reduced = ranks.each(lambda group: group.reduce(np.full(10, group.rank + 1, np.float32), 2, "avg"))
    assert same([reduced[2]], [2.5] * 10)
    odd = ranks.group("odd", [1, 3])
    handles = [each.all_reduce_async(np.full(10, each.client.rank + 1, np.float32), "avg") for each in odd]
    assert same([handle.wait() for handle in handles], [3.0] * 10, [3.0] * 10)


@pytest.mark.parametrize("size, count", [(5, 3), (3, 7)])
def test_c29_should_take_counts_that_do_not_divide(ranks_of: Any, size: int, count: int) -> None:
    steps = np.arange(1, count + 1, dtype=np.int32)
    total = sum(range(1, size + 1)) * steps
    assert same(ranks_of(size).each(lambda group: group.all_reduce((group.rank + 1) * steps)), *[total] * size)


@pytest.mark.parametrize("size", [3, 5, 6, 7])
def test_c29_should_broadcast_few_bytes_from_every_root(ranks_of: Any, size: int) -> None:
    def broadcast(group: parex.Group) -> bool:
        good = True
        for count in range(1, 9):
            for root in range(size):
                expected = np.arange(count, dtype=np.uint8) + root
                tensor = expected.copy() if group.rank == root else np.zeros(count, np.uint8)
                good = good and same([group.broadcast(tensor, root)], expected)
        return good

    assert all(ranks_of(size).each(broadcast))


@pytest.mark.parametrize("array", [np.float32(3.5), np.ones(1, np.float32), np.ones(7, np.float32)])
def test_c30_should_refuse_blocks_that_do_not_divide(ranks_of: Any, array: Any) -> None:
    ranks_of(4).fail(lambda group: group.reduce_scatter(array), parex.ArgumentError)


def test_should_scale_before_summing(ranks_of: Any) -> None:
    ranks: Ranks = ranks_of(2)
    results = ranks.each(lambda group: group.all_reduce(np.ones(4), "premul_sum", factor=0.25))
    assert same(results, [0.5] * 4, [0.5] * 4)
    ranks.fail(lambda group: group.all_reduce(np.ones(4), "premul_sum"), parex.ArgumentError)


@pytest.mark.parametrize("count", [0, 1, 5, 300_000])
def test_should_work_in_place_and_apart(ranks_of: Any, count: int) -> None:
    ranks: Ranks = ranks_of(3)

    def in_place(group: parex.Group) -> list[bytes]:
        own = np.arange(3 * count, dtype=np.float32).reshape(3, count) * (group.rank + 1)
        apart = [group.all_reduce(own), group.all_to_all(own), group.reduce_scatter(own), group.all_gather(own[1])]
        placed = [own.copy() for _ in apart]
        group.all_reduce(placed[0], out=placed[0])
        group.all_to_all(placed[1], out=placed[1])
        group.reduce_scatter(placed[2], out=placed[2][group.rank])
        placed[3][group.rank] = own[1]
        group.all_gather(placed[3][group.rank], out=placed[3])
        placed[2] = placed[2][group.rank]
        return [same([mine], other) for mine, other in zip(placed, apart)]

    assert ranks.each(in_place) == [[True] * 4] * 3


def test_should_refuse_other_overlaps(ranks_of: Any) -> None:
    group = ranks_of(2).clients[0].world
    array = np.zeros(10)
    for call in (
        lambda: group.all_reduce(array[:6], out=array[2:8]),
        lambda: group.all_gather(array[1:5], out=array[:8]),
        lambda: group.all_to_all(array[:4].reshape(2, 2), out=array[1:5]),
    ):
        with pytest.raises(parex.ArgumentError, match="overlap"):
            call()


def test_should_take_an_algorithm_by_name(ranks_of: Any) -> None:
    ranks: Ranks = ranks_of(2)
    ring = Options(algorithm="ring", deterministic=False, name="layer1")
    assert same(ranks.each(lambda group: group.all_reduce(np.ones(2), options=ring)), [2, 2], [2, 2])
    unknown = Options(algorithm="no-such")
    ranks.fail(lambda group: group.all_reduce(np.ones(2), options=unknown), parex.ArgumentError)
