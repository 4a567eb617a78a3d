"""Events: what happened to a record, in the order in which it happened."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from rhumbline.domain.tracking import TransactionRecord


class EventKind(StrEnum):
    """What happened to a record."""

    SEEN = "seen"
    """It was added."""
    STATUS = "status"
    """Its status or substatus changed, and it is not final; or it is not final any more."""
    FINAL = "final"
    """Nobody is asked about it any more: its status stays, unless a reorganisation withdraws it."""
    UPDATED = "updated"
    """Something else that its answer shows changed: an amount, a fee, a value."""
    WITHDRAWN = "withdrawn"
    """A reorganisation removed it, final or not."""

    @property
    def type(self) -> str:
        """How it is called outside: ``transaction.seen``."""
        return f"transaction.{self.value}"


@dataclass(frozen=True, slots=True)
class RecordEvent:
    """An event; ``number`` grows with time, also across records.

    ``record`` is as it is now, of a withdrawn one as it was; None where it was withdrawn since, of which a later event
    tells. ``subject`` is its transaction ID, or its own without one: events of one subject are told in order.
    """

    number: int
    kind: EventKind
    at: datetime
    record_id: str
    subject: str
    record: TransactionRecord | None
