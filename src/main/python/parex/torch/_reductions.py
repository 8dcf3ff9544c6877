"""Collectives that combine the tensors of all ranks, element by element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from parex._call import Call
from parex.torch._base import BaseGroup, lengths_of, require_blocks, single
from parex.torch._reduce_ops import reduction
from parex.torch._tensors import Operands
from parex.torch._work import TorchWork


class Reductions(BaseGroup):
    """all_reduce and reduce_scatter in their forms. Sums of complex tensors are those of their parts."""

    def allreduce(self, tensors: Sequence[torch.Tensor], opts: Any) -> TorchWork:
        """Combines in place; every rank gets the same bits."""
        single("all_reduce", "the tensors", tensors)
        return self.allreduce_coalesced(tensors, opts)

    def allreduce_coalesced(self, tensors: Sequence[torch.Tensor], opts: Any) -> TorchWork:
        """Combines several tensors of one type in place, in one call: as if they lay one after the other."""
        first = tensors[0]
        operands = Operands("all_reduce", first)
        op, factor = reduction("all_reduce", opts.reduceOp, first.is_complex())
        buffers = tuple([operands.in_place(tensor) for tensor in tensors])
        options = self._with(opts, first if len(tensors) == 1 else None)
        call = Call("all_reduce", operands.real_parts(), buffers, buffers, op, factor, options=options)
        return self._run(call, tensors, operands)

    def reduce_scatter(
        self, outputs: Sequence[torch.Tensor], inputs: Sequence[Sequence[torch.Tensor]], opts: Any
    ) -> TorchWork:
        """Combines the lists of all ranks; each rank gets its tensor of the result. The tensors of a list may differ in
        size, equally on all ranks."""
        output = single("reduce_scatter", "the outputs", outputs)
        blocks: Sequence[torch.Tensor] = single("reduce_scatter", "the lists of inputs", inputs)
        require_blocks("reduce_scatter", "the list of inputs", blocks, self.parex.size)
        call, operands = self._scatter(output, blocks, lengths_of(blocks), blocks[self.parex.rank], opts)
        return self._run(call, outputs, operands)

    def _reduce_scatter_base(self, output: torch.Tensor, input: torch.Tensor, opts: Any = None) -> TorchWork:
        """As reduce_scatter, of one tensor that has the blocks of all ranks one after the other."""
        call, operands = self._scatter(output, (input,), None, None, opts)
        return self._run(call, (output,), operands)

    def reduce_scatter_tensor_coalesced(
        self, outputs: Sequence[torch.Tensor], inputs: Sequence[torch.Tensor], opts: Any = None
    ) -> TorchWork:
        """Several of them at once (torch 2.x)."""
        pairs = zip(outputs, inputs, strict=True)
        return self._run_all([self._scatter(output, (whole,), None, None, opts) for output, whole in pairs], outputs)

    def _scatter(
        self,
        output: torch.Tensor,
        inputs: Sequence[torch.Tensor],
        lengths: tuple[int, ...] | None,
        own: torch.Tensor | None,
        opts: Any,
    ) -> tuple[Call, Operands]:
        operands = Operands("reduce_scatter", output)
        op, factor = reduction("reduce_scatter", opts.reduceOp, output.is_complex())
        if lengths is not None and output.is_complex():
            lengths = tuple(2 * length for length in lengths)
        call = Call(
            "reduce_scatter",
            operands.real_parts(),
            tuple([operands.source(each) for each in inputs]),
            (operands.target(output, apart_from=own),),
            op,
            factor,
            send_lengths=lengths,
            options=self._with(opts, output),
        )
        return call, operands
