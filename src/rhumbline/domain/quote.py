"""The request to one adapter, and its answer."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from rhumbline.domain.amount import MAX_EVM
from rhumbline.domain.arrival import GasOnArrival
from rhumbline.domain.chain import NATIVES, Chain
from rhumbline.domain.errors import RequestRejected
from rhumbline.domain.fee import FeeItem
from rhumbline.domain.pool_plan import PoolPlan
from rhumbline.domain.token import Token

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class QuoteRequest:
    """A request to one adapter.

    ``amount`` is the upstream's input, in raw units of ``origin_token``, after fees. ``taker`` makes the call on chain
    (our Executor, or the wallet in direct form); the upstream must pay ``payout_address`` (the Executor, which
    forwards, or the receiver itself); ``sender`` is the wallet; ``refund_to`` gets refunds on the
    origin, None: the sender; ``receiver`` gets the final output.
    ``slippage`` is the largest share of the output that may be lost, for upstreams that fix it when they quote; the
    binding minimum is the one that routing puts into the quote before ``build``. ``deadline`` is in Unix seconds.
    ``message`` is for a bridge with ``AdapterInfo.carries_messages``: it pays the contract at ``payout_address`` and
    calls it with these bytes. The quote includes its price for that; the message of the quote that is built may differ,
    and is not longer. ``reserved`` are bytes of a Solana transaction that stay free beside those for the service's
    usual instructions. ``destination_gas`` is native of the destination, in wei, that ``receiver`` must have with the
    output: only an adapter whose ``AdapterInfo.gas_from`` has the origin's type brings it. ``calls_on_arrival``: what
    arrives is put into a call, which no adapter does by itself.
    """

    origin: Chain
    destination: Chain
    origin_token: Token
    destination_token: Token
    amount: int
    sender: str
    receiver: str
    taker: str
    payout_address: str
    slippage: Fraction
    deadline: int
    message: bytes = b""
    reserved: int = 0
    destination_gas: int = 0
    calls_on_arrival: bool = False
    refund_to: str | None = None

    @property
    def refund_address(self) -> str:
        """Who gets the input back if a bridge fails."""
        return self.sender if self.refund_to is None else self.refund_to

    @property
    def is_swap(self) -> bool:
        """Whether two tokens of one chain are exchanged; wrapping or unwrapping the native asset is not a swap."""
        sold, bought = self.origin_token.address, self.destination_token.address
        native, wrapped = self.origin.native.address, self.origin.wrapped_native
        wraps = (sold, bought) in ((native, wrapped), (wrapped, native))
        return self.destination.id == self.origin.id and sold != bought and not wraps

    @property
    def sells_native(self) -> bool:
        """Whether the input is the native asset of its chain."""
        return self.origin_token.address in NATIVES

    @property
    def buys_native(self) -> bool:
        """Whether the output is the native asset of its chain."""
        return self.destination_token.address in NATIVES

    def pair(self, native: str, native_there: str | None = None) -> tuple[str, str]:
        """Return input and output token as an upstream names them: the native asset by its own marker ``native``.

        ``native_there`` is its marker on the destination, where that is another.
        """
        there = native if native_there is None else native_there
        return (
            native if self.sells_native else self.origin_token.address,
            there if self.buys_native else self.destination_token.address,
        )

    def expect_amount(self, largest: int = MAX_EVM) -> None:
        """Raise RequestRejected unless the amount is from 1 to ``largest``, what the upstream's numbers can hold."""
        if not 0 < self.amount <= largest:
            bits = "" if largest == MAX_EVM else f" and have at most {largest.bit_length()} bits"
            raise RequestRejected(f"amount: it must be positive{bits}")


@dataclass(frozen=True, slots=True)
class Quote(Generic[P]):
    """An adapter's answer. ``output_amount`` is in raw units of the destination token.

    ``price_impact_bps`` is how far the trade moves the price (None if unknown), ``native_fee`` is to be sent in wei
    beside the amount, ``fees`` are already deducted from the output, ``seconds`` is a bridge's estimate.
    ``min_output_amount`` is the guarantee of an upstream that fixes its minimum when it quotes, and None for one that
    accepts any minimum at ``build``; when routing passes the quote to ``build`` it is the least that must be
    guaranteed. ``assured_output`` is what a pinned party guarantees, by which the quote is ranked across chains: the
    bridge's contract, or a signature over the order with this input; None if that is the minimum, 0 if there is no
    guarantee. ``gas_units`` is a rough estimate of the call's gas, ``payload`` the adapter's own data for ``build``.
    ``pool_plan`` are the pools of a quote whose adapter chose them itself. ``gas_on_arrival`` is what the receiver gets
    of a requested ``destination_gas``.
    """

    adapter: str
    request: QuoteRequest
    output_amount: int
    payload: P
    min_output_amount: int | None = None
    native_fee: int = 0
    fees: tuple[FeeItem, ...] = ()
    seconds: int | None = None
    gas_units: int | None = None
    price_impact_bps: int | None = None
    assured_output: int | None = None
    pool_plan: PoolPlan | None = None
    gas_on_arrival: GasOnArrival | None = None

    def required_minimum(self) -> int:
        """Return the minimum that ``build`` must guarantee; raise RequestRejected unless routing has set a sound one.

        It is positive, and not above the quoted output.
        """
        minimum = self.min_output_amount
        if minimum is None or not 0 < minimum <= self.output_amount:
            raise RequestRejected("min_output_amount: a positive minimum not above the quoted output must be set first")
        return minimum


@dataclass(frozen=True, slots=True)
class Refusal:
    """An adapter without an answer: ``kind`` is the AdapterError's kind or ``disabled``, ``reason`` may be shown.

    ``ours``: a node or price source of the service's was unavailable, or its event loop blocked, which says nothing
    about the adapter.
    """

    adapter: str
    kind: str
    reason: str
    minimum: int | None = None
    ours: bool = False
