"""Collectives without a root that move blocks: all_gather and all_to_all in their forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from parex._call import Call
from parex.errors import ArgumentError
from parex.torch._base import BaseGroup, lengths_of, require_blocks, single
from parex.torch._tensors import Operands
from parex.torch._work import TorchWork


class Exchanges(BaseGroup):
    """all_gather and all_to_all. Lists may have tensors of different sizes, in all_gather equally on all ranks."""

    def allgather(
        self, outputs: Sequence[Sequence[torch.Tensor]], inputs: Sequence[torch.Tensor], opts: Any = None
    ) -> TorchWork:
        """Brings the tensors of all ranks to the list of each."""
        block = single("all_gather", "the inputs", inputs)
        blocks: Sequence[torch.Tensor] = single("all_gather", "the lists of outputs", outputs)
        call, operands = self._gather_to_list(blocks, block, opts)
        return self._run(call, blocks, operands)

    def allgather_coalesced(
        self, outputs: Sequence[Sequence[torch.Tensor]], inputs: Sequence[torch.Tensor], opts: Any = None
    ) -> TorchWork:
        """Several of them at once: a list for each rank of what its inputs are. The future's value is those lists."""
        require_blocks("all_gather_coalesced", "the list of lists", outputs, self.parex.size)
        pairs = zip(zip(*outputs, strict=True), inputs, strict=True)
        return self._run_all([self._gather_to_list(column, block, opts) for column, block in pairs], outputs)

    def _allgather_base(self, output: torch.Tensor, input: torch.Tensor, opts: Any = None) -> TorchWork:
        """As allgather, into one tensor that has the blocks of all ranks one after the other."""
        call, operands = self._gather((output,), input, None, None, opts)
        return self._run(call, (output,), operands)

    def allgather_into_tensor_coalesced(
        self, outputs: Sequence[torch.Tensor], inputs: Sequence[torch.Tensor], opts: Any = None
    ) -> TorchWork:
        """Several of them at once (torch 2.x)."""
        pairs = zip(outputs, inputs, strict=True)
        return self._run_all([self._gather((whole,), block, None, None, opts) for whole, block in pairs], outputs)

    def alltoall(
        self, outputs: Sequence[torch.Tensor], inputs: Sequence[torch.Tensor], opts: Any = None
    ) -> TorchWork:
        """Gives each rank its tensor of this list, and takes this rank's of each other's, of any sizes."""
        require_blocks("all_to_all", "the list of inputs", inputs, self.parex.size)
        require_blocks("all_to_all", "the list of outputs", outputs, self.parex.size)
        operands = Operands("all_to_all", inputs[0])
        call = Call(
            "all_to_all",
            operands.dtype,
            tuple([operands.source(*pair) for pair in zip(inputs, outputs)]),
            tuple([operands.target(each) for each in outputs]),
            # Always with lengths: a rank does not see whether those of others are alike.
            send_lengths=tuple([each.numel() for each in inputs]),
            recv_lengths=tuple([each.numel() for each in outputs]),
            options=self._with(opts),
        )
        return self._run(call, outputs, operands)

    def alltoall_base(
        self,
        output: torch.Tensor,
        input: torch.Tensor,
        output_splits: Sequence[int],
        input_splits: Sequence[int],
        opts: Any = None,
    ) -> TorchWork:
        """As alltoall, of one tensor in and one out, cut along their first dimension: evenly, or as the splits say. If
        one rank gives splits all do."""
        operands = Operands("all_to_all", input)
        send_lengths = recv_lengths = None
        if input_splits or output_splits:
            send_lengths = self._cut("input", input, input_splits)
            recv_lengths = self._cut("output", output, output_splits)
        else:
            self._cut("input", input, ())
            self._cut("output", output, ())
        call = Call(
            "all_to_all",
            operands.dtype,
            (operands.source(input),),
            (operands.target(output),),
            send_lengths=send_lengths,
            recv_lengths=recv_lengths,
            options=self._with(opts, None if send_lengths else input),
        )
        return self._run(call, (output,), operands)

    def _cut(self, what: str, tensor: torch.Tensor, splits: Sequence[int]) -> tuple[int, ...]:
        """Elements of each rank's rows of a tensor; ArgumentError if the splits do not make up its rows."""
        size = self.parex.size
        if tensor.dim() == 0:
            raise ArgumentError(f"all_to_all: the {what} has no dimension to cut", primitive="all_to_all")
        rows = tensor.shape[0]
        elements = tensor.shape[1:].numel()
        if not splits:
            if rows % size:
                raise ArgumentError(
                    f"all_to_all: the {what} has {rows} rows, which {size} ranks do not share evenly: give splits",
                    primitive="all_to_all",
                )
            return (rows // size * elements,) * size
        if len(splits) != size or min(splits) < 0 or sum(splits) != rows:
            raise ArgumentError(
                f"all_to_all: the splits {list(splits)} of the {what} are not {size} numbers, none negative, that make"
                f" its {rows} rows",
                primitive="all_to_all",
            )
        return tuple([split * elements for split in splits])

    def _gather_to_list(
        self, blocks: Sequence[torch.Tensor], block: torch.Tensor, opts: Any
    ) -> tuple[Call, Operands]:
        require_blocks("all_gather", "the list of outputs", blocks, self.parex.size)
        return self._gather(blocks, block, lengths_of(blocks), blocks[self.parex.rank], opts)

    def _gather(
        self,
        outputs: Sequence[torch.Tensor],
        block: torch.Tensor,
        lengths: tuple[int, ...] | None,
        own: torch.Tensor | None,
        opts: Any,
    ) -> tuple[Call, Operands]:
        operands = Operands("all_gather", block)
        call = Call(
            "all_gather",
            operands.dtype,
            (operands.source(block, apart_from=own),),
            tuple([operands.target(each) for each in outputs]),
            send_lengths=lengths,
            options=self._with(opts, block),
        )
        return call, operands
