"""Quotes and transactions of OpenOcean."""

import re
from dataclasses import dataclass, field

from rhumbline.adapters.openocean.calldata import ExchangeSwap, Terms, check_swap, read_swap
from rhumbline.adapters.openocean.client import find_swap
from rhumbline.adapters.openocean.deployments import Deployment
from rhumbline.adapters.openocean.wire import SwapData
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.amount import share_down
from rhumbline.domain.chain import NATIVE_EVM, ChainType
from rhumbline.domain.errors import NodeUnavailable, NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_least, expect_at_most, expect_gas
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.nodes.evm.rpc import RpcError, quantity
from rhumbline.gateways.upstreams.spec import AdapterContext

KEY = "OPENOCEAN"
LOGO = "https://app.openocean.finance/favicon.ico"
UNPROVABLE = (
    "OpenOcean's calls have no deadline; through the service's contract the contract's own deadline holds, and in the "
    "direct form only the minimum does.",
    "To whom the exchange sends the input, and what is paid in the calls that are made with it: a stranger's share "
    "cannot be told from a pool's. It can cost no more than the promise less the minimum. The referrer and the "
    "guaranteed amount of a call are written to its event alone.",
)
LEAST_SLIPPAGE_BPS = 5
MOST_SLIPPAGE_BPS = 5000
_BPS = 10_000
_PERCENT = re.compile(r"(-?)([0-9]{1,6})(?:\.([0-9]{1,4}))?%\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class OpenOceanAdapter:
    """The ``Adapter`` of OpenOcean: swaps on one EVM chain that has a node, by whoever calls, to anybody."""

    context: AdapterContext[Deployment]
    info: AdapterInfo = field(init=False, repr=False)
    """Who the adapter is."""

    def __post_init__(self) -> None:
        chains = tuple(sorted(self.context.deployments.keys() & self.context.rpcs.keys()))
        object.__setattr__(
            self,
            "info",
            AdapterInfo(self.context.key, "OpenOcean", LOGO, Capability.EXCHANGE, chains, trust_assumptions=UNPROVABLE),
        )

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept two tokens of one EVM chain with a deployment and a node, but wrapping."""
        origin = request.origin
        known = origin.id in self.context.deployments and origin.id in self.context.rpcs
        return known and origin.type is ChainType.EVM and request.is_swap

    async def quote(self, request: QuoteRequest, /) -> Quote[SwapData]:
        """Ask for a swap whose minimum is fixed by ``request.slippage``; raise an AdapterError.

        ``min_output_amount`` is what the call guarantees. What pools keep is off already and is not itemised by the
        upstream. Raise SlippageTooTight below 0.05 %, the least that OpenOcean takes.
        """
        place = self._place(request)
        if request.amount <= 0:
            raise RequestRejected("amount: it must be positive")
        slippage = min(share_down(_BPS, request.slippage), MOST_SLIPPAGE_BPS)
        if slippage < LEAST_SLIPPAGE_BPS:
            raise SlippageTooTight("takes no slippage below 0.05 %")
        gas_price = await self._gas_price(request.origin.id)
        found = await find_swap(self.context.http, place, request, _pair(request, place), gas_price, slippage)
        swap = _checked(found, request, place)
        expect_at_most("minimum", swap.minimum, found.out_amount)
        expect_at_least("minimum", swap.minimum, found.out_amount * (_BPS - slippage) // _BPS)
        return Quote(
            self.context.key,
            request,
            found.out_amount,
            found,
            min_output_amount=swap.minimum,
            gas_units=expect_gas(found.estimated_gas),
            price_impact_bps=impact_bps(found.price_impact),
        )

    async def build(self, quote: Quote[SwapData], /) -> EvmTransaction:
        """Return the quote's own call, read back once more; it asks nothing.

        Raise SlippageTooTight when less is guaranteed than ``quote.min_output_amount``, RequestRejected without one.
        """
        request, place, minimum = quote.request, self._place(quote.request), quote.min_output_amount
        if minimum is None or not 0 < minimum <= quote.output_amount:
            raise RequestRejected("min_output_amount: a positive minimum not above the quoted output must be set first")
        found = quote.payload
        if _checked(found, request, place).minimum < minimum:
            raise SlippageTooTight("guarantees less than the minimum")
        spender = None if request.origin_token.address == NATIVE_EVM else found.to
        return EvmTransaction(request.origin.id, found.to, found.value, found.data, spender)

    def _place(self, request: QuoteRequest) -> Deployment:
        if not self.supports(request):
            raise NoRoute("does not serve this pair of tokens and chains")
        return self.context.deployments[request.origin.id]

    async def _gas_price(self, chain_id: int) -> int:
        """Return what gas costs in wei: OpenOcean weighs routes by it."""
        rpc = self.context.rpcs[chain_id]
        try:
            return quantity(await rpc.call("eth_gasPrice"))
        except (RpcError, NodeUnavailable) as error:
            reason = f"cannot be asked without the chain's gas price, and {rpc.name}'s node does not tell"
            raise UpstreamFailed(reason) from error


def impact_bps(said: object) -> int | None:
    """Read a price impact such as ``-0.19%``, where a loss is negative, as bps lost, rounded up; None when it is none.

    Which sign is the loss follows from the published answers, the documentation does not say.
    """
    match = _PERCENT.match(said) if isinstance(said, str) else None
    if match is None:
        return None
    hundredths_of_bps = int(match[2]) * _BPS + int((match[3] or "").ljust(4, "0"))
    return -(-hundredths_of_bps // 100) if match[1] else 0


def _pair(request: QuoteRequest, place: Deployment) -> tuple[str, str]:
    def own(token: Token) -> str:
        return place.native if token.address == NATIVE_EVM else token.address

    return own(request.origin_token), own(request.destination_token)


def _echoed(said: str, asked: str, place: Deployment) -> str:
    """Return the token that an answer names: the native asset goes by a second name on some chains."""
    return asked if asked == place.native and said == place.native_too else said


def _checked(found: SwapData, request: QuoteRequest, place: Deployment) -> ExchangeSwap:
    """Return the call of an answer; raise UpstreamFailed unless all of both is what was asked, NoRoute for RFQ."""
    if found.rfq_deadline:
        raise NoRoute("has only a market maker's offer, which is for one caller and seconds")
    if found.gmx_fee:
        raise NoRoute("has only a route that costs more native value")
    token_in, token_out = _pair(request, place)
    native = request.origin_token.address == NATIVE_EVM
    expect("chain", found.chain_id, request.origin.id)
    expect("input token", _echoed(found.in_token.address, token_in, place), token_in)
    expect("output token", _echoed(found.out_token.address, token_out, place), token_out)
    expect("amount", found.in_amount, request.amount)
    expect("exchange", found.to, place.exchange)
    expect("native value", found.value, request.amount if native else 0)
    swap = read_swap(found.data)
    check_swap(swap, Terms(token_in, token_out, request.amount, request.payout_address, native))
    return swap
