"""torch.distributed knows the backend without an import of parex.torch, and nobody else is disturbed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import _parex_autoload

PYTHON_FOLDER = Path(_parex_autoload.__file__).parent

# A torch.distributed with no more than the table of backends, as in torch 1.13 and as in torch 2.
TABLE = """
class Backend:
    taken = []
    @classmethod
    def register_backend(cls, name, creator, extended_api=False{devices}):
        cls.taken.append((name, extended_api{given}))
        setattr(cls, name.upper(), name)
        cls.creator = creator
"""
OLD_TABLE = TABLE.format(devices="", given="")
NEW_TABLE = TABLE.format(devices=", devices=None", given=", devices")


def distribution(folder: Path, table: str) -> Path:
    package = folder / "torch" / "distributed"
    package.mkdir(parents=True)
    (folder / "torch" / "__init__.py").write_text("")
    (package / "__init__.py").write_text("from .distributed_c10d import Backend\n")
    (package / "distributed_c10d.py").write_text(table)
    return folder


def run(code: str, *folders: Path) -> str:
    """What a Python prints that starts with the autoload in front of its path; it must say nothing else."""
    path = os.pathsep.join(map(str, (PYTHON_FOLDER, *folders)))
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (result.returncode, result.stderr) == (0, ""), result.stderr
    return result.stdout.strip()


@pytest.mark.parametrize(
    ("table", "expected"),
    [(OLD_TABLE, "[('parex', True)]"), (NEW_TABLE, "[('parex', True, ['cpu'])]")],
    ids=["torch-1", "torch-2"],
)
def test_should_register_when_torch_distributed_is_imported(tmp_path: Path, table: str, expected: str) -> None:
    code = "import sys, torch.distributed as d; print(d.Backend.taken); assert 'parex' not in sys.modules"
    assert run(code, distribution(tmp_path, table)) == expected


def test_should_import_the_backend_when_a_group_is_made(tmp_path: Path) -> None:
    backend = tmp_path / "backend" / "parex"
    backend.mkdir(parents=True)
    (backend / "__init__.py").write_text("")
    (backend / "torch.py").write_text("def create_process_group(*given):\n    return ('made', *given)\n")
    code = (
        f"import sys; sys.path.insert(0, {str(backend.parent)!r}); import torch.distributed as d;"
        "assert 'parex.torch' not in sys.modules; print(d.Backend.creator('options', None))"
    )
    assert run(code, distribution(tmp_path, OLD_TABLE)) == "('made', 'options', None)"


def test_should_leave_a_backend_of_the_same_name(tmp_path: Path) -> None:
    table = OLD_TABLE + "Backend.register_backend('parex', None)\n"
    assert run("import torch.distributed as d; print(d.Backend.taken)", distribution(tmp_path, table)) == (
        "[('parex', False)]"
    )


def test_should_not_fail_a_program_whose_torch_is_unlike_any(tmp_path: Path) -> None:
    table = "class Backend:\n    def register_backend(): pass\n"
    result = subprocess.run(
        [sys.executable, "-c", "import torch.distributed; print('goes on')"],
        env={**os.environ, "PYTHONPATH": f"{PYTHON_FOLDER}:{distribution(tmp_path, table)}"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.stdout == "goes on\n"
    assert result.stderr.startswith("parex: torch.distributed does not take the backend: ")


def test_should_pass_on_that_there_is_no_torch_distributed(tmp_path: Path) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("")
    code = "import sys\ntry: import torch.distributed\nexcept ImportError as e: print(e.name)"
    assert run(code, tmp_path) == "torch.distributed"


def test_should_give_way_to_the_next_sitecustomize(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nmine = True\nsys.path.append('/added')\n")
    assert run("import sys, sitecustomize as s; print(s.mine, s.__file__, sys.path[-1])", tmp_path) == (
        f"True {tmp_path}/sitecustomize.py /added"
    )


def test_should_load_nothing_else() -> None:
    """Against the same Python without it: no module but its own two is there at the start."""
    code = "import sys; print(*sorted(sys.modules))"
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    bare = subprocess.run([sys.executable, "-c", code], env=clean, capture_output=True, text=True, timeout=60)
    added = set(run(code).split()) - set(bare.stdout.split())
    assert added <= {"_parex_autoload", "sitecustomize"}
