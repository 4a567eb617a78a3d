"""Quotes and transactions on Uniswap pools."""

import time
from collections.abc import Callable, Mapping
from functools import partial

from rhumbline.adapters.onchain.plans import (
    OnchainPlan,
    SwapPlan,
    asset,
    pools_transaction,
    swap_transaction,
    trades_by_plan,
    wrap_transaction,
    wrapping_kind,
)
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import NodeUnavailable, NoRoute, UpstreamFailed
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError
from rhumbline.gateways.upstreams.guard.guard import UpstreamGuard
from rhumbline.liquidity.block_reads import HeadGone
from rhumbline.liquidity.deployments import Deployment, anchors_of
from rhumbline.liquidity.engine import Liquidity

KEY = "ONCHAIN"
LOGO = "https://app.uniswap.org/favicon.png"
WRAP_GAS = 50_000
ATTEMPTS = 3
"""How often a quote begins anew when the block it reads at is replaced."""


class OnchainAdapter:
    """The ``Adapter`` of Uniswap, or of a fork under its own ``key`` and ``name``.

    It serves the chains that have both a deployment and an endpoint. ``seconds`` is a monotonic clock.
    """

    def __init__(
        self,
        deployments: Mapping[int, Deployment],
        rpcs: Mapping[int, EvmRpc],
        *,
        key: str = KEY,
        name: str = "On-chain pools",
        logo_uri: str = LOGO,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """Put a guard before each chain's node, as before a host: one that fails must not stop the others."""
        chains = tuple(sorted(deployments.keys() & rpcs.keys()))
        self._guards = {chain: UpstreamGuard(f"{key} {rpcs[chain].name}") for chain in chains}
        self.info = AdapterInfo(key, name, logo_uri, Capability.EXCHANGE, chains, own_calls=True)
        self._deployments = {chain: deployments[chain] for chain in chains}
        self._liquidity = {chain: Liquidity(rpcs[chain], deployments[chain], seconds) for chain in chains}

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept two tokens of one EVM chain with a deployment; wrapping only to whoever calls."""
        deployment = self._deployments.get(request.origin.id)
        if deployment is None or request.origin.type is not ChainType.EVM:
            return False
        pair = {request.origin_token.address, request.destination_token.address}
        if request.destination.id != request.origin.id or len(pair) == 1:
            return False
        return wrapping_kind(request, deployment) is None or request.payout_address == request.taker

    async def quote(self, request: QuoteRequest, /) -> Quote[OnchainPlan]:
        """Split the amount over the pools at the newest block, exact to the wei for that block.

        ``fees`` has one ``lp`` item a token that goes into pools (the first is the origin token): exactly what they
        keep. They are information: the output has them off already. ``price_impact_bps``
        compares with the pools' prices before the trade, fees aside. Raise NoRoute, BelowMinimum, RequestRejected or
        UpstreamFailed.
        """
        deployment = self._deployment(request)
        return await self._guards[request.origin.id].run(partial(self._quote, request, deployment))

    async def _quote(self, request: QuoteRequest, deployment: Deployment) -> Quote[OnchainPlan]:
        request.expect_amount()
        if (kind := wrapping_kind(request, deployment)) is not None:
            return Quote(self.info.key, request, request.amount, kind, gas_units=WRAP_GAS, price_impact_bps=0)
        for _ in range(ATTEMPTS):
            try:
                return await self._swap_quote(request, deployment)
            except HeadGone:
                continue
            except NodeUnavailable as error:
                raise UpstreamFailed(str(error)) from error
            except RpcError as error:
                raise UpstreamFailed(f"{request.origin.key}: the node refuses a read: {error.message}") from error
        raise UpstreamFailed(f"{request.origin.key}: the chain's newest block keeps being replaced")

    async def build(self, quote: Quote[OnchainPlan], /) -> EvmTransaction:
        """Make the transaction, guaranteeing ``quote.min_output_amount``; raise RequestRejected if it is missing.

        The calldata is read back and compared with the request before it is handed out.
        """
        request, deployment, minimum = quote.request, self._deployment(quote.request), quote.required_minimum()
        if isinstance(quote.payload, CallKind):
            return wrap_transaction(request, quote.payload, deployment)
        if trades_by_plan(request):
            return pools_transaction(request, quote.payload, deployment)
        return swap_transaction(request, quote.payload, minimum, deployment)

    def _deployment(self, request: QuoteRequest) -> Deployment:
        deployment = self._deployments.get(request.origin.id)
        if deployment is None or not self.supports(request):
            raise NoRoute(f"{self.info.name} does not serve this pair of tokens and chains")
        return deployment

    async def _swap_quote(self, request: QuoteRequest, deployment: Deployment) -> Quote[OnchainPlan]:
        origin, destination = (
            asset(token.address, deployment) for token in (request.origin_token, request.destination_token)
        )
        split = await self._liquidity[request.origin.id].split(
            request, origin, destination, forks=trades_by_plan(request)
        )
        hops, market = split.hops, split.market
        kept: dict[str, int] = {}
        for hop in hops:
            kept[hop.token_in] = kept.get(hop.token_in, 0) + market.fee(hop)
        tokens = {**anchors_of(deployment), origin: request.origin_token}
        return Quote(
            self.info.key,
            request,
            split.output,
            SwapPlan(hops, split.head.number, split.head.hash),
            fees=tuple(FeeItem(FeeType.LP, amount, tokens[token]) for token, amount in kept.items()),
            gas_units=market.gas(hops, unwraps=request.buys_native),
            price_impact_bps=market.impact_bps(hops),
        )
