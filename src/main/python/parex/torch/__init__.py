"""torch.distributed over Parex: ``dist.init_process_group("parex")`` after an import of this module.

Tensors are those of the host, dense, of any type that Parex moves; contiguous ones are used where they lie. Works and
groups may be used by any thread.
"""

from __future__ import annotations

from parex.torch._backend import ParexProcessGroup, create_process_group, monitored_barrier, register

__all__ = ["ParexProcessGroup", "create_process_group", "monitored_barrier", "register"]

register()
