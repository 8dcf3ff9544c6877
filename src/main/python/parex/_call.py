"""What is called: pure data, between the public forms and the session."""

from __future__ import annotations

from dataclasses import dataclass

Buffer = memoryview
"""Format "B", one-dimensional, C-contiguous; writable where it is an output."""

POINT_TO_POINT = frozenset(("send", "recv", "send_recv"))
"""Primitives that have no place in the order of collectives."""


@dataclass(frozen=True, slots=True)
class Options:
    """What may be said of any call.

    Attributes:
        timeout: seconds from the call's arrival at the rank to completion; None: the client's, else the world's.
        name: a text that all ranks must give alike, such as the name of a layer.
        algorithm: such as ``"ring"``, equal on all ranks; empty: the planner's choice.
        deterministic: combine each element in the order of the ranks; equal on all ranks.
    """

    timeout: float | None = None
    name: str = ""
    algorithm: str = ""
    deterministic: bool = False


DEFAULT = Options()
"""Nothing said."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a group. Ranks are ranks in the group, lengths count elements, buffers bytes.

    Attributes:
        primitive: send recv send_recv barrier broadcast scatter gather all_gather reduce all_reduce reduce_scatter
            all_to_all.
        dtype: a name of :mod:`parex.dtypes`.
        inputs: read in this order, as if they lay one after the other.
        outputs: filled in this order; may be the very memory of the inputs for all_reduce, broadcast, reduce.
        op: sum avg min max product band bor bxor premul_sum.
        factor: of premul_sum, equal on all ranks.
        root: of a rooted collective.
        destination: of a send.
        source: of a receive; None: any.
        send_tag: of a send.
        recv_tag: of a receive; None: any.
        send_lengths: of the blocks; for all primitives but all_to_all the only lengths. None: blocks are alike.
        recv_lengths: of all_to_all's output.
        open_lengths: receivers do not know the lengths: outputs are room, filled from their begin.
        options: of the call.
    """

    primitive: str
    dtype: str = "uint8"
    inputs: tuple[Buffer, ...] = ()
    outputs: tuple[Buffer, ...] = ()
    op: str | None = None
    factor: float | None = None
    root: int | None = None
    destination: int | None = None
    source: int | None = None
    send_tag: int = 0
    recv_tag: int | None = 0
    send_lengths: tuple[int, ...] | None = None
    recv_lengths: tuple[int, ...] | None = None
    open_lengths: bool = False
    options: Options = DEFAULT
