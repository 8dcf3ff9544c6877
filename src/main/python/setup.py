"""Builds the package: adds the description of the gRPC messages, which ``protoc`` makes from the project's contract."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

PROTOSET = "parex.protoset"


class BuildWithProtoset(build_py):
    """Copies the modules and makes ``parex/parex.protoset`` beside them, not in the source tree."""

    def run(self) -> None:
        """Builds; ends with a clear text where ``protoc`` or the contract is not there."""
        super().run()
        target = Path(self.build_lib) / "parex" / PROTOSET
        if target.exists():
            # Part of the sources that are built, as in the copy that Maven's build makes.
            return
        source = Path(__file__).resolve().parent.parent / "proto"
        files = sorted(str(file) for file in source.glob("parex/v1/*.proto"))
        if not files:
            sys.exit(f"setup.py: no *.proto in {source}: build from the project's tree, or from a build's target/python")
        protoc = shutil.which("protoc")
        if protoc is None:
            sys.exit("setup.py: protoc is not on PATH (Debian: apt-get install protobuf-compiler)")
        target.parent.mkdir(parents=True, exist_ok=True)
        command = [protoc, f"-I{source}", "--include_imports", f"--descriptor_set_out={target}", *files]
        if subprocess.run(command, check=False).returncode != 0:
            sys.exit("setup.py: protoc has failed, see above")


setup(cmdclass={"build_py": BuildWithProtoset})
