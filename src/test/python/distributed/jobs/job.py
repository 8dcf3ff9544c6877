"""Harness of the jobs in this folder: scripts of checks that `parex run` starts once for each rank.

A check is a function with the decorator @check(SIZE): the first SIZE ranks run it, in a group of their own that no
other check uses, and the others skip it. Each rank prints one line a check, "check NAME ok" or "check NAME " and a JSON
text of its traceback; what one check has left behind must not touch the next.
"""

from __future__ import annotations

import datetime
import json
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist

import parex.torch  # noqa: F401 (registers the backend)

TIMEOUT = datetime.timedelta(seconds=30)


@dataclass(frozen=True)
class Ranks:
    """What a check runs on: this rank, their number, a group of the backend "parex", and gloo's of the same ranks if
    the check asked for it."""

    rank: int
    size: int
    group: Any
    gloo: Any
    name: str

    def tell(self, key: str) -> None:
        """Lets ranks go on that :meth:`hear` this key."""
        _store().set(f"{self.name}/{key}", "told")

    def hear(self, key: str) -> None:
        """Waits until some rank has told this key."""
        _store().wait([f"{self.name}/{key}"], TIMEOUT)


Check = Callable[[Ranks], None]
_checks: list[tuple[Check, int, bool]] = []


def check(size: int, *, gloo: bool = False) -> Callable[[Check], Check]:
    """Marks a check of that many ranks; ``gloo``: it compares with gloo."""

    def mark(function: Check) -> Check:
        _checks.append((function, size, gloo))
        return function

    return mark


def run_checks(
    before: Callable[[], None] = lambda: None, after: Sequence[Callable[[], None]] = ()
) -> None:
    """Runs all checks of the job; the exit status is 1 if one has failed on this rank. ``before`` and ``after`` are run
    by all ranks, before and after the checks, where these may be no part of a group."""
    torch.set_num_threads(1)
    dist.init_process_group("parex", timeout=TIMEOUT)
    before()
    failures = sum([_run(function, size, gloo) for function, size, gloo in _checks])
    for step in after:
        step()
    dist.barrier()
    dist.destroy_process_group()
    sys.exit(1 if failures else 0)


def _run(function: Check, size: int, with_gloo: bool) -> int:
    members = list(range(size))
    group = dist.new_group(members, timeout=TIMEOUT)
    gloo = dist.new_group(members, timeout=TIMEOUT, backend="gloo") if with_gloo else None
    rank = dist.get_rank()
    if rank >= size:
        return 0
    outcome = "ok"
    try:
        function(Ranks(rank, size, group, gloo, function.__name__))
    except Exception:
        outcome = json.dumps(traceback.format_exc())
    finally:
        for made in (group, gloo):
            if made is not None:
                dist.destroy_process_group(made)
    print(f"check {function.__name__} {outcome}", flush=True)
    return int(outcome != "ok")


def _store() -> Any:
    return dist.distributed_c10d._get_default_store()


def same(actual: torch.Tensor, expected: Any) -> None:
    """Demands type, shape and every bit of the values."""
    wanted = expected if isinstance(expected, torch.Tensor) else torch.tensor(expected, dtype=actual.dtype)
    assert actual.dtype == wanted.dtype and actual.shape == wanted.shape, (actual, wanted)
    assert torch.equal(actual, wanted), f"{actual} where {wanted} is due"


def fails(kind: type[Exception], call: Callable[[], object], *words: str) -> str:
    """Demands that ``call`` fails in this way with all these words; its text."""
    try:
        call()
    except kind as error:
        text = str(error)
        assert all(word in text for word in words), f"no {words} in: {text}"
        return text
    raise AssertionError(f"no {kind.__name__}")


def empties(tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """Room for as many alike, filled with what must not be left."""
    return [torch.full_like(tensor, 77) for tensor in tensors]
