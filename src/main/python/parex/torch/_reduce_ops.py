"""torch's reductions by the names that calls have for them."""

from __future__ import annotations

from typing import Any

import torch.distributed as dist

from parex.errors import UnsupportedError

_NAMES = {
    "SUM": "sum",
    "AVG": "avg",
    "MIN": "min",
    "MAX": "max",
    "PRODUCT": "product",
    "BAND": "band",
    "BOR": "bor",
    "BXOR": "bxor",
    "PREMUL_SUM": "premul_sum",
}
# The kind of a ReduceOp object where there are such objects, else the members of what was an enum before.
_KINDS: Any = getattr(dist.ReduceOp, "RedOpType", dist.ReduceOp)
_BY_KIND: dict[Any, str] = {getattr(_KINDS, name): parex for name, parex in _NAMES.items() if hasattr(_KINDS, name)}
# Those that mean the same on complex numbers and on their parts.
_LINEAR = frozenset(("sum", "avg", "premul_sum"))


def reduction(primitive: str, op: Any, is_complex: bool) -> tuple[str, float | None]:
    """Name and factor of a ``ReduceOp``; UnsupportedError for one that is not computed, or not for complex numbers, or
    whose factor this release of torch does not tell."""
    name = _BY_KIND.get(getattr(op, "op", op))
    if name is None:
        raise UnsupportedError(f"{primitive}: no reduction {op}", primitive=primitive, not_started=True)
    if is_complex and name not in _LINEAR:
        raise UnsupportedError(
            f"{primitive}: {name} of complex numbers is not computed", primitive=primitive, not_started=True
        )
    return name, _factor(primitive, op) if name == "premul_sum" else None


def _factor(primitive: str, op: Any) -> float:
    # torch 2.x gives (kind, factor) as the state for pickling. 1.13 has no such state: object's own, None.
    state = op.__getstate__() if hasattr(op, "__getstate__") else None
    if not isinstance(state, tuple) or len(state) != 2 or state[1] is None:
        raise UnsupportedError(
            f"{primitive}: this release of torch does not tell the factor of PREMUL_SUM: multiply the tensor by it and"
            " sum",
            primitive=primitive,
            not_started=True,
        )
    return float(state[1])
