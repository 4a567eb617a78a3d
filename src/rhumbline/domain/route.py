"""The caller's question and the executable answer."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from rhumbline.domain.account import ApiClient
from rhumbline.domain.chain import Chain
from rhumbline.domain.fee import Charge, FeeItem
from rhumbline.domain.gas import GasTerms
from rhumbline.domain.price import PriceSnapshot
from rhumbline.domain.quote import Refusal
from rhumbline.domain.simulation import Simulation
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction, Transaction


@dataclass(frozen=True, slots=True)
class AdapterFilter:
    """Which adapters may answer: keys in upper case; ``None`` includes all; an exclusion wins over an inclusion."""

    include_bridges: frozenset[str] | None = None
    include_exchanges: frozenset[str] | None = None
    exclude_bridges: frozenset[str] = frozenset()
    exclude_exchanges: frozenset[str] = frozenset()


class Order(StrEnum):
    """By what answers are put in order; docs/quotes.md has the rule."""

    RECOMMENDED = "RECOMMENDED"
    CHEAPEST = "CHEAPEST"
    FASTEST = "FASTEST"


@dataclass(frozen=True, slots=True)
class RouteRequest:
    """A caller's question, parsed and checked. ``amount`` is gross, in raw units of the origin token.

    Addresses are canonical. ``integrator`` is the name to attribute (the parameter's, else the key's), ``fee_share``
    the integrator's share of the amount. ``slippage`` is the caller's bound, None for the default; ``auto_slippage``
    makes the service choose it and wins. ``receiver_defaulted``: the receiver is the sender because none was named.
    ``first_of`` is the ID of the route whose first step this is, empty for all else; a caller's word.
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


@dataclass(frozen=True, slots=True)
class RouteWarning:
    """A remark that stops nothing; ``code`` is one of the contract's."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class FeeBreakdown:
    """Items as taken or estimated; ``total`` in the origin token, of those that could be converted.

    It is ``complete`` when all could. ``unit_usd`` is what a whole origin token counts for, None where it is not known.
    """

    items: tuple[FeeItem, ...]
    total: int
    complete: bool
    unit_usd: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one adapter offers, before anything is built or run; amounts in raw units.

    ``fees`` are without gas, in the origin's token ``currency``.
    """

    adapter: str
    output_amount: int
    min_output_amount: int
    currency: Token
    fees: FeeBreakdown
    seconds: int | None = None


Tell = Callable[[Estimate | Refusal], None]
"""Is told what each adapter answers as it comes, once an adapter; must not raise."""


def tell_nobody(told: Estimate | Refusal) -> None:
    """Forget it: for those who wait for the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteOffer:
    """What is offered for a question by one transaction. Amounts in raw units.

    ``min_output_amount`` is enforced on chain, or by the bridge. ``price_impact`` is the share of its value that the
    trade loses (None when unknown), ``trust_assumptions`` are sentences.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteAnswer(RouteOffer):
    """An executable route.

    ``scan_url`` and ``reference`` are the page of a transfer on its bridge's explorer (see ``AdapterInfo``), and what
    the bridge calls the transfer; None for swaps and where it is not known. ``expires_at`` is the Unix second by which
    the transaction must be mined, ``approvals`` are what is sent before it.
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
