"""Quotes and transactions of Nordstern."""

from dataclasses import dataclass, field

from rhumbline.adapters.nordstern.calldata import LARGEST, GuardSwap, Terms, check_swap, read_swap
from rhumbline.adapters.nordstern.client import MILLIONTHS, find_swap
from rhumbline.adapters.nordstern.deployments import Deployment
from rhumbline.adapters.nordstern.wire import SwapAnswer
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.amount import share_down
from rhumbline.domain.chain import NATIVE_EVM, ChainType
from rhumbline.domain.errors import BelowMinimum, NoRoute, RequestRejected, SlippageTooTight
from rhumbline.domain.expectations import expect, expect_at_least, expect_at_most, expect_gas
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.upstreams.spec import AdapterContext

KEY = "NORDSTERN"
LOGO = "https://nordstern.finance/favicon.ico"
UNPROVABLE = (
    "Nordstern's calls have no deadline; through the service's contract the contract's own deadline holds, and in the "
    "direct form only the minimum does.",
    "To whom the input goes, and what its executor does with it, is packed in a form of its own: that the guard "
    "reverts below the minimum is what holds it, so that it can cost no more than the promise less the minimum.",
)
LEAST_SLIPPAGE = 1
"""In millionths."""


@dataclass(frozen=True, slots=True)
class NordsternAdapter:
    """The ``Adapter`` of Nordstern: swaps on one EVM chain, by whoever calls, to anybody."""

    context: AdapterContext[Deployment]
    info: AdapterInfo = field(init=False, repr=False)
    """Who the adapter is."""

    def __post_init__(self) -> None:
        chains = tuple(sorted(self.context.deployments))
        object.__setattr__(
            self,
            "info",
            AdapterInfo(self.context.key, "Nordstern", LOGO, Capability.EXCHANGE, chains, trust_assumptions=UNPROVABLE),
        )

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept two tokens of one EVM chain with a deployment, but wrapping."""
        origin = request.origin
        return origin.id in self.context.deployments and origin.type is ChainType.EVM and request.is_swap

    async def quote(self, request: QuoteRequest, /) -> Quote[SwapAnswer]:
        """Ask for a swap whose minimum is fixed by ``request.slippage``; raise an AdapterError.

        ``min_output_amount`` is what the call guarantees. What pools keep is off already and is not itemised by the
        upstream. Raise SlippageTooTight below a millionth.
        """
        place = self._place(request)
        if request.amount <= 0:
            raise RequestRejected("amount: it must be positive")
        if request.amount > LARGEST:
            raise NoRoute("does not trade so large an amount")
        slippage = min(share_down(MILLIONTHS, request.slippage), MILLIONTHS)
        if slippage < LEAST_SLIPPAGE:
            raise SlippageTooTight("takes no slippage below 0.0001 %")
        # Nordstern works the minimum out in doubles, some raw units too low: a millionth less makes up for it.
        found = await find_swap(self.context.http, request, _pair(request, place), slippage - LEAST_SLIPPAGE)
        output = int(found.to_amount)
        swap = _checked(found, request, place)
        expect_at_most("minimum", swap.minimum, output)
        least = output * (MILLIONTHS - slippage) // MILLIONTHS
        if least == swap.minimum == 0:
            raise BelowMinimum("gives too little for a minimum", None)
        expect_at_least("minimum", swap.minimum, max(least, 1))
        gas_units = _gas_units(found.gas_estimate)
        return Quote(self.context.key, request, output, found, min_output_amount=swap.minimum, gas_units=gas_units)

    async def build(self, quote: Quote[SwapAnswer], /) -> EvmTransaction:
        """Return the quote's own call, read back once more; it asks nothing.

        Raise SlippageTooTight when less is guaranteed than ``quote.min_output_amount``, RequestRejected without one.
        """
        request, place, minimum = quote.request, self._place(quote.request), quote.min_output_amount
        if minimum is None or not 0 < minimum <= quote.output_amount:
            raise RequestRejected("min_output_amount: a positive minimum not above the quoted output must be set first")
        tx = quote.payload.tx
        if _checked(quote.payload, request, place).minimum < minimum:
            raise SlippageTooTight("guarantees less than the minimum")
        spender = None if request.origin_token.address == NATIVE_EVM else tx.to
        return EvmTransaction(request.origin.id, tx.to, tx.value, tx.data, spender)

    def _place(self, request: QuoteRequest) -> Deployment:
        if not self.supports(request):
            raise NoRoute("does not serve this pair of tokens and chains")
        return self.context.deployments[request.origin.id]


def _pair(request: QuoteRequest, place: Deployment) -> tuple[str, str]:
    def own(token: Token) -> str:
        return place.native if token.address == NATIVE_EVM else token.address

    return own(request.origin_token), own(request.destination_token)


def _checked(found: SwapAnswer, request: QuoteRequest, place: Deployment) -> GuardSwap:
    """Return the call of an answer; raise UpstreamFailed unless all of both is what was asked."""
    token_in, token_out = _pair(request, place)
    native = request.origin_token.address == NATIVE_EVM
    expect("input token", found.src, token_in)
    expect("output token", found.dst, token_out)
    expect("amount", found.from_amount, request.amount)
    expect("receiver", found.tx.paid, request.payout_address)
    expect("guard", found.tx.to, place.guard)
    expect("native value", found.tx.value, request.amount if native else 0)
    swap = read_swap(found.tx.data)
    check_swap(swap, Terms(token_in, token_out, request.amount, request.payout_address, native))
    return swap


def _gas_units(said: object) -> int | None:
    """Read an amount of gas, which only weighs quotes: whatever else is there is left alone."""
    units = int(said) if isinstance(said, str) and said.isascii() and said.isdecimal() and len(said) < 19 else None
    return expect_gas(units)
