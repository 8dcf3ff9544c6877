"""How a PyTorch program comes to its ranks: by `parex run`, and by torchrun beside a world; it imports torch alone."""

from __future__ import annotations

import importlib.util
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from processes import Job, LocalWorld

if any(importlib.util.find_spec(name) is None for name in ("torch", "parex.torch")):
    pytest.skip("there is no torch: apt-get install python3-torch", allow_module_level=True)

# One write a line: torchrun's processes share the standard output.
SCRIPT = """
import os, sys
import torch, torch.distributed as dist
dist.init_process_group("parex")
tensor = torch.ones(3) * (dist.get_rank() + 1)
dist.all_reduce(tensor)
sys.stdout.write(f"{dist.get_rank()} {dist.get_world_size()} {dist.get_backend()} {tensor.tolist()}\\n")
assert "parex.torch" in sys.modules
dist.destroy_process_group()
"""


def test_should_need_no_import_under_parex_run(run_script: Callable[..., Job]) -> None:
    job = run_script(2, SCRIPT)
    for rank in (0, 1):
        assert job.lines(rank) == [f"{rank} 2 parex [3.0, 3.0, 3.0]"], job.report()


@pytest.mark.slow
def test_should_work_under_torchrun(local_world: Callable[[int], LocalWorld], tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
    # Without the last two options the torchrun of torch 1.13 fails with Python 3.11.
    options = ["--nproc_per_node", "2", "--master_port", port, "--redirects", "1", "--tee", "1"]
    torchrun = [sys.executable, "-m", "torch.distributed.run", *options, "--log_dir", str(tmp_path), str(script)]
    job = Job.run(torchrun, {"PAREX_ENDPOINT": local_world(2).endpoint})
    assert job.status == 0, job.report()
    assert sorted(job.out.splitlines()) == [
        "[default0]:0 2 parex [3.0, 3.0, 3.0]",
        "[default1]:1 2 parex [3.0, 3.0, 3.0]",
    ], job.report()


@pytest.mark.slow
def test_should_say_where_the_rank_is_to_be_looked_for(tmp_path: Path) -> None:
    """Without a world the error names what is missing."""
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)
    variables = {"RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "0"}
    job = Job.run([sys.executable, str(script)], {**variables, "PAREX_ENDPOINT": ""})
    assert job.status == 1
    assert "PAREX_ENDPOINT is not set" in job.err, job.report()
