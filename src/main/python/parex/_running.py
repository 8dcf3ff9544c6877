"""What runs in a session: an operation, and the group that it is called on."""

from __future__ import annotations

from dataclasses import dataclass

from parex._call import Call
from parex._fit import Fitted
from parex._transfer import Transfer
from parex._work import Completed, Work
from parex.errors import ParexError, ProtocolError


@dataclass(frozen=True, slots=True)
class Target:
    """The group that a call is made on, and the epoch (0: not known) and round it is meant for."""

    name: str
    epoch: int
    round: int


class Running:
    """One operation of a session that has not ended."""

    __slots__ = ("call", "copied_bytes", "fitted", "group", "id", "template", "transfer", "work")

    def __init__(
        self, call: Call, fitted: Fitted, group: str, template: bytes, transfer: Transfer, work: Work
    ) -> None:
        self.id = 0
        self.call = call
        self.fitted = fitted
        self.group = group
        self.template = template
        self.transfer = transfer
        self.work = work
        self.copied_bytes = 0

    def deliver(self, completed: Completed) -> ParexError | None:
        """Brings the output to where it belongs; the failure of an operation that ended well with less than it has."""
        expected = completed.count if self.call.open_lengths else self.fitted.output_count
        try:
            self.transfer.deliver(expected)
        except ProtocolError as error:
            return error
        return None
