"""Makes torch.distributed know the backend "parex" without an import of parex.torch.

Importing this module, which `parex run` and an installed package do at the start of every Python process, imports
nothing and looks at nothing. It only waits: when torch.distributed is imported, the name of the backend is registered
there. parex.torch itself is imported when the first process group is made. Nothing in here fails a program. The finder
runs in whichever thread imports torch.distributed, under the lock of that import.
"""

# Only what Python itself has loaded by now, not even __future__: programs that never use torch import this too.
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

# The module that has the table of backends.
_TARGET = "torch.distributed.distributed_c10d"


class _Finder:
    """Finds the target as others would find it, and registers the backend once it is loaded."""

    def find_spec(
        self, fullname: str, path: "Sequence[str] | None", target: "ModuleType | None" = None
    ) -> "ModuleSpec | None":
        """The specification of the target, or None for any other module."""
        if fullname != _TARGET:
            return None
        sys.meta_path.remove(self)
        for finder in list(sys.meta_path):
            spec = finder.find_spec(fullname, path, target) if hasattr(finder, "find_spec") else None
            if spec is not None:
                _register_after_loading(spec.loader)
                return spec
        return None


def _register_after_loading(loader: "Any") -> None:
    """Adds to a loader, which is that of one module, that the backend is registered when the module is there."""
    load: "Any" = getattr(loader, "exec_module", None)
    if load is None:
        return

    def load_and_register(module: "ModuleType") -> None:
        del loader.exec_module
        load(module)
        register(module)

    try:
        loader.exec_module = load_and_register
    except AttributeError:
        # A loader that cannot be added to: then the job imports parex.torch, as without this module.
        pass


def register(distributed: "Any") -> None:
    """Registers the backend in the module torch.distributed.distributed_c10d, unless something has that name."""
    backend = getattr(distributed, "Backend", None)
    if backend is None or hasattr(backend, "PAREX"):
        return
    try:
        try:
            backend.register_backend("parex", _create, extended_api=True, devices=["cpu"])
        except TypeError:
            # Before torch 2.0 a backend does not name its devices.
            backend.register_backend("parex", _create, extended_api=True)
    except Exception as failure:
        print(f"parex: torch.distributed does not take the backend: {failure}", file=sys.stderr)


def _create(*arguments: "Any") -> "Any":
    """A process group, made by the backend itself, which only now is imported."""
    from importlib import import_module

    return import_module("parex.torch").create_process_group(*arguments)


if _TARGET in sys.modules:
    register(sys.modules[_TARGET])
else:
    sys.meta_path.insert(0, _Finder())
