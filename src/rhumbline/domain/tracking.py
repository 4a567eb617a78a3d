"""What is seen on chains, and the records made of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum


class TransferState(StrEnum):
    """The contract's tracking status."""

    SUCCESS = "success"
    RECOVERED = "recovered"
    BRIDGE_PENDING = "bridge_pending"
    REFUND_PENDING = "refund_pending"
    REFUNDED = "refunded"
    BRIDGE_FAILED = "bridge_failed"
    UNKNOWN = "unknown"


class RouteType(StrEnum):
    """What kind of route a record is."""

    BRIDGE = "bridge"
    SWAP = "swap"
    BRIDGE_SWAP = "bridge_swap"
    UNKNOWN = "unknown"


class StatusSource(StrEnum):
    """Where a status comes from."""

    ANALYTICS = "analytics"
    RECEIPT = "receipt"
    BRIDGE_API = "bridge_api"
    MIXED = "mixed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class FeeSighting:
    """A fee the Diamond really paid: ``kind`` service or integrator, ``amount`` in raw units of ``token``."""

    kind: str
    recipient: str
    token: str
    amount: int


@dataclass(frozen=True, slots=True)
class Sighting:
    """A swap seen on a chain, as the Diamond's event tells it; amounts in raw units, addresses canonical.

    Unique by (chain, transaction hash, log index). ``integrator`` and ``adapter`` are the event's own claims.
    ``ordered_amount`` is what the order said, ``input_amount`` what was taken (less where a fee was skipped) and
    ``net_amount`` what came out of that; ``deadline`` is the order's, in Unix seconds as far as anybody may claim.
    """

    chain_id: int
    tx_hash: str
    log_index: int
    block_number: int
    block_hash: str
    block_time: datetime
    transaction_id: str
    sender: str
    receiver: str
    integrator: str
    adapter: str
    input_token: str
    ordered_amount: int
    input_amount: int
    net_amount: int
    output_token: str
    output_amount: int
    min_output: int
    deadline: int
    fees: tuple[FeeSighting, ...]


@dataclass(frozen=True, slots=True)
class BridgeSighting:
    """A transfer seen to start on a chain, as the Diamond's event tells it: all but chain and place is a claim.

    Amounts in raw units; ``receiver``, ``output_token`` and ``reference`` are the event's 32 bytes. ``ordered_amount``
    and ``deadline`` are those of the order, as in ``Sighting``.
    """

    chain_id: int
    tx_hash: str
    log_index: int
    block_number: int
    block_hash: str
    block_time: datetime
    transaction_id: str
    sender: str
    integrator: str
    adapter: str
    receiver: bytes
    destination_chain_id: int
    input_token: str
    ordered_amount: int
    input_amount: int
    sent_token: str
    sent_amount: int
    output_token: bytes
    expected_output: int
    min_output: int
    deadline: int
    refund_to: str
    swapped: bool
    has_dest_call: bool
    reference: bytes
    fees: tuple[FeeSighting, ...]


@dataclass(frozen=True, slots=True)
class TokenAmount:
    """An amount of a token in a record; ``usd`` is the value at the time, None when there was no price."""

    chain_id: int
    address: str
    symbol: str
    decimals: int
    raw: int
    usd: Decimal | None = None


@dataclass(frozen=True, slots=True)
class TrackedTransaction:
    """One tracking record, in our words; the contract's aliases and spellings are made at the wire.

    None means unavailable or not yet known, never zero. ``source_log_index`` is None for calls that have no event
    of ours.
    """

    id: str
    transaction_id: str | None
    source_tx_hash: str
    dest_tx_hash: str | None
    source_block_number: int
    source_log_index: int | None
    source_chain_id: int
    dest_chain_id: int | None
    source_network: str
    dest_network: str | None
    source_time: datetime
    dest_time: datetime | None
    sender: str
    receiver: str | None
    integrator: str
    protocol: str
    route_type: RouteType
    has_dest_call: bool
    input: TokenAmount | None
    output: TokenAmount | None
    source_gas_fee: TokenAmount | None
    dest_gas_fee: TokenAmount | None
    integrator_fee: TokenAmount | None
    service_fee: TokenAmount | None
    status: TransferState
    substatus: str | None
    status_source: StatusSource
    last_receipt_checked_at: datetime | None
    created_at: datetime
    updated_at: datetime
    bridge_scan_url: str | None = None
    raw_bridge_status: Mapping[str, object] | None = None
    last_bridge_checked_at: datetime | None = None
    last_bridge_success_checked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PublicRecord:
    """What of a record anybody may know who has its transaction ID; ``output_raw`` in raw units."""

    id: str
    transaction_id: str
    source_tx_hash: str
    dest_tx_hash: str | None
    status: TransferState
    substatus: str | None
    status_source: StatusSource
    updated_at: datetime
    output: TokenAmount | None
    output_raw: int | None


@dataclass(frozen=True, slots=True)
class TransactionFilter:
    """Which records a listing shows; all given filters combine with AND."""

    status: TransferState | None = None
    route_type: RouteType | None = None
    source_chain_id: int | None = None
    dest_chain_id: int | None = None


@dataclass(frozen=True, slots=True)
class TransactionPage:
    """Records newest first, and the opaque cursor of the next page, None at the end."""

    transactions: tuple[TrackedTransaction, ...]
    next_cursor: str | None
