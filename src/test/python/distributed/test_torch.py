"""torch.distributed over Parex: the jobs beside this file, under `parex run`.

Each check of a job in jobs/ is a test of its own; the job runs once for all of its checks. The scripts of textbook/ are
run twice, with another word for the backend.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from processes import Job

pytest.importorskip("torch")

HERE = Path(__file__).parent
JOBS = ("values", "layouts", "messages", "handles", "groups", "training")
TEXTBOOK = ("barrier", "send_recv", "isend_irecv", "sendrecv_ring")
# Each job starts some processes that import torch, which takes seconds: these go into the short run.
QUICK = ("values",)
WORLD = 5


def marks(name: str) -> list[pytest.MarkDecorator]:
    """Of the tests of a job or script."""
    return [] if name in QUICK else [pytest.mark.slow]


def checks_of(name: str) -> list[str]:
    """The functions of a job with the decorator @check, without importing it."""
    tree = ast.parse((HERE / "jobs" / f"{name}.py").read_text())
    return [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and any("check(" in ast.unparse(each) for each in node.decorator_list)
    ]


def of_jobs() -> list[object]:
    return [
        pytest.param(name, check, marks=marks(name))
        for name in JOBS
        for check in checks_of(name)
    ]


@pytest.fixture(scope="module")
def ended_jobs() -> dict[str, Job]:
    return {}


@pytest.mark.parametrize(("name", "check"), of_jobs())
def test_should_hold(name: str, check: str, ended_jobs: dict[str, Job], run_job: Callable[..., Job]) -> None:
    if name not in ended_jobs:
        ended_jobs[name] = run_job(WORLD, str(HERE / "jobs" / f"{name}.py"))
    job = ended_jobs[name]
    prefix = f"check {check} "
    outcomes = {
        rank: line.removeprefix(prefix) for rank in range(WORLD) for line in job.lines(rank) if line.startswith(prefix)
    }
    failed = [f"rank {rank}: {json.loads(text)}" for rank, text in outcomes.items() if text != "ok"]
    assert not failed, "\n".join(failed)
    assert outcomes, f"no rank has come to it\n{job.report()}"


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name)) for name in JOBS])
def test_should_end_well(name: str, ended_jobs: dict[str, Job], run_job: Callable[..., Job]) -> None:
    if name not in ended_jobs:
        ended_jobs[name] = run_job(WORLD, str(HERE / "jobs" / f"{name}.py"))
    assert ended_jobs[name].status == 0, ended_jobs[name].report()


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTBOOK)
def test_should_run_the_textbook_with_another_word(name: str, run_job: Callable[..., Job]) -> None:
    ours, gloos = [run_job(3, str(HERE / "textbook" / f"{name}.py"), backend) for backend in ("parex", "gloo")]
    assert (ours.status, gloos.status) == (0, 0), ours.report() + gloos.report()
    for rank in range(3):
        assert ours.lines(rank) == gloos.lines(rank) != []


WRONG_WORLD = """
import os, sys
import torch.distributed as dist
os.environ.update({environment!r})
store = dist.HashStore()
try:
    dist.init_process_group("parex", store=store, rank={rank}, world_size={size})
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rank", "size", "environment", "words"),
    [
        (0, 3, {}, ("torch's world has 3 ranks", "Parex 1")),
        (1, 2, {"PAREX_RANK": "1"}, ("rank 1 of torch has no rank of Parex",)),
        (1, 2, {}, ("rank 1 to torch", "PAREX_RANK is 0")),
        (0, 1, {"PAREX_ENDPOINT": ""}, ("PAREX_ENDPOINT",)),
    ],
    ids=["size", "rank", "PAREX_RANK", "PAREX_ENDPOINT"],
)
def test_should_refuse_a_world_that_is_not_torchs(
    rank: int, size: int, environment: dict[str, str], words: tuple[str, ...], run_script: Callable[..., Job]
) -> None:
    job = run_script(1, WRONG_WORLD.format(rank=rank, size=size, environment=environment))
    (line,) = job.lines(0)
    assert line.startswith("ArgumentError") and all(word in line for word in words), line


ABORT = """
import torch, torch.distributed as dist
dist.init_process_group("parex")
group = dist.distributed_c10d._get_default_group()
dist.barrier()
if dist.get_rank() == 1:
    group.abort()
    group.abort()
try:
    dist.all_reduce(torch.ones(3))
except RuntimeError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.slow
def test_should_fail_the_others_when_a_rank_aborts(run_script: Callable[..., Job]) -> None:
    job = run_script(2, ABORT)
    (other,), (own,) = job.lines(0), job.lines(1)
    assert other.startswith("AbortedError") and "rank 1 has aborted process group WORLD" in other, other
    assert own.startswith("UnavailableError") and "has aborted" in own, own
