"""Where the bytes of an operation come from and go to."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from parex._call import Buffer
from parex._fit import Fitted
from parex.errors import ProtocolError


class _Cursor:
    """A position in buffers that are read or filled as if they lay one after the other."""

    def __init__(self, buffers: Sequence[Buffer]) -> None:
        self._buffers = [buffer for buffer in buffers if buffer.nbytes]
        self._which = 0
        self._offset = 0

    def take(self, length: int) -> list[Buffer]:
        """The next ``length`` bytes, which are there, as slices of the buffers."""
        parts = []
        while length:
            buffer = self._buffers[self._which]
            end = min(self._offset + length, buffer.nbytes)
            parts.append(buffer[self._offset : end])
            length -= end - self._offset
            self._offset = end
            if end == buffer.nbytes:
                self._which += 1
                self._offset = 0
        return parts


class Transfer:
    """How input and output of one operation travel: the part that all ways have in common. Any thread."""

    def __init__(self, fitted: Fitted) -> None:
        self.input_bytes = fitted.input_count * fitted.element.size
        self.output_bytes = fitted.output_count * fitted.element.size
        self.sent_bytes = 0
        self.copied_bytes = 0
        self._element_bytes = fitted.element.size

    def copy_input(self, inputs: Sequence[Buffer]) -> None:
        """Lets the caller have its input back at once. Before the operation is submitted."""

    def places(self) -> bytes:
        """The fields of the operation's message that say where its tensors are, if they do not travel beside it."""
        return b""

    def receive(self, data: memoryview) -> None:
        """Takes the next bytes of output."""
        raise ProtocolError("the rank sent bytes of an output that lies in shared memory")

    def grant(self, limit: int) -> None:
        """The rank takes ``limit`` bytes of input in all."""

    def is_sent(self) -> bool:
        """Whether all of the input has been taken."""
        return self.sent_bytes == self.input_bytes

    def next_length(self, most: int) -> int:
        """Bytes of the next chunk, of at most ``most``; 0 if there is nothing more, or no credit for it."""
        return 0

    def next_chunk(self, head: bytes, length: int) -> bytes | None:
        """The next ``length`` bytes of input after ``head``, copied; None if the operation has ended."""
        return None

    def deliver(self, count: int) -> None:
        """The operation has ended well with ``count`` elements of output. ProtocolError if they are not there."""

    def abandon(self) -> None:
        """Lets go of the caller's memory, while the rank may still be at work."""

    def release(self) -> None:
        """Lets go of all memory: the rank has ended the operation."""


class ChunkedTransfer(Transfer):
    """Input read and output filled in chunks, which the carrier moves beside the calls. Input and output each have a
    lock, so that nobody reads or writes the caller's memory once :meth:`release` has returned. Any thread."""

    def __init__(self, fitted: Fitted, credit: int) -> None:
        super().__init__(fitted)
        self.received_bytes = 0
        self._credit = credit
        self._input_lock = threading.Lock()
        self._output_lock = threading.Lock()
        self._inputs: _Cursor | None = _Cursor(fitted.inputs)
        self._outputs: _Cursor | None = _Cursor(fitted.outputs)

    def copy_input(self, inputs: Sequence[Buffer]) -> None:
        """Lets the caller have its input back at once. Before the operation is submitted."""
        self._inputs = _Cursor((memoryview(b"".join(inputs)),))
        self.copied_bytes = self.input_bytes

    def grant(self, limit: int) -> None:
        """The rank takes ``limit`` bytes of input in all."""
        self._credit = max(self._credit, limit)

    def next_length(self, most: int) -> int:
        """A whole number of elements."""
        length = min(most, self.input_bytes - self.sent_bytes, self._credit - self.sent_bytes)
        return max(0, length - length % self._element_bytes)

    def next_chunk(self, head: bytes, length: int) -> bytes | None:
        """Copied from the caller's memory, or from the copy that was made of it."""
        with self._input_lock:
            if self._inputs is None:
                return None
            parts = self._inputs.take(length)
            self.sent_bytes += length
            return b"".join((head, *parts))

    def receive(self, data: memoryview) -> None:
        """Copies the next bytes of output to where they belong; ProtocolError if there is no room for them."""
        with self._output_lock:
            if self._outputs is None:
                return
            if self.received_bytes + data.nbytes > self.output_bytes:
                raise ProtocolError(
                    f"the rank sent {self.received_bytes + data.nbytes} bytes of output,"
                    f" {self.output_bytes} were asked for"
                )
            start = 0
            for part in self._outputs.take(data.nbytes):
                part[:] = data[start : start + part.nbytes]
                start += part.nbytes
            self.received_bytes += data.nbytes

    def deliver(self, count: int) -> None:
        """All of it has come already."""
        if self.received_bytes != count * self._element_bytes:
            raise ProtocolError(
                f"the rank sent {self.received_bytes} of {count * self._element_bytes} bytes of output"
            )

    def abandon(self) -> None:
        """The rank has no part in its memory."""
        self.release()

    def release(self) -> None:
        """Lets go of the caller's memory."""
        with self._input_lock:
            self._inputs = None
        with self._output_lock:
            self._outputs = None
