"""`parex run` with processes of Python: what they find, and how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from processes import WAIT_SECONDS, Job, end, until


# A job whose processes write their pids and then wait to be told to end; one may fail instead, once all are there.
JOB = """
import os, signal, sys, threading, time
rank = int(os.environ["RANK"])
def told(number, frame):
    print("ends by", signal.Signals(number).name)
    sys.exit(0)
signal.signal(signal.SIGTERM, told)
with open(os.path.join({folder!r}, str(rank)), "w") as file:
    file.write(str(os.getpid()))
if rank == {failing}:
    # Nothing tells of files that other processes write.
    while len(os.listdir({folder!r})) <= int(os.environ["WORLD_SIZE"]):
        time.sleep(0.02)
    sys.exit(7)
threading.Event().wait()
"""


def running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def pids(folder: Path, size: int) -> list[int]:
    files = [folder / str(rank) for rank in range(size)]
    until(lambda: all(file.exists() and file.read_text() for file in files))
    return [int(file.read_text()) for file in files]


def test_should_find_the_package_and_the_variables(run_script: Callable[..., Job]) -> None:
    script = """
import os, _parex_autoload
names = "RANK LOCAL_RANK ROLE_RANK GROUP_RANK WORLD_SIZE LOCAL_WORLD_SIZE ROLE_WORLD_SIZE GROUP_WORLD_SIZE PAREX_RANK"
print(*(os.environ[name] for name in names.split()), os.environ["PYTHONUNBUFFERED"])
print(os.environ["PYTHONPATH"].partition(":")[0] == os.path.dirname(_parex_autoload.__file__))
print(os.environ["PYTHONPATH"].rpartition(":")[2])
"""
    job = run_script(2, script, environment={"PYTHONPATH": "/mine", "PYTHONUNBUFFERED": "x"})
    for rank in (0, 1):
        assert job.lines(rank) == [f"{rank} {rank} {rank} 0 2 2 2 1 {rank} x", "True", "/mine"], job.report()


def test_should_show_what_is_written_when_it_is_written(parex: str) -> None:
    """A process that prints a line and waits: the line comes while it waits."""
    code = "import sys, threading; print('now'); threading.Event().wait()"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    process = subprocess.Popen(
        [parex, "run", "-n", "1", "--", sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        text=True,
    )
    assert process.stdout is not None
    watch = threading.Timer(WAIT_SECONDS, process.kill)
    watch.start()
    try:
        assert process.stdout.readline() == "[0] now\n"
    finally:
        watch.cancel()
        end(process)


def test_should_end_all_when_one_fails(run_job: Callable[..., Job], tmp_path: Path) -> None:
    script = tmp_path / "job.py"
    script.write_text(JOB.format(folder=str(tmp_path), failing=1))
    job = run_job(3, str(script))
    assert job.status == 7, job.report()
    assert not any(map(running, pids(tmp_path, 3)))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_should_end_all_when_told_to(parex: str, tmp_path: Path, number: signal.Signals) -> None:
    script = tmp_path / "job.py"
    script.write_text(JOB.format(folder=str(tmp_path), failing=-1))
    process = subprocess.Popen(
        [parex, "run", "-n", "2", "--", sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        started = pids(tmp_path, 2)
        process.send_signal(number)
        out, err = process.communicate(timeout=WAIT_SECONDS)
    finally:
        if process.poll() is None:
            end(process)
    assert process.returncode == 128 + number, err
    assert sorted(out.splitlines()) == ["[0] ends by SIGTERM", "[1] ends by SIGTERM"], err
    assert not any(map(running, started))
