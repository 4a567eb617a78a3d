"""The adapter of KyberSwap: quotes and transactions."""

from rhumbline.adapters.kyberswap.checking import check_build, check_route
from rhumbline.adapters.kyberswap.client import Route, build_route, find_route, tolerance_bps
from rhumbline.adapters.kyberswap.deployments import Deployment
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import BelowMinimum, SlippageTooTight, UpstreamFailed
from rhumbline.domain.expectations import expect_gas
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.upstreams.spec import AdapterContext, UpstreamAdapter

LOGO = "https://kyberswap.com/favicon.svg"
TRUST_ASSUMPTIONS = (
    "The deadline that KyberSwap was given is inside its executor's packed data and is not read back. Through the "
    "service's contract, that contract's own deadline applies.",
    "It is not verified to whom the router sends the input, or what the executor does with it: usually the executor "
    "or the first pools get it, and a stranger's share looks like a pool's. The loss is at most the promised output "
    "less the minimum.",
)
BUILD_LOSS = 1
"""By how many raw units a build's output is below its route's."""


class KyberSwapAdapter(UpstreamAdapter[Deployment]):
    """The ``Adapter`` of KyberSwap: swaps on one EVM chain, for any caller and any receiver."""

    def __init__(self, context: AdapterContext[Deployment]) -> None:
        info = AdapterInfo(context.key, "KyberSwap", LOGO, Capability.EXCHANGE, context.served, None, TRUST_ASSUMPTIONS)
        super().__init__(context, info)

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept two tokens of one EVM chain with a deployment, but wrapping."""
        origin = request.origin
        return origin.id in self.context.deployments and origin.type is ChainType.EVM and request.is_swap

    async def quote(self, request: QuoteRequest, /) -> Quote[Route]:
        """Ask for a route; raise an AdapterError if there is none, or none that can be trusted.

        ``output_amount`` is what its build will come out at, one raw unit below the route. What pools keep is off
        already and is not itemised by the upstream.
        """
        place = self.deployment(request)
        request.expect_amount()
        route = await find_route(self.context.http, place, request)
        check_route(route.terms, request, place)
        output = route.terms.route_summary.amount_out - BUILD_LOSS
        if output <= 0:
            raise BelowMinimum("gives nothing for so small an amount")
        return Quote(self.info.key, request, output, route, gas_units=expect_gas(route.terms.route_summary.gas))

    async def build(self, quote: Quote[Route], /) -> EvmTransaction:
        """Have the route encoded so that ``quote.min_output_amount`` is guaranteed, and read the call back.

        Raise SlippageTooTight when the build guarantees less, RequestRejected without a minimum.
        """
        request, place = quote.request, self.context.deployments[quote.request.origin.id]
        minimum, sells_native = quote.required_minimum(), request.sells_native
        tolerance = tolerance_bps(quote.output_amount, minimum)
        built = await build_route(self.context.http, place, request, quote.payload.summary, tolerance)
        if check_build(built, request, place).minimum < minimum:
            if built.amount_out < quote.output_amount:
                raise SlippageTooTight("the price has moved since the quote, and the minimum cannot be guaranteed")
            raise UpstreamFailed("answered a smaller minimum than was asked for")
        router = built.router_address
        spender = None if sells_native else router
        return EvmTransaction(request.origin.id, router, built.transaction_value, built.data, spender)
