"""Handles of started operations: waiting, polling, callbacks, several threads."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest

import parex
from parex import Options
from ranks import Ranks, on_each


def test_c74_should_make_progress_without_a_wait(ranks_of: Any) -> None:
    first, second = (client.world for client in ranks_of(2).clients)
    target = np.zeros(1 << 17)
    works = [first.isend(np.ones(1 << 17), 1), second.irecv(target, 0)]
    limit = time.monotonic() + 10
    pause = threading.Event()
    while not all(work.done() for work in works):
        assert time.monotonic() < limit
        pause.wait(0.01)
    assert (target == 1).all()


def test_c75_should_give_every_wait_the_same_outcome(ranks_of: Any) -> None:
    handles = [client.world.all_reduce_async(np.ones(3)) for client in ranks_of(2).clients]
    once = [handle.wait() for handle in handles]
    twice = on_each([handles[0]] * 4, lambda handle: handle.wait())
    assert all(result is once[0] for result in twice)
    assert (once[0] == 2).all() and handles[0].done() and handles[0].exception() is None


def test_c75_should_give_every_wait_the_same_failure(ranks_of: Any) -> None:
    handles = [
        client.world.all_reduce_async(np.ones(3), options=Options(name=f"of rank {client.rank}"))
        for client in ranks_of(2).clients
    ]

    def failure(handle: parex.Pending[Any]) -> parex.ParexError:
        with pytest.raises(parex.MismatchError) as caught:
            handle.wait()
        return caught.value

    errors = on_each([handles[0]] * 3, failure)
    assert errors[0] is errors[1] is errors[2] is handles[0].exception()
    assert errors[0].kind == "mismatch" and errors[0].primitive == "all_reduce"
    assert failure(handles[1]).ranks == (1,)


def test_c77_should_send_what_a_buffer_held(ranks_of: Any) -> None:
    first, second = (client.world for client in ranks_of(2).clients)
    source = np.full(1 << 20, 7, np.uint8)
    sent = first.isend(source, 1)
    source[:] = 9
    target = np.zeros(1 << 20, np.uint8)
    second.recv(target, 0)
    sent.wait()
    assert (target == 7).all()


def test_c78_should_keep_what_callers_have_dropped(ranks_of: Any) -> None:
    first, second = (client.world for client in ranks_of(2).clients)
    sent = [first.isend(np.full(200_000, float(number)), 1, number) for number in range(3)]
    targets = [np.zeros(200_000) for _ in range(3)]
    received = [second.irecv(targets[number], 0, number) for number in range(3)]
    for work in (*received, *sent):
        work.wait()
    assert [target[0] for target in targets] == [0, 1, 2]


def test_c79_should_never_mix_calls_of_two_threads(ranks_of: Any) -> None:
    ranks: Ranks = ranks_of(2)
    for counts in ((1000, 10), (10, 10)):
        calls = [(group, index) for group in (client.world for client in ranks.clients) for index in range(2)]

        def reduce(call: tuple[parex.Group, int]) -> bool:
            group, index = call
            values = np.full(counts[index], index + 1)
            try:
                result = group.all_reduce(values, options=Options(name=f"thread {index}"))
            except parex.MismatchError:
                return True
            return bool((result == 2 * (index + 1)).all())

        assert all(on_each(calls, reduce))
    # In a different order on the two ranks, for certain.
    orders = [(0, 1), (1, 0)]

    def clash(group: parex.Group) -> list[parex.ParexError | None]:
        handles = [
            group.all_reduce_async(np.ones(10), options=Options(name=f"thread {index}"))
            for index in orders[group.rank]
        ]
        return [handle.exception() for handle in handles if settled(handle)]

    assert all(isinstance(error, parex.MismatchError) for errors in ranks.each(clash) for error in errors)


def settled(handle: parex.Pending[Any]) -> bool:
    """Whether it has ended, after a wait."""
    try:
        handle.wait(30)
    except parex.ParexError:
        pass
    return handle.done()


def test_c80_should_time_out_a_call_and_go_on(ranks_of: Any) -> None:
    ranks: Ranks = ranks_of(2)
    start = time.monotonic()
    with pytest.raises(parex.CallTimeoutError) as caught:
        ranks.clients[0].world.barrier(options=Options(timeout=1))
    assert 0.9 < time.monotonic() - start < 3
    assert isinstance(caught.value, TimeoutError) and "rank 1" in str(caught.value)
    with pytest.raises(parex.CallTimeoutError):
        ranks.clients[1].world.barrier()
    ranks.each(lambda group: group.barrier())


def test_should_end_a_wait_before_its_operation(ranks_of: Any) -> None:
    first, second = (client.world for client in ranks_of(2).clients)
    handle = first.all_reduce_async(np.ones(2))
    with pytest.raises(parex.WaitTimeout):
        handle.wait(0.05)
    assert not handle.done()
    second.all_reduce(np.ones(2))
    assert (handle.wait() == 2).all()


def test_should_call_back_exactly_once(ranks_of: Any) -> None:
    first, second = (client.world for client in ranks_of(2).clients)
    called: list[bool] = []
    told = threading.Event()

    def hear(handle: parex.Pending[Any]) -> None:
        called.append(handle.done())
        told.set()

    handle = first.all_reduce_async(np.ones(2))
    handle.add_done_callback(hear)
    assert not called
    second.all_reduce(np.ones(2))
    assert told.wait(10)
    handle.add_done_callback(hear)
    assert called == [True, True]


def test_should_survive_a_callback_that_raises(ranks_of: Any, caplog: pytest.LogCaptureFixture) -> None:
    group = ranks_of(1).clients[0].world

    def fail(handle: object) -> None:
        raise ValueError("of the callback")

    handle = group.all_reduce_async(np.ones(2))
    handle.add_done_callback(fail)
    handle.wait()
    group.barrier()
    assert "of the callback" in caplog.text


def test_should_cancel(ranks_of: Any) -> None:
    ranks: Ranks = ranks_of(2)
    handle = ranks.clients[0].world.all_reduce_async(np.ones(2))
    handle.cancel("not needed")
    with pytest.raises(parex.CancelledError):
        handle.wait()
    with pytest.raises(parex.ParexError, match="not needed"):
        ranks.clients[1].world.all_reduce(np.ones(2))
    received = ranks.clients[1].world.irecv(np.zeros(1), 0)
    received.cancel()
    with pytest.raises(parex.CancelledError):
        received.wait()
    ranks.each(lambda group: group.barrier())
