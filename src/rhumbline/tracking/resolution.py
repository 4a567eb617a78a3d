"""From what is known of a transfer to its status: a pure table over every set of findings."""

from dataclasses import dataclass
from enum import StrEnum

from rhumbline.domain.tracking import StatusSource, TransferState


class Finding(StrEnum):
    """One thing known of a transfer."""

    SWAP_EVENT = "swap_event"
    """The Diamond's ``Swapped`` is in a confirmed block: input taken, output delivered, both measured by it."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a record says of its state; ``substatus`` holds a provider's own word, None when no provider is involved."""

    status: TransferState
    substatus: str | None
    source: StatusSource


_NOTHING = Resolution(TransferState.UNKNOWN, None, StatusSource.UNKNOWN)
_SWAPPED = Resolution(TransferState.SUCCESS, None, StatusSource.ANALYTICS)


def resolve(findings: frozenset[Finding]) -> Resolution:
    """Return the status that the findings prove; the order in which they came plays no part."""
    return _SWAPPED if Finding.SWAP_EVENT in findings else _NOTHING
