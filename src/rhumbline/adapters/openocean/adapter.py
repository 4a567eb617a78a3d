"""The adapter of OpenOcean: quotes and transactions."""

from rhumbline.adapters.openocean.checking import check_answer
from rhumbline.adapters.openocean.client import find_swap
from rhumbline.adapters.openocean.deployments import Deployment
from rhumbline.adapters.openocean.wire import SwapData
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.amount import less_bps, slippage_bps
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import NodeUnavailable, SlippageTooTight, UpstreamFailed
from rhumbline.domain.expectations import expect_at_least, expect_at_most, expect_gas
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.nodes.evm.gas_price import GasPrices
from rhumbline.gateways.nodes.evm.rpc import RpcError
from rhumbline.gateways.upstreams.estimates import NEGATIVE_PERCENT, price_impact_bps
from rhumbline.gateways.upstreams.spec import AdapterContext, UpstreamAdapter

LOGO = "https://app.openocean.finance/favicon.ico"
TRUST_ASSUMPTIONS = (
    "OpenOcean's calls have no deadline. Through the service's contract, that contract's own deadline applies; in the "
    "direct form only the minimum protects the wallet.",
    "It is not verified to whom the exchange sends the input, or what its inner calls pay: a stranger's share looks "
    "like a pool's. The loss is at most the promised output less the minimum. A call's referrer and guaranteed amount "
    "only go into its event.",
)
LEAST_SLIPPAGE_BPS = 5
MOST_SLIPPAGE_BPS = 5000


class OpenOceanAdapter(UpstreamAdapter[Deployment]):
    """The ``Adapter`` of OpenOcean: swaps on one EVM chain that has a node, for any caller and any receiver."""

    def __init__(self, context: AdapterContext[Deployment]) -> None:
        chains = tuple(chain for chain in context.served if chain in context.rpcs)
        super().__init__(
            context, AdapterInfo(context.key, "OpenOcean", LOGO, Capability.EXCHANGE, chains, None, TRUST_ASSUMPTIONS)
        )
        self._gas_prices = GasPrices()

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept two tokens of one EVM chain with a deployment and a node, but wrapping."""
        return request.origin.id in self.info.chains and request.origin.type is ChainType.EVM and request.is_swap

    async def quote(self, request: QuoteRequest, /) -> Quote[SwapData]:
        """Ask for a swap whose minimum is fixed by ``request.slippage``; raise an AdapterError.

        ``min_output_amount`` is what the call guarantees. What pools keep is off already and is not itemised by the
        upstream. Raise SlippageTooTight below 0.05 %, the least that OpenOcean takes.
        """
        place = self.deployment(request)
        request.expect_amount()
        slippage = slippage_bps(request.slippage, MOST_SLIPPAGE_BPS)
        if slippage < LEAST_SLIPPAGE_BPS:
            raise SlippageTooTight("takes no slippage below 0.05 %")
        gas_price = await self._gas_price(request.origin.id)
        found = await find_swap(self.context.http, place, request, gas_price, slippage)
        minimum = check_answer(found, request, place).minimum
        expect_at_most("minimum", minimum, found.out_amount)
        expect_at_least("minimum", minimum, less_bps(found.out_amount, slippage))
        return Quote(
            self.info.key,
            request,
            found.out_amount,
            found,
            min_output_amount=minimum,
            gas_units=expect_gas(found.estimated_gas),
            price_impact_bps=price_impact_bps(found.price_impact, NEGATIVE_PERCENT),
        )

    async def build(self, quote: Quote[SwapData], /) -> EvmTransaction:
        """Return the quote's own call, read back once more; it asks nothing.

        Raise SlippageTooTight when less is guaranteed than ``quote.min_output_amount``, RequestRejected without one.
        """
        request, place, minimum = (
            quote.request,
            self.context.deployments[quote.request.origin.id],
            quote.required_minimum(),
        )
        found = quote.payload
        if check_answer(found, request, place).minimum < minimum:
            raise SlippageTooTight("guarantees less than the minimum")
        spender = None if request.sells_native else found.to
        return EvmTransaction(request.origin.id, found.to, found.value, found.data, spender)

    async def _gas_price(self, chain_id: int) -> int:
        """Return the gas price in wei, by which OpenOcean compares routes."""
        rpc = self.context.rpcs[chain_id]
        try:
            return await self._gas_prices.of(rpc)
        except (RpcError, NodeUnavailable) as error:
            reason = f"cannot be asked without the chain's gas price, and {rpc.name}'s node does not tell"
            raise UpstreamFailed(reason) from error
