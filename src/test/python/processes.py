"""Processes of Parex as tests start them. Whatever happens, none is left running."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

START_SECONDS = 120.0
JOB_SECONDS = 120.0
END_SECONDS = 30.0
WAIT_SECONDS = 60.0


def until(condition: Callable[[], bool], what: str = "it has not come to that") -> None:
    """Looks again and again, for nothing tells of what other processes do; fails with ``what`` after a minute."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


def _environment(additions: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, **additions}


@dataclass(frozen=True)
class Job:
    """A job that has ended: its exit status and what it said, the lines of its processes with "[rank] " before them."""

    status: int
    out: str
    err: str

    @staticmethod
    def run(command: Sequence[str], environment: Mapping[str, str], seconds: float = JOB_SECONDS) -> Job:
        """Runs to the end, or fails after ``seconds`` with what was said by then."""
        process = subprocess.Popen(
            command,
            env=_environment(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            out, err = end(process)
            raise AssertionError(f"{' '.join(command)}\nhas not ended within {seconds} s\n{out}\n{err}") from None
        return Job(process.returncode, out, err)

    def lines(self, rank: int) -> list[str]:
        """What one rank has written to its standard output."""
        prefix = f"[{rank}] "
        return [line.removeprefix(prefix) for line in self.out.splitlines() if line.startswith(prefix)]

    def report(self) -> str:
        """All of it, for the message of a test that fails."""
        return f"exit status {self.status}\n{self.out}\n{self.err}"


class LocalWorld:
    """A world that runs until it is closed, all ranks in one process, or each in one of its own.

    Attributes:
        size: number of ranks.
        endpoints: of each rank; where all are in one process they are the same, and a client says which rank it is of.
        endpoint: of the first.
        pid: of the process that was started.
    """

    def __init__(
        self, parex: str, size: int, environment: Mapping[str, str] | None = None, isolation: str = "jvm"
    ) -> None:
        """Starts it, and waits until it has said where it is."""
        self.size = size
        self._process = subprocess.Popen(
            [parex, "run", "-n", str(size), "--isolation", isolation],
            env=_environment(environment or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = self._process.pid
        # A read has no deadline of its own.
        watch = threading.Timer(START_SECONDS, self._process.kill)
        watch.start()
        try:
            if isolation == "jvm":
                self.endpoints = [self._place("endpoint")[0]] * size
            else:
                self.endpoints = [self._place(f"rank-{rank}")[1] for rank in range(size)]
        except BaseException:
            self.close()
            raise
        finally:
            watch.cancel()
        self.endpoint = self.endpoints[0]

    def pid_of(self, rank: int) -> int:
        """The process of a rank, where each has one."""
        mark = f"PAREX_RANK={rank}".encode()
        for tasks in Path(f"/proc/{self.pid}/task").iterdir():
            for child in (tasks / "children").read_text().split():
                if mark in Path(f"/proc/{child}/environ").read_bytes().split(b"\0"):
                    return int(child)
        raise AssertionError(f"process {self.pid} has none of rank {rank}")

    def _place(self, name: str) -> list[str]:
        """What stands behind the name in the line that begins with it, word by word."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            words = line.split()
            if words[:1] == [name]:
                return words[1:]
        raise AssertionError(f"the world of {self.size} ranks has ended with {self._process.wait()} at its start")

    def close(self) -> None:
        """Ends it, in order if it can."""
        end(self._process)


def end(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Asks a process to end, in which `parex run` ends its job, and forces it after a grace; what it has said."""
    process.send_signal(signal.SIGTERM)
    try:
        out, err = process.communicate(timeout=END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
    return out or "", err or ""
