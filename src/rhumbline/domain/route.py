"""The caller's request and the executable answer."""

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from rhumbline.domain.account import ApiClient
from rhumbline.domain.arrival import CallOnArrival, GasOnArrival
from rhumbline.domain.chain import Chain
from rhumbline.domain.fee import Charge, FeeItem
from rhumbline.domain.gas import GasTerms
from rhumbline.domain.permit import Permit
from rhumbline.domain.pool_plan import PoolPlan
from rhumbline.domain.price import PriceSnapshot
from rhumbline.domain.quote import Refusal
from rhumbline.domain.simulation import Simulation
from rhumbline.domain.solana_terms import SolanaCosts, SolanaTerms
from rhumbline.domain.token import Token
from rhumbline.domain.trail import Trail
from rhumbline.domain.transaction import EvmTransaction, Transaction


@dataclass(frozen=True, slots=True)
class AdapterFilter:
    """Which adapters may answer: keys in upper case; ``None`` includes all; an exclusion overrides an inclusion."""

    include_bridges: frozenset[str] | None = None
    include_exchanges: frozenset[str] | None = None
    exclude_bridges: frozenset[str] = frozenset()
    exclude_exchanges: frozenset[str] = frozenset()


class TradeType(StrEnum):
    """Which end of a route its amount fixes: what the sender gives, or what the receiver gets at least."""

    EXACT_INPUT = "EXACT_INPUT"
    EXACT_OUTPUT = "EXACT_OUTPUT"


class Order(StrEnum):
    """The order of answers; docs/quotes.md has the rule."""

    RECOMMENDED = "RECOMMENDED"
    CHEAPEST = "CHEAPEST"
    FASTEST = "FASTEST"


@dataclass(frozen=True, slots=True)
class RouteRequest:
    """A parsed and checked request of a client. ``amount`` is gross, in raw units of the origin token.

    Addresses are canonical. ``integrator`` is the name to attribute (the parameter's, otherwise the key's),
    ``fee_share`` the integrator's share of the amount. ``slippage`` is the client's bound, None for the default;
    ``auto_slippage`` lets the service choose it, and overrides it. ``receiver_defaulted``: no receiver was named, so it
    is the sender. ``first_of`` is the ID of the route whose first step this is, otherwise empty; it is the client's
    claim. ``explain`` requests an explanation by which the answer can be recomputed, ``permits`` a signature in place
    of approvals. ``trail`` gets what becomes of the request, None where nobody wants to know. ``wanted_output`` is the
    least that the receiver must be guaranteed, in raw units of the destination token, None where the slippage alone
    decides; with an ``amount`` of 0 the input for it is sought. ``solana`` are choices for a transaction on Solana,
    None without any. ``destination_gas`` is native of the destination, in wei, that the receiver is to have with the
    output; ``auto_destination_gas`` lets the service choose it. ``destination_call`` is to be made with what arrives.
    ``refund_to`` is the wallet on the origin that must get the tokens back if a bridge fails, None: whoever that bridge
    refunds.
    """

    origin: Chain
    destination: Chain
    origin_token: str
    destination_token: str
    amount: int
    sender: str
    receiver: str
    client: ApiClient
    integrator: str | None = None
    fee_share: Fraction | None = None
    slippage: Fraction | None = None
    auto_slippage: bool = False
    adapters: AdapterFilter = AdapterFilter()
    receiver_defaulted: bool = False
    order: Order = Order.RECOMMENDED
    first_of: str = ""
    explain: bool = False
    solana: SolanaTerms | None = None
    permits: bool = False
    destination_gas: int = 0
    auto_destination_gas: bool = False
    destination_call: CallOnArrival | None = None
    refund_to: str | None = None
    trail: Trail | None = field(default=None, compare=False, repr=False)
    wanted_output: int | None = None

    @property
    def seeks_input(self) -> bool:
        """Whether the output is given, and the input for it is still to be found."""
        return self.wanted_output is not None and not self.amount

    @property
    def wants_more_there(self) -> bool:
        """Whether something is wanted on arrival beside the output."""
        return self.destination_gas > 0 or self.auto_destination_gas or self.destination_call is not None


@dataclass(frozen=True, slots=True)
class RouteWarning:
    """A warning beside an answer; ``code`` is one of the contract's."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class FeeBreakdown:
    """Items as taken or estimated; ``total`` in the origin token, of those that could be converted.

    It is ``complete`` if all could. ``unit_usd`` is the USD value of a whole origin token, None if unknown.
    """

    items: tuple[FeeItem, ...]
    total: int
    complete: bool
    unit_usd: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """An adapter's offer, before it is built or simulated; amounts in raw units.

    ``fees`` are without gas, in the origin's token ``currency``. ``input_amount`` is None where the request fixes it.
    """

    adapter: str
    output_amount: int
    min_output_amount: int
    currency: Token
    fees: FeeBreakdown
    seconds: int | None = None
    input_amount: int | None = None


OnAnswer = Callable[[Estimate | Refusal], None]
"""Is called with each adapter's answer as it arrives, once per adapter; must not raise."""


@dataclass(frozen=True, slots=True)
class RoutePart:
    """What one adapter does within a transaction of several: a swap before a bridge, the bridge, a swap on arrival.

    Amounts in raw units, as they were quoted.
    """

    adapter: str
    origin_token: Token
    destination_token: Token
    input_amount: int
    output_amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteOffer:
    """An offer by one transaction. Amounts in raw units.

    ``min_output_amount`` is enforced on chain, or by the bridge. ``price_impact`` is the share of its value that the
    trade loses (None when unknown), ``trust_assumptions`` are sentences, ``pool_plan`` is the quote's. ``parts`` are
    what the transaction does one after the other; none where one adapter does all of it. ``gas_on_arrival`` is what the
    receiver gets of a requested ``destination_gas``.
    """

    request: RouteRequest
    origin_token: Token
    destination_token: Token
    adapter: str
    output_amount: int
    min_output_amount: int
    fees: FeeBreakdown
    seconds: int | None = None
    approval_address: str | None = None
    simulation: Simulation | None = None
    warnings: tuple[RouteWarning, ...] = ()
    price_impact: Fraction | None = None
    trust_assumptions: tuple[str, ...] = ()
    pool_plan: PoolPlan | None = None
    parts: tuple[RoutePart, ...] = ()
    gas_on_arrival: GasOnArrival | None = None

    @property
    def surplus(self) -> int | None:
        """How much more than the wanted output is expected; None where none was named."""
        wanted = self.request.wanted_output
        return None if wanted is None else self.output_amount - wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteAnswer(RouteOffer):
    """An executable route.

    ``scan_url`` and ``reference`` are the page of a transfer on its bridge's explorer (see ``AdapterInfo``), and the
    bridge's ID of the transfer; None for swaps and if unknown. ``expires_at`` is the Unix second by which the
    transaction must be mined, ``approvals`` are sent before it. ``permit`` replaces both by a signature and one
    transaction; None where there is none, or none was asked for. ``solana`` are the costs of a caller's own choices on
    Solana, None without any.
    """

    transaction: Transaction
    transaction_id: str
    charges: tuple[Charge, ...]
    gas: GasTerms | None
    refusals: tuple[Refusal, ...] = ()
    prices: tuple[PriceSnapshot, PriceSnapshot] | None = None
    scan_url: str | None = None
    reference: str | None = None
    expires_at: int | None = None
    approvals: tuple[EvmTransaction, ...] = ()
    solana: SolanaCosts | None = None
    permit: Permit | None = None
