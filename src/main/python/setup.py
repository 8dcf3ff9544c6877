"""Builds the package: adds the description of the gRPC messages, which ``protoc`` makes from the project's
contract, and
the line that lets Python know the torch backend at its start. Writes nothing into the source tree."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

PROTOSET = "parex.protoset"

# Python runs a line of such a file beside the packages that begins with "import" whenever it starts.
AUTOLOAD = "parex-autoload.pth"


class BuildWithProtoset(build_py):
    """Copies the modules and makes ``parex/parex.protoset`` beside them, not in the source tree."""

    def run(self) -> None:
        """Builds; ends with a clear text where ``protoc`` or the contract is not there."""
        super().run()
        (Path(self.build_lib) / AUTOLOAD).write_text("import _parex_autoload\n")
        target = Path(self.build_lib) / "parex" / PROTOSET
        if target.exists():
            # Part of the sources that are built, as in the copy that Maven's build makes.
            return
        source = Path(__file__).resolve().parent.parent / "proto"
        files = sorted(str(file) for file in source.glob("parex/v1/*.proto"))
        if not files:
            sys.exit(f"setup.py: no *.proto in {source}: build from the project's tree")
        protoc = shutil.which("protoc")
        if protoc is None:
            sys.exit("setup.py: protoc is not on PATH (Debian: apt-get install protobuf-compiler)")
        target.parent.mkdir(parents=True, exist_ok=True)
        command = [protoc, f"-I{source}", "--include_imports", f"--descriptor_set_out={target}", *files]
        if subprocess.run(command, check=False).returncode != 0:
            sys.exit("setup.py: protoc has failed, see above")


with tempfile.TemporaryDirectory(prefix="parex-build-") as folder:
    setup(
        cmdclass={"build_py": BuildWithProtoset},
        options={"build": {"build_base": folder}, "egg_info": {"egg_base": folder}},
    )
