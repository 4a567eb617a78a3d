"""Quotes and transactions of KyberSwap."""

from dataclasses import dataclass, field

from rhumbline.adapters.kyberswap.calldata import Terms, check_swap, read_swap
from rhumbline.adapters.kyberswap.client import Route, build_route, find_route
from rhumbline.adapters.kyberswap.deployments import Deployment
from rhumbline.adapters.kyberswap.wire import RouteData
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import NATIVE_EVM, ChainType
from rhumbline.domain.errors import BelowMinimum, NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_most, expect_gas
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.upstreams.spec import AdapterContext

KEY = "KYBERSWAP"
LOGO = "https://kyberswap.com/favicon.svg"
UNPROVABLE = (
    "The deadline that KyberSwap was given is inside its executor's own packed data and is not read back; through the "
    "service's contract the contract's own deadline holds.",
    "To whom the router sends the input, and what the executor does with it: it gets it itself as a rule, or the first "
    "pools do, and a stranger's share cannot be told from a pool's. It can cost no more than the promise less the "
    "minimum.",
)
BUILD_LOSS = 1
"""By how many raw units a build comes out below its route."""
MOST_TOLERANCE_BPS = 2000
_BPS = 10_000


@dataclass(frozen=True, slots=True)
class KyberSwapAdapter:
    """The ``Adapter`` of KyberSwap: swaps on one EVM chain, by whoever calls, to anybody."""

    context: AdapterContext[Deployment]
    info: AdapterInfo = field(init=False, repr=False)
    """Who the adapter is."""

    def __post_init__(self) -> None:
        chains = tuple(sorted(self.context.deployments))
        object.__setattr__(
            self,
            "info",
            AdapterInfo(self.context.key, "KyberSwap", LOGO, Capability.EXCHANGE, chains, trust_assumptions=UNPROVABLE),
        )

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept two tokens of one EVM chain with a deployment, but wrapping."""
        origin = request.origin
        return origin.id in self.context.deployments and origin.type is ChainType.EVM and request.is_swap

    async def quote(self, request: QuoteRequest, /) -> Quote[Route]:
        """Ask for a route; raise an AdapterError when there is none that can be trusted.

        ``output_amount`` is what its build will come out at, one raw unit below the route. What pools keep is off
        already and is not itemised by the upstream.
        """
        place = self._place(request)
        if request.amount <= 0:
            raise RequestRejected("amount: it must be positive")
        route = await find_route(self.context.http, place, request, _pair(request, place))
        _check_route(route.terms, request, place)
        output = route.terms.route_summary.amount_out - BUILD_LOSS
        if output <= 0:
            raise BelowMinimum("gives nothing for so small an amount", None)
        return Quote(self.context.key, request, output, route, gas_units=expect_gas(route.terms.route_summary.gas))

    async def build(self, quote: Quote[Route], /) -> EvmTransaction:
        """Have the route encoded so that ``quote.min_output_amount`` is guaranteed, and read the call back.

        Raise SlippageTooTight when the build guarantees less, RequestRejected without a minimum.
        """
        request, place, minimum = quote.request, self._place(quote.request), quote.min_output_amount
        if minimum is None or not 0 < minimum <= quote.output_amount:
            raise RequestRejected("min_output_amount: a positive minimum not above the quoted output must be set first")
        tolerance = tolerance_bps(quote.output_amount, minimum)
        built = await build_route(self.context.http, place, request, quote.payload.summary, tolerance)
        native = request.origin_token.address == NATIVE_EVM
        expect("router", built.router_address, place.router)
        expect("native value", built.transaction_value, request.amount if native else 0)
        expect("amount", built.amount_in, request.amount)
        swap = read_swap(built.data)
        check_swap(swap, Terms(*_pair(request, place), request.amount, request.payout_address, native))
        # More than it would bring only fails, and costs the wallet its gas.
        expect_at_most("minimum", swap.minimum, built.amount_out)
        if swap.minimum < minimum:
            if built.amount_out < quote.output_amount:
                raise SlippageTooTight("the price has moved since the quote, and the minimum cannot be guaranteed")
            raise UpstreamFailed("answered a smaller minimum than was asked for")
        router = built.router_address
        return EvmTransaction(
            request.origin.id, router, built.transaction_value, built.data, None if native else router
        )

    def _place(self, request: QuoteRequest) -> Deployment:
        if not self.supports(request):
            raise NoRoute("does not serve this pair of tokens and chains")
        return self.context.deployments[request.origin.id]


def tolerance_bps(output: int, minimum: int) -> int:
    """Return the largest whole tolerance in bps, at most 2000, with which ``minimum`` is still guaranteed.

    KyberSwap's minimum is ``output * (10000 - tolerance) / 10000``, rounded down.
    """
    return min((output - minimum) * _BPS // output, MOST_TOLERANCE_BPS)


def _pair(request: QuoteRequest, place: Deployment) -> tuple[str, str]:
    def own(token: Token) -> str:
        return place.native if token.address == NATIVE_EVM else token.address

    return own(request.origin_token), own(request.destination_token)


def _check_route(terms: RouteData, request: QuoteRequest, place: Deployment) -> None:
    summary, (token_in, token_out) = terms.route_summary, _pair(request, place)
    expect("router", terms.router_address, place.router)
    expect("input token", summary.token_in, token_in)
    expect("output token", summary.token_out, token_out)
    expect("amount", summary.amount_in, request.amount)
    fee = summary.extra_fee
    if fee is not None and (fee.fee_receiver or fee.fee_amount.strip("0,")):
        raise UpstreamFailed("answered a route with a fee that nobody asked for")
