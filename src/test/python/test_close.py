"""How clients end."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

import parex
from parex._session import ANSWER_SECONDS
from processes import LocalWorld


@pytest.mark.parametrize("shared", ["auto", "never"])
def test_should_close_without_waiting_for_a_deadline(local_world: Callable[[int], LocalWorld], shared: str) -> None:
    client = parex.Client(local_world(1).endpoint, 0, shared=shared)
    client.world.start(parex.Call("barrier")).wait()
    before = time.monotonic()
    client.close()
    assert client.session.ended
    assert time.monotonic() - before < ANSWER_SECONDS / 2
