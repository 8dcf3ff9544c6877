"""What the tests share: Parex itself, worlds that stay for many tests, and jobs under `parex run`."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from processes import Job, LocalWorld
from ranks import Ranks

# Parex refuses PAREX_* variables that it does not know, so that what the tests start is not to see this one.
_COMMAND = os.environ.pop("PAREX_COMMAND", "target/parex")


@pytest.fixture(scope="session")
def parex() -> str:
    """Path of the command that the build has left; tests that need it are skipped without."""
    command = shutil.which(_COMMAND)
    if command is None:
        pytest.skip(f"there is no {_COMMAND}: build it (./mvnw package -DskipTests), or set PAREX_COMMAND")
    return str(Path(command).absolute())


@pytest.fixture(scope="session")
def local_world(parex: str) -> Iterator[Callable[[int], LocalWorld]]:
    """Gives a running world of that many ranks in one process; the same to all tests, which leave no call in flight."""
    worlds: dict[int, LocalWorld] = {}

    def world(size: int) -> LocalWorld:
        if size not in worlds:
            worlds[size] = LocalWorld(parex, size)
        return worlds[size]

    yield world
    for started in worlds.values():
        started.close()


@pytest.fixture
def run_job(parex: str) -> Callable[..., Job]:
    """Runs `parex run -n SIZE -- python3 ARGUMENTS...` to its end; ``options`` are those of `parex run`."""

    def run(
        size: int, *arguments: str, options: tuple[str, ...] = (), environment: dict[str, str] | None = None
    ) -> Job:
        command = [parex, "run", "-n", str(size), *options, "--", sys.executable, *arguments]
        return Job.run(command, environment or {})

    return run


@pytest.fixture
def run_script(run_job: Callable[..., Job], tmp_path: Path) -> Callable[..., Job]:
    """As run_job, of a script given as text; the job has to end well."""

    def run(
        size: int, script: str, options: tuple[str, ...] = (), environment: dict[str, str] | None = None
    ) -> Job:
        path = tmp_path / "job.py"
        path.write_text(script)
        job = run_job(size, str(path), options=options, environment=environment)
        assert job.status == 0, job.report()
        return job

    return run


@pytest.fixture
def ranks_of(
    local_world: Callable[[int], LocalWorld], request: pytest.FixtureRequest
) -> Iterator[Callable[[int], Ranks]]:
    """Gives clients of all ranks of the shared world of that many; the same throughout a test, at whose end they
    leave."""
    opened: dict[int, Ranks] = {}

    def ranks(size: int) -> Ranks:
        if size not in opened:
            # Some tests begin with one way of transport and some with the other, each always with the same.
            opened[size] = Ranks(local_world(size).endpoint, size, first_shares=len(request.node.name) % 2 == 0)
            # Nothing is left of the test before.
            opened[size].each(lambda group: group.recover(30))
        return opened[size]

    yield ranks
    for each in opened.values():
        each.close()
