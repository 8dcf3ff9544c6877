"""Run by Python at its start in the processes of `parex run`, where this folder leads the PYTHONPATH.

Makes torch.distributed know the backend "parex", then gives way to the sitecustomize that Python would have run without
this one, if there is any: the machine's or the user's own.
"""

import os
import sys
from importlib.machinery import PathFinder

import _parex_autoload  # noqa: F401


def _run_next() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    others = [folder for folder in sys.path if os.path.abspath(folder) != here]
    spec = PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        from importlib.util import module_from_spec

        # It is the module of this name from now on. Its failure is its own: Python reports it as without this one.
        module = sys.modules[__name__] = module_from_spec(spec)
        spec.loader.exec_module(module)


_run_next()
