"""Registration with torch.distributed, and the process groups that it asks for."""

from __future__ import annotations

import inspect
from datetime import timedelta
from typing import Any

import torch.distributed as dist

from parex.torch._exchanges import Exchanges
from parex.torch._point_to_point import PointToPoint
from parex.torch._reductions import Reductions
from parex.torch._rooted import Rooted
from parex.torch._world import close_with, world_of

NAME = "parex"


class ParexProcessGroup(PointToPoint, Rooted, Reductions, Exchanges):
    """What torch.distributed calls for a process group of the backend "parex". Nothing lies underneath but Parex."""


def register() -> None:
    """Makes torch.distributed know the backend "parex". As often as one likes."""
    if hasattr(dist.Backend, NAME.upper()):
        return
    devices: dict[str, Any] = {}
    if "devices" in inspect.signature(dist.Backend.register_backend).parameters:
        # torch 2.x asks which devices' tensors a backend takes.
        devices["devices"] = ["cpu"]
    register_backend: Any = dist.Backend.register_backend
    register_backend(NAME, create_process_group, extended_api=True, **devices)


def create_process_group(options: Any, pg_options: Any = None) -> ParexProcessGroup:
    """The process group that torch is making: of its world, which this connects to its rank of Parex, or of some ranks.

    Args:
        options: torch's ``_DistributedBackendOptions``.
        pg_options: of the backend, which has none.
    """
    if pg_options is not None:
        raise ValueError(f"the backend {NAME} has no pg_options")
    is_world = not dist.is_initialized()
    world = (
        world_of(options.group_rank, options.group_size)
        if is_world
        else world_of(dist.get_rank(), dist.get_world_size())
    )
    if is_world:
        return ParexProcessGroup(world, world.client.world, options.timeout)
    group = world.group(options.group_id, options.global_ranks_in_group, options.store)
    made = ParexProcessGroup(world, group, options.timeout)
    close_with(made, group)
    return made


def monitored_barrier(group: Any = None, timeout: timedelta | None = None) -> None:
    """A barrier for finding who is late: raises parex.errors.CallTimeoutError that names the ranks which have not come
    within ``timeout`` (None: the group's), on every rank that has. In the place of torch.distributed.monitored_barrier,
    which is for gloo only; it names all late ranks, as that one does with ``wait_all_ranks``."""
    c10d: Any = dist.distributed_c10d
    target = c10d._get_default_group() if group is None else group
    if target == c10d.GroupMember.NON_GROUP_MEMBER:
        return
    if not isinstance(target, ParexProcessGroup):
        raise ValueError(f"monitored_barrier: a group of the backend {NAME} is due, not {type(target).__name__}")
    opts = dist.BarrierOptions()
    if timeout is not None:
        opts.timeout = timeout
    target.barrier(opts).wait()
