"""Sightings of transactions on chains, and the records made of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.destination_call import DestinationCall

NO_EVENT = -1
"""A wallet's own call of a bridge has no event of ours: this is the log index of its record."""


class TransferState(StrEnum):
    """The tracking status of the contract."""

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
    """The source of a status."""

    ANALYTICS = "analytics"
    RECEIPT = "receipt"
    BRIDGE_API = "bridge_api"
    MIXED = "mixed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class FeeSighting:
    """A fee that the Diamond paid: ``kind`` service or integrator, ``amount`` in raw units of ``token``."""

    kind: str
    recipient: str
    token: str
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderSighting:
    """An order executed on a chain, by the Diamond's event; amounts in raw units.

    Unique by (chain, transaction hash, log index). Addresses are canonical. ``integrator`` and ``adapter`` are the
    event's own claims. ``ordered_amount`` is the order's, ``input_amount`` the amount taken (less if a fee was
    skipped); ``deadline`` is the order's, in Unix seconds, unverified.
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
    input_token: str
    ordered_amount: int
    input_amount: int
    min_output: int
    deadline: int
    fees: tuple[FeeSighting, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting(OrderSighting):
    """A swap; ``net_amount`` is ``input_amount`` less fees."""

    receiver: str
    net_amount: int
    output_token: str
    output_amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeSighting(OrderSighting):
    """A transfer's start; all but chain, hash and index is a claim. Receiver, output token, reference: 32 bytes."""

    receiver: bytes
    destination_chain_id: int
    sent_token: str
    sent_amount: int
    output_token: bytes
    expected_output: int
    refund_to: str
    swapped: bool
    has_destination_call: bool
    reference: bytes


@dataclass(frozen=True, slots=True)
class RecordAmount:
    """An amount in a record: ``raw`` units at once, the rest when the token is known.

    ``symbol`` is what the token was called when it was read; ``usd`` is the value at the time, None without a price.
    """

    address: str
    raw: int
    symbol: str | None = None
    decimals: int | None = None
    usd: Decimal | None = None


@dataclass(frozen=True, slots=True)
class UncheckedFee:
    """Payments in one token (recipient, raw units), until it is known which went to the right wallet."""

    address: str
    paid: tuple[tuple[str, int], ...]


RecordFee = RecordAmount | UncheckedFee | None
"""A fee in a record."""


@dataclass(frozen=True, slots=True)
class TransferTerms:
    """The terms by which a bridge is asked about a transfer, beside those in its record; amounts in raw units.

    ``claimed``: nothing of ours vouches for it, its bridge looks for it on the chain itself. ``deposit`` is there until
    it was looked for. ``refund_to`` gets refunds on the origin; None: the sender.
    """

    adapter: str
    receiver: str
    sent_token: str
    sent_amount: int
    output_token: str
    min_output: int
    reference: str | None
    claimed: bool = False
    deposit: BridgeDeposit | None = None
    destination_call: DestinationCall | None = None
    refund_to: str | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Replaces stored terms that cannot be parsed: no bridge is asked about their record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionRecord:
    """One tracking record as the store keeps it, a field for each of its columns.

    None means unavailable or not yet known, never zero. ``origin_log_index`` is ``NO_EVENT`` for calls that have no
    event of ours. ``terms`` are those of a transfer that its bridge may be asked about, at ``next_bridge_check_at``.
    ``claimed_by`` is the process that asks the bridge at the moment, until then. ``use`` tells which of the places of
    its transaction ID the record has. Without an integrator it is nobody's.
    """

    id: str
    transaction_id: str | None
    origin_chain_id: int
    origin_tx_hash: str
    origin_log_index: int
    origin_block_number: int
    origin_block_hash: str
    origin_time: datetime
    destination_chain_id: int | None = None
    destination_tx_hash: str | None = None
    destination_time: datetime | None = None
    sender: str
    receiver: str | None = None
    integrator: str | None
    protocol: str
    route_type: RouteType = RouteType.UNKNOWN
    has_destination_call: bool = False
    input: RecordAmount | None = None
    output: RecordAmount | None = None
    origin_gas_fee: RecordAmount | None = None
    destination_gas_fee: RecordAmount | None = None
    integrator_fee: RecordFee = None
    service_fee: RecordFee = None
    status: TransferState = TransferState.UNKNOWN
    substatus: str | None = None
    status_source: StatusSource = StatusSource.UNKNOWN
    last_receipt_checked_at: datetime | None = None
    terms: TransferTerms | Unreadable | None = None
    bridge_scan_url: str | None = None
    raw_bridge_status: Mapping[str, object] | None = None
    last_bridge_checked_at: datetime | None = None
    last_bridge_success_checked_at: datetime | None = None
    next_bridge_check_at: datetime | None = None
    claimed_by: str | None = None
    use: int = 1
    created_at: datetime
    updated_at: datetime


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
    """A record as its integrator sees it: chains by name, and amounts by the present token lists.

    None means unavailable or not yet known, never zero.
    """

    record: TransactionRecord
    origin_network: str
    destination_network: str | None
    input: TokenAmount | None = None
    output: TokenAmount | None = None
    origin_gas_fee: TokenAmount | None = None
    destination_gas_fee: TokenAmount | None = None
    integrator_fee: TokenAmount | None = None
    service_fee: TokenAmount | None = None


@dataclass(frozen=True, slots=True)
class PublicRecord:
    """The part of a record that anybody with its transaction ID may see: what its chains show, and how it stands.

    ``output_raw`` is in raw units; the fees are those that the sender has paid, whoever got them. ``final``:
    nobody is asked about it any more. ``refund_to`` gets refunds on the origin, if the request named somebody.
    """

    id: str
    transaction_id: str | None
    origin_chain_id: int
    origin_tx_hash: str
    origin_time: datetime
    destination_chain_id: int | None
    destination_tx_hash: str | None
    destination_time: datetime | None
    protocol: str
    route_type: RouteType
    status: TransferState
    substatus: str | None
    status_source: StatusSource
    bridge_scan_url: str | None
    updated_at: datetime
    input: TokenAmount | None
    output: TokenAmount | None
    output_raw: int | None
    origin_gas_fee: TokenAmount | None
    integrator_fee: TokenAmount | None
    service_fee: TokenAmount | None
    final: bool = False
    refund_to: str | None = None


@dataclass(frozen=True, slots=True)
class TransactionFilter:
    """Which records a listing shows; all given filters combine with AND.

    Wallets are canonical addresses. Times are those of the source's block, from ``since`` on and before ``until``.
    """

    status: TransferState | None = None
    route_type: RouteType | None = None
    origin_chain_id: int | None = None
    destination_chain_id: int | None = None
    sender: str | None = None
    receiver: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class TransactionPage:
    """Records newest first, and the opaque cursor of the next page, None at the end."""

    transactions: tuple[TrackedTransaction, ...]
    next_cursor: str | None
