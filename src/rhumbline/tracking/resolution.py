"""From the evidence about a transaction to its status: pure, total, and independent of the order of the evidence.

Rules (spec of the service, "Tracking"): a proof from a chain outranks a bridge's word; of two proofs the better news
for the receiver counts, for it is what truly happened to them; of a bridge's words that end a transfer the first one
counts, and where a chain proves that a refund is due none that says "delivered"; of those that do not, the latest.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType

from rhumbline.domain.tracking import StatusSource, TransactionRecord, TransferState

YOUNG = timedelta(minutes=30)
"""How long a bridge may not know a transfer yet."""
QUIET = timedelta(hours=24)
"""Without any answer for so long, the status is unknown."""
DELIVERED = frozenset({TransferState.SUCCESS, TransferState.RECOVERED})
_BY_PROOF = (TransferState.SUCCESS, TransferState.RECOVERED, TransferState.REFUNDED, TransferState.BRIDGE_FAILED)
TERMINAL = frozenset(_BY_PROOF)


class Origin(StrEnum):
    """How a record started."""

    SWAP_EVENT = "swap_event"
    """The Diamond's ``Swapped`` is in a confirmed block: input taken, output delivered, both measured by it."""
    SWAP_SHORT = "swap_short"
    """A swap was executed, and less than the minimum arrived: it does not count as a success."""
    SWAP_EMPTY = "swap_empty"
    """The same, and nothing arrived at all."""
    TRANSFER = "transfer"
    """A transfer was started and matches the issued one."""
    TRANSFER_CALLING = "transfer_calling"
    """The same, with a destination call: only that call's own event shows that it is done."""
    TRANSFER_CLAIMED = "transfer_claimed"
    """A transfer was started without a matching issued one; its bridge searches for it on the chain itself."""
    UNVERIFIED = "unverified"
    """A transfer was started without a matching issued one; no bridge is asked about it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One report about a transfer, however often repeated: by a chain (ANALYTICS) or by the bridge (BRIDGE_API).

    ``first_at`` and ``last_at`` are when it was said, never two things at the same moment. UNKNOWN as ``state``: the
    bridge did not know the transfer.
    """

    source: StatusSource
    state: TransferState
    substatus: str | None
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Resolution:
    """The resulting status of a record; ``substatus`` has a provider's own term.

    Of a swap that brought less than it must have it says what is wanting; else it is None without a provider.
    """

    status: TransferState
    substatus: str | None
    source: StatusSource

    def put_into(self, record: TransactionRecord) -> TransactionRecord:
        return replace(record, status=self.status, substatus=self.substatus, status_source=self.source)


_NOTHING = Resolution(TransferState.UNKNOWN, None, StatusSource.UNKNOWN)
_SWAPPED = Resolution(TransferState.SUCCESS, None, StatusSource.ANALYTICS)
_SHORT = Resolution(TransferState.UNKNOWN, "OUTPUT_BELOW_MINIMUM", StatusSource.ANALYTICS)
_EMPTY = Resolution(TransferState.UNKNOWN, "OUTPUT_MISSING", StatusSource.ANALYTICS)
_OF_SWAPS: Mapping[Origin, Resolution] = MappingProxyType(
    {Origin.SWAP_EVENT: _SWAPPED, Origin.SWAP_SHORT: _SHORT, Origin.SWAP_EMPTY: _EMPTY}
)
_STARTED = Resolution(TransferState.BRIDGE_PENDING, None, StatusSource.ANALYTICS)


def resolve(
    origin: Origin,
    evidence: Collection[Evidence] = (),
    *,
    started_at: datetime | None = None,
    now: datetime | None = None,
) -> Resolution:
    """Return the status that the evidence proves; ValueError for a transfer without ``started_at`` and ``now``."""
    if origin in _OF_SWAPS:
        return _OF_SWAPS[origin]
    if origin is Origin.UNVERIFIED:
        return _NOTHING
    if started_at is None or now is None:
        raise ValueError("a transfer is resolved at a time")
    if origin is Origin.TRANSFER_CLAIMED and all(item.state is TransferState.UNKNOWN for item in evidence):
        return _NOTHING
    counted = [item for item in evidence if origin is not Origin.TRANSFER_CALLING or _counts_with_call(item)]
    return _by_proof(counted) or _by_bridge(counted) or _open(counted, started_at, now)


def _counts_with_call(item: Evidence) -> bool:
    """Return whether evidence speaks of a transfer with a call: a bridge that says "delivered" speaks of the tokens."""
    return item.source is StatusSource.ANALYTICS or item.state is not TransferState.SUCCESS


def _by_proof(evidence: Collection[Evidence]) -> Resolution | None:
    for state in _BY_PROOF:
        found = [item for item in evidence if item.source is StatusSource.ANALYTICS and item.state is state]
        if found:
            return _of(min(found, key=_first))
    return None


def _by_bridge(evidence: Collection[Evidence]) -> Resolution | None:
    expired = any(
        item.source is StatusSource.ANALYTICS and item.state is TransferState.REFUND_PENDING for item in evidence
    )
    ends = TERMINAL - DELIVERED if expired else TERMINAL
    words = [item for item in evidence if item.source is StatusSource.BRIDGE_API and item.state in ends]
    return _of(min(words, key=_first)) if words else None


def _open(evidence: Collection[Evidence], started_at: datetime, now: datetime) -> Resolution:
    said = [item for item in evidence if item.state not in TERMINAL and item.state is not TransferState.UNKNOWN]
    latest = max(said, key=_last) if said else None
    heard_at = started_at if latest is None else latest.last_at
    if now - heard_at >= (YOUNG if latest is None else QUIET):
        return Resolution(TransferState.UNKNOWN, None if latest is None else latest.substatus, StatusSource.UNKNOWN)
    return _STARTED if latest is None else _of(latest)


def _first(item: Evidence) -> tuple[datetime, str, str]:
    return item.first_at, item.state.value, item.substatus or ""


def _last(item: Evidence) -> tuple[datetime, str, str, str]:
    return item.last_at, item.source.value, item.state.value, item.substatus or ""


def _of(item: Evidence) -> Resolution:
    return Resolution(item.state, item.substatus, item.source)
