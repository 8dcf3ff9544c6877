"""Sends and receives. Each starts when it is called, so that a list of them never waits in a circle."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from parex._call import Call
from parex.torch._base import BaseGroup, single
from parex.torch._tensors import Operands
from parex.torch._work import TorchWork


class PointToPoint(BaseGroup):
    """isend, irecv and their blocking forms. A receive names type and number of elements of what comes, exactly."""

    def send(self, tensors: Sequence[torch.Tensor], dst: int, tag: int = 0) -> TorchWork:
        """Sends the one tensor to rank ``dst``."""
        tensor = single("send", "the tensors to send", tensors)
        operands = Operands("send", tensor)
        call = Call(
            "send",
            operands.dtype,
            inputs=(operands.source(tensor),),
            destination=dst,
            send_tag=tag,
            options=self._options,
        )
        return TorchWork(self.parex.start(call), tensors)

    def recv(self, tensors: Sequence[torch.Tensor], src: int, tag: int = 0) -> TorchWork:
        """Receives into the one tensor from rank ``src``."""
        return self._receive(tensors, src, tag)

    def recv_anysource(self, tensors: Sequence[torch.Tensor], tag: int = 0) -> TorchWork:
        """Receives into the one tensor from whichever rank sends first; the work's source_rank tells which."""
        return self._receive(tensors, None, tag)

    def _receive(self, tensors: Sequence[torch.Tensor], source: int | None, tag: int) -> TorchWork:
        tensor = single("recv", "the tensors to receive", tensors)
        operands = Operands("recv", tensor)
        call = Call(
            "recv",
            operands.dtype,
            outputs=(operands.target(tensor),),
            source=source,
            recv_tag=tag,
            options=self._options,
        )
        return TorchWork(self.parex.start(call), tensors, operands)
