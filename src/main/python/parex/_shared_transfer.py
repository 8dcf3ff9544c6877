"""Input and output of one operation in memory that the rank shares: no bytes travel beside the call."""

from __future__ import annotations

from collections.abc import Sequence
import numpy as np

from parex import _wire
from parex._call import Buffer, Call
from parex._fit import Fitted
from parex._memory import Block, Bytes, SharedMemory
from parex._transfer import Transfer

_IN_PLACE = frozenset(("all_reduce", "reduce"))
"""Primitives whose output may take the place of an input of the same size."""


class SharedTransfer(Transfer):
    """Copies the input into a block when the operation is made, and the output out of one when it has ended well. A
    buffer of the caller's that lies in shared memory is where it belongs already."""

    def __init__(self, memory: SharedMemory, fitted: Fitted) -> None:
        super().__init__(fitted)
        self.sent_bytes = self.input_bytes
        self._memory = memory
        self._blocks: list[Block] = []
        # As messages have them.
        self._input: bytes | None = None
        self._output: bytes | None = None
        self._outputs: Sequence[Buffer] = ()
        self._result: Bytes | None = None
        self._reads_caller = False

    @classmethod
    def of(cls, call: Call, fitted: Fitted, memory: SharedMemory) -> SharedTransfer | None:
        """None if the rank gives no memory for it."""
        transfer = cls(memory, fitted)
        if transfer._place(call, fitted):
            return transfer
        transfer.release()
        return None

    def _place(self, call: Call, fitted: Fitted) -> bool:
        self._input = _place_of(fitted.inputs, self._memory)
        self._output = _place_of(fitted.outputs, self._memory)
        self._reads_caller = self._input is not None
        block = None
        if self.input_bytes and self._input is None:
            block = self._block(self.input_bytes)
            if block is None:
                return False
            self._input = block.place
            _gather(fitted.inputs, block.data)
        if self.output_bytes and self._output is None:
            if block is None or call.primitive not in _IN_PLACE:
                block = self._block(self.output_bytes)
            if block is None:
                return False
            self._output = block.place
            self._outputs = fitted.outputs
            self._result = block.data
        return True

    def _block(self, size: int) -> Block | None:
        block = self._memory.allocate(size)
        if block is not None:
            self._blocks.append(block)
        return block

    def copy_input(self, inputs: Sequence[Buffer]) -> None:
        """A message that the caller has in shared memory is copied there, so that it may be changed at once; all others
        are copied anyway."""
        if self._reads_caller and (block := self._block(self.input_bytes)) is not None:
            self._input = block.place
            _gather(inputs, block.data)

    def places(self) -> bytes:
        """Where they lie."""
        return _wire.places(self._input, self._output)

    def deliver(self, count: int) -> None:
        """Copies out what came, which with open lengths is less than there is room for."""
        if self._result is not None:
            _scatter(self._result[: count * self._element_bytes], self._outputs)

    def abandon(self) -> None:
        """The blocks stay the rank's until it has ended the operation."""
        self._outputs = ()
        self._result = None

    def release(self) -> None:
        """Gives the blocks back: the rank has ended the operation."""
        blocks, self._blocks = self._blocks, []
        self._result = None
        self._outputs = ()
        for block in blocks:
            self._memory.free(block)


def _place_of(buffers: Sequence[Buffer], memory: SharedMemory) -> bytes | None:
    return memory.place(buffers[0]) if len(buffers) == 1 else None


def _gather(buffers: Sequence[Buffer], target: Bytes) -> None:
    at = 0
    for buffer in buffers:
        if buffer.nbytes:
            # numpy lets other threads run while it copies much.
            target[at : at + buffer.nbytes] = np.frombuffer(buffer, np.uint8)
            at += buffer.nbytes


def _scatter(source: Bytes, buffers: Sequence[Buffer]) -> None:
    at = 0
    for buffer in buffers:
        length = min(buffer.nbytes, source.size - at)
        if length:
            np.frombuffer(buffer, np.uint8)[:length] = source[at : at + length]
            at += length
