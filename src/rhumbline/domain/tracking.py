"""What is seen on chains, and the records made of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.destination_call import DestinationCall

NO_EVENT = -1
"""Where a wallet calls a bridge itself there is no event of ours: this stands for the place of one."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderSighting:
    """An order seen to be carried out on a chain, as the Diamond's event tells it; amounts in raw units.

    Unique by (chain, transaction hash, log index). Addresses are canonical. ``integrator`` and ``adapter`` are the
    event's own claims. ``ordered_amount`` is what the order said, ``input_amount`` what was taken (less where a fee was
    skipped); ``deadline`` is the order's, in Unix seconds as far as anybody may claim.
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
    """A swap; ``net_amount`` is what the fees left of ``input_amount``."""

    receiver: str
    net_amount: int
    output_token: str
    output_amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeSighting(OrderSighting):
    """A transfer seen to start; all but chain and place is a claim. Receiver, output token, reference: 32 bytes."""

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
class KeptAmount:
    """An amount of a token as a record keeps it: ``raw`` units at once, the rest as soon as the token is known.

    ``symbol`` is what the token was called when it was read; ``usd`` is the value at the time, None without a price.
    """

    address: str
    raw: int
    symbol: str | None = None
    decimals: int | None = None
    usd: Decimal | None = None


@dataclass(frozen=True, slots=True)
class UncheckedFee:
    """Payments in one token, each a recipient and raw units, until it is known which went to the right wallet."""

    address: str
    paid: tuple[tuple[str, int], ...]


KeptFee = KeptAmount | UncheckedFee | None
"""A fee as a record keeps it."""


@dataclass(frozen=True, slots=True)
class TransferTerms:
    """What a bridge is asked about a transfer by, beside what its record tells; amounts in raw units.

    ``claimed``: nothing of ours vouches for it, its bridge looks for it on the chain itself. ``deposit`` is there until
    it was looked for.
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


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Stands for terms that the store holds and nobody can read: their record is asked about by nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionRecord:
    """One tracking record as the store keeps it, a field for each of its columns.

    None means unavailable or not yet known, never zero. ``origin_log_index`` is ``NO_EVENT`` for calls that have no
    event of ours. ``terms`` are those of a transfer that its bridge may be asked about, at ``next_bridge_check_at``.
    ``use`` tells which of the places of its transaction ID the record has. Without an integrator it is nobody's.
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
    input: KeptAmount | None = None
    output: KeptAmount | None = None
    origin_gas_fee: KeptAmount | None = None
    destination_gas_fee: KeptAmount | None = None
    integrator_fee: KeptFee = None
    service_fee: KeptFee = None
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
    """A record as its integrator is shown it: the chains by name, and amounts as the lists tell them now.

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
    """What of a record anybody may know who has its transaction ID; ``output_raw`` in raw units."""

    id: str
    transaction_id: str | None
    origin_tx_hash: str
    destination_tx_hash: str | None
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
    origin_chain_id: int | None = None
    destination_chain_id: int | None = None


@dataclass(frozen=True, slots=True)
class TransactionPage:
    """Records newest first, and the opaque cursor of the next page, None at the end."""

    transactions: tuple[TrackedTransaction, ...]
    next_cursor: str | None
