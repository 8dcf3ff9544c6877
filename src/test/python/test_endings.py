"""How clients end, well or badly, and what the others are told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import parex
from parex import PeerFailedError, UnavailableError
from processes import LocalWorld
from ranks import Ranks, on_each

SECONDS = 60.0


@pytest.fixture
def second(ranks_of: Any) -> parex.Client:
    """The client of rank 1 of a world of 2, in which rank 0 waits for its next client."""
    ranks: Ranks = ranks_of(2)
    ranks.clients[0].disconnect()
    return ranks.clients[1]


def script(endpoint: str, rank: int, text: str) -> subprocess.CompletedProcess[str]:
    """Runs a program that is rank ``rank``'s client."""
    environment = {**os.environ, "PAREX_ENDPOINT": endpoint, "PAREX_RANK": str(rank)}
    return subprocess.run(
        [sys.executable, "-c", text], env=environment, capture_output=True, text=True, timeout=SECONDS
    )


def test_c73_should_tell_the_others_why_a_client_has_failed(ranks_of: Any) -> None:
    ranks: Ranks = ranks_of(4)
    others = [client.world for client in ranks.clients if client.rank != 2]
    ranks.each(lambda group: group.barrier())
    waiting = [group.all_reduce_async(np.ones(3)) for group in others]
    ranks.clients[2].close("out of memory")
    for handle in waiting:
        with pytest.raises(parex.AbortedError, match="rank 2 closed: out of memory"):
            handle.wait(20)


def test_should_end_what_is_in_flight_when_the_rank_dies(parex: str) -> None:
    world = LocalWorld(parex, 2)
    try:
        ranks = Ranks(world.endpoint, 2, first_shares=True)
        waiting = ranks.clients[0].world.all_reduce_async(np.ones(3))
        os.kill(world.pid, signal.SIGKILL)
        with pytest.raises(PeerFailedError, match="may or may not have been carried out"):
            waiting.wait(20)
        with pytest.raises(UnavailableError, match="nothing was started") as caught:
            ranks.clients[0].world.barrier()
        assert caught.value.not_started
        ranks.close()
    finally:
        world.close()


def test_should_say_where_there_is_no_rank() -> None:
    with pytest.raises(parex.UnavailableError, match="127.0.0.1:1: no session within 0.3 s"):
        parex.Client("127.0.0.1:1", 0, connect_timeout=0.3)
    with pytest.raises(parex.ArgumentError, match="neither host:port nor unix:/path"):
        parex.Client("somewhere")


def test_should_refuse_a_rank_that_is_not_hosted(local_world: Any) -> None:
    with pytest.raises(parex.ArgumentError, match="7"):
        parex.Client(local_world(2).endpoint, 7)


def test_should_leave_at_a_good_end(second: parex.Client) -> None:
    first = second.world.all_reduce_async(np.ones(1))
    ended = script(second.endpoint, 0, "import numpy, parex\nparex.Client().world.all_reduce(numpy.ones(1))")
    assert ended.returncode == 0, ended.stderr
    assert (first.wait() == 2).all()
    with pytest.raises(parex.LeftError):
        second.world.all_reduce(np.ones(1))


def test_should_tell_the_exception_that_has_ended_a_program(second: parex.Client) -> None:
    works = [second.world.all_reduce_async(np.ones(1)) for _ in range(2)]
    text = "import numpy, parex\nparex.Client().world.all_reduce(numpy.ones(1))\nraise ValueError('bad batch')"
    assert "bad batch" in script(second.endpoint, 0, text).stderr
    works[0].wait()
    with pytest.raises(parex.AbortedError, match="ValueError: bad batch"):
        works[1].wait()


def test_should_count_a_killed_client_as_failed(second: parex.Client) -> None:
    works = [second.world.all_reduce_async(np.ones(1)) for _ in range(2)]
    text = "import numpy, os, parex\nc = parex.Client()\nc.world.all_reduce(numpy.ones(1))\nos.kill(os.getpid(), 9)"
    assert script(second.endpoint, 0, text).returncode == -signal.SIGKILL
    works[0].wait()
    with pytest.raises(parex.AbortedError):
        works[1].wait()


def test_should_close_with_the_exception_of_its_block(ranks_of: Any) -> None:
    ranks: Ranks = ranks_of(2)
    ranks.each(lambda group: group.barrier())
    waiting = ranks.clients[1].world.barrier_async()
    with pytest.raises(KeyError), ranks.clients[0]:
        raise KeyError("layer")
    with pytest.raises(parex.AbortedError, match="KeyError"):
        waiting.wait(20)


def test_should_hand_over_to_the_next_client(second: parex.Client) -> None:
    waiting = second.world.all_reduce_async(np.ones(1))
    with parex.Client(second.endpoint, 0) as successor:
        successor.world.all_reduce(np.ones(1))
        assert (waiting.wait() == 2).all()
        on_each([successor, second], lambda client: client.world.barrier())


FORK = """
import os, socket, sys, numpy, parex
client = parex.Client()
client.world.all_reduce(numpy.ones(2))
pending = client.world.irecv(numpy.zeros(1), 0, 5)
child = os.fork()
if child == 0:
    port = int(os.environ["PAREX_ENDPOINT"].rpartition(":")[2])
    for name in os.listdir("/proc/self/fd"):
        try:
            with socket.socket(fileno=os.dup(int(name))) as handle:
                assert handle.getpeername()[1] != port, "a connection of the parent's"
        except OSError:
            pass
    for attempt in (lambda: client.world.barrier(), lambda: client.new_group("a", [0]), pending.wait, client.info):
        try:
            attempt()
        except parex.UnavailableError as error:
            assert "parent" in str(error)
        else:
            sys.exit("the child could use the client")
    client.close()
    sys.exit(7)
_, status = os.waitpid(child, 0)
assert os.waitstatus_to_exitcode(status) == 7, status
client.world.send(numpy.ones(1), 0, 5)
pending.wait()
assert client.world.all_reduce(numpy.ones(2))[0] == 1
"""


def test_should_be_of_no_use_in_a_child_by_fork(local_world: Any) -> None:
    ended = script(local_world(1).endpoint, 0, FORK)
    assert ended.returncode == 0, ended.stderr
