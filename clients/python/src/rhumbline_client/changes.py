"""What a transaction is told to have become, and when nothing more is to be expected."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from rhumbline_client.models import PublicStatus, TrackedTransaction

TRANSACTION_ID = re.compile(r"0x[0-9a-fA-F]{64}")
FINAL = "transaction.final"
SEEN, STATUS, WITHDRAWN = "transaction.seen", "transaction.status", "transaction.withdrawn"
POLLS = (2.0, 4.0, 8.0, 15.0, 30.0)
"""Seconds between two questions, as docs/guides/tracking.md advises; the last one from then on."""


@dataclass(frozen=True, slots=True)
class StatusChange:
    """A change of one transaction: ``type`` is that of the event, ``status`` what it is after that.

    ``transaction.withdrawn``: a reorganisation removed it, and ``status`` is what it was before.
    """

    type: str
    status: PublicStatus

    @property
    def is_final(self) -> bool:
        """Whether nothing more will be told."""
        return self.type == FINAL


@dataclass(frozen=True, slots=True)
class RecordChange:
    """A change of one of the integrator's transactions, or of the stream itself: then ``transaction`` is None.

    Keep ``id``: the stream goes on after it. ``type`` is ``ready`` at the beginning, and ``gap`` if some events are not
    kept any more, so that the transactions have to be listed. ``number`` is the same if an event comes a second time.
    """

    id: str | None
    type: str
    number: int | None = None
    at: datetime | None = None
    transaction: TrackedTransaction | None = None


def checked_id(transaction_id: str) -> str:
    """Return the ID of an answer.

    Raises:
        ValueError: it is none, and nothing could ever be told of it.

    """
    if not TRANSACTION_ID.fullmatch(transaction_id):
        raise ValueError(
            f"transaction_id is the transaction_id of an answer, 0x and 64 digits, unlike {transaction_id!r}"
        )
    return transaction_id


def polled(last: PublicStatus | None, found: PublicStatus | None) -> StatusChange | None:
    """Return what changed between two answers; None if nothing did, or nothing was seen yet."""
    if found == last:
        return None
    if found is None:
        return None if last is None else StatusChange(WITHDRAWN, last)
    if not found.status.endswith("_pending"):
        return StatusChange(FINAL, found)
    return StatusChange(SEEN if last is None else STATUS, found)


def pauses() -> Iterator[float]:
    """Return the seconds to wait before each next question."""
    yield from POLLS
    while True:
        yield POLLS[-1]


def is_news(change: StatusChange, last: PublicStatus | None) -> bool:
    """Tell whether a change says more than the last one: a stream that begins again repeats what is."""
    return change.is_final or change.type == WITHDRAWN or change.status != last
