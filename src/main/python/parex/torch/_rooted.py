"""Collectives with a root, whose options name it as a rank in the group; and the barrier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from parex._call import Call
from parex.errors import ArgumentError
from parex.torch._base import BaseGroup, require_blocks, single
from parex.torch._reduce_ops import reduction
from parex.torch._tensors import Operands
from parex.torch._work import TorchWork


class Rooted(BaseGroup):
    """barrier, broadcast, reduce, gather, scatter."""

    def barrier(self, opts: Any = None) -> TorchWork:
        """Ends when every rank has called."""
        return self._run(Call("barrier", options=self._with(opts)), ())

    def broadcast(self, tensors: Sequence[torch.Tensor], opts: Any) -> TorchWork:
        """Gives the root's tensor to all."""
        tensor = single("broadcast", "the tensors", tensors)
        operands = Operands("broadcast", tensor)
        is_root = opts.rootRank == self.parex.rank
        call = Call(
            "broadcast",
            operands.dtype,
            (operands.source(tensor),) if is_root else (),
            () if is_root else (operands.target(tensor),),
            root=opts.rootRank,
            options=self._with(opts, tensor),
        )
        return self._run(call, tensors, operands)

    def reduce(self, tensors: Sequence[torch.Tensor], opts: Any) -> TorchWork:
        """Combines the tensors of all ranks in that of the root; those of others stay as they are."""
        tensor = single("reduce", "the tensors", tensors)
        operands = Operands("reduce", tensor)
        op, factor = reduction("reduce", opts.reduceOp, tensor.is_complex())
        is_root = opts.rootRank == self.parex.rank
        inputs = (operands.in_place(tensor) if is_root else operands.source(tensor),)
        outputs = inputs if is_root else ()
        options = self._with(opts, tensor)
        call = Call("reduce", operands.real_parts(), inputs, outputs, op, factor, opts.rootRank, options=options)
        return self._run(call, tensors, operands)

    def gather(
        self, outputs: Sequence[Sequence[torch.Tensor]], inputs: Sequence[torch.Tensor], opts: Any
    ) -> TorchWork:
        """Brings the tensors of all ranks, alike in size, to the root's list."""
        block = single("gather", "the inputs", inputs)
        operands = Operands("gather", block)
        blocks = self._blocks_of_root("gather", outputs, block, opts.rootRank)
        own = blocks[self.parex.rank] if blocks else None
        call = Call(
            "gather",
            operands.dtype,
            (operands.source(block, apart_from=own),),
            tuple(operands.target(each) for each in blocks),
            root=opts.rootRank,
            options=self._with(opts, block),
        )
        return self._run(call, blocks, operands)

    def scatter(
        self, outputs: Sequence[torch.Tensor], inputs: Sequence[Sequence[torch.Tensor]], opts: Any
    ) -> TorchWork:
        """Gives each rank its tensor of the root's list, alike in size."""
        block = single("scatter", "the outputs", outputs)
        operands = Operands("scatter", block)
        blocks = self._blocks_of_root("scatter", inputs, block, opts.rootRank)
        own = blocks[self.parex.rank] if blocks else None
        call = Call(
            "scatter",
            operands.dtype,
            tuple(operands.source(each) for each in blocks),
            (operands.target(block, apart_from=own),),
            root=opts.rootRank,
            options=self._with(opts, block),
        )
        return self._run(call, outputs, operands)

    def _blocks_of_root(
        self, primitive: str, lists: Sequence[Sequence[torch.Tensor]], block: torch.Tensor, root: int
    ) -> Sequence[torch.Tensor]:
        """The root's list of one tensor for each rank; nothing on others."""
        if root != self.parex.rank:
            return ()
        blocks: Sequence[torch.Tensor] = single(primitive, "the lists of tensors", lists)
        require_blocks(primitive, "the root's list", blocks, self.parex.size)
        for rank, each in enumerate(blocks):
            if each.numel() != block.numel():
                raise ArgumentError(
                    f"{primitive}: the tensor of rank {rank} in the root's list has {each.numel()} elements, the root's"
                    f" own block {block.numel()}: all are alike",
                    primitive=primitive,
                )
        return blocks
