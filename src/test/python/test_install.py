"""pip installs the package from the tree, with what belongs to it, and leaves the tree as it was."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parents[2] / "main" / "python"
SECONDS = 120.0

# Without a message class there is no description of the contract, without the finder no torch backend.
CHECK = """
import sys
assert "parex" not in sys.modules and "_parex_autoload" in sys.modules
assert any(type(finder).__module__ == "_parex_autoload" for finder in sys.meta_path)
import parex, parex._proto
assert parex._proto.RecoverRequest(group="g", timeout={"seconds": 3}).timeout.seconds == 3
print(parex.__file__)
"""


def files() -> dict[str, int]:
    """All files of the source tree that Python itself does not write, and when they were written."""
    return {
        str(file): file.stat().st_mtime_ns
        for file in SOURCES.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }


def run(command: list[str], environment: dict[str, str]) -> str:
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS)
    assert result.returncode == 0, f"{' '.join(command)}\n{result.stdout}\n{result.stderr}"
    return result.stdout.strip()


@pytest.mark.skipif(shutil.which("protoc") is None, reason="there is no protoc: apt-get install protobuf-compiler")
@pytest.mark.skipif(importlib.util.find_spec("pip") is None, reason="there is no pip: apt-get install python3-pip")
@pytest.mark.skipif(importlib.util.find_spec("wheel") is None, reason="apt-get install python3-wheel")
@pytest.mark.skipif(importlib.util.find_spec("ensurepip") is None, reason="apt-get install python3-venv")
@pytest.mark.slow
def test_should_install_from_the_tree() -> None:
    # Not pytest's folder, which stays for a while: this one is full of links to the machine's Python.
    with tempfile.TemporaryDirectory() as folder:
        install_and_use(Path(folder))


def install_and_use(folder: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))}
    run([sys.executable, "-m", "venv", "--system-site-packages", str(folder / "venv")], environment)
    python = str(folder / "venv" / "bin" / "python")
    before = files()
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    run([*pip, "--no-build-isolation", "--no-deps", str(SOURCES)], environment)
    assert files() == before
    assert run([python, "-c", CHECK], environment).startswith(str(folder))
    run([python, "-m", "pip", "uninstall", "--quiet", "--yes", "parex"], environment)
    assert run([python, "-c", "import sys; print('_parex_autoload' in sys.modules)"], environment) == "False"
