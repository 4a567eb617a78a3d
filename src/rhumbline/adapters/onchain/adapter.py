"""Quotes and transactions on Uniswap pools."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TypeVar

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
from rhumbline.adapters.onchain.used_pools import pool_plan
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import NodeUnavailable, NoRoute, UpstreamFailed
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.gateways.nodes.evm.rpc import RpcError
from rhumbline.gateways.upstreams.guard.guard import UpstreamGuard
from rhumbline.liquidity.block_reads import HeadGone
from rhumbline.liquidity.chain_pools import ChainPools
from rhumbline.liquidity.deployments import Deployment, anchors_of
from rhumbline.liquidity.engine import Liquidity

T = TypeVar("T")
KEY = "ONCHAIN"
LOGO = "https://app.uniswap.org/favicon.png"
WRAP_GAS = 50_000
ATTEMPTS = 3
"""How often a quote begins again when the block it reads at is replaced."""


class OnchainAdapter:
    """The ``Adapter`` of the pools on all chains that have some."""

    def __init__(
        self, pools: Mapping[int, ChainPools], *, key: str = KEY, name: str = "On-chain pools", logo_uri: str = LOGO
    ) -> None:
        """Put a guard before each chain's node, as before a host: a failing one must not stop the others."""
        self._guards = {chain: UpstreamGuard(f"{key} {each.name}") for chain, each in pools.items()}
        self.info = AdapterInfo(key, name, logo_uri, Capability.EXCHANGE, tuple(sorted(pools)), own_calls=True)
        self._deployments = {chain: each.deployment for chain, each in pools.items()}
        self._liquidity = {chain: Liquidity(each) for chain, each in pools.items()}

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept two tokens of one EVM chain with a deployment; wrapping only to the caller itself."""
        deployment = self._deployments.get(request.origin.id)
        if deployment is None or request.origin.type is not ChainType.EVM:
            return False
        if deployment.router is None and not trades_by_plan(request):
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

    def names_input(self, request: QuoteRequest, /, *, priced: bool) -> bool:
        return True

    async def input_for(self, request: QuoteRequest, output: int, /) -> int:
        """Return the least input that the pools give ``output`` raw units for at the newest block, as ``quote`` asks.

        Raise NoRoute, RequestRejected or UpstreamFailed.
        """
        deployment = self._deployment(request)
        if wrapping_kind(request, deployment) is not None:
            return output
        return await self._guards[request.origin.id].run(partial(self._input_for, request, output, deployment))

    async def _input_for(self, request: QuoteRequest, output: int, deployment: Deployment) -> int:
        async def least() -> int:
            origin, destination = _assets(request, deployment)
            liquidity, forks = self._liquidity[request.origin.id], trades_by_plan(request)
            split = await liquidity.exact_output(request, origin, destination, output, forks=forks)
            return split.terms.amount

        return await _at_newest_block(request, least)

    async def _quote(self, request: QuoteRequest, deployment: Deployment) -> Quote[OnchainPlan]:
        request.expect_amount()
        if (kind := wrapping_kind(request, deployment)) is not None:
            return Quote(self.info.key, request, request.amount, kind, gas_units=WRAP_GAS, price_impact_bps=0)
        return await _at_newest_block(request, partial(self._swap_quote, request, deployment))

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
        origin, destination = _assets(request, deployment)
        split = await self._liquidity[request.origin.id].split(
            request, origin, destination, forks=trades_by_plan(request)
        )
        hops, market = split.plan.hops, split.market
        if trades_by_plan(request):
            gas = market.plan_gas(hops, wraps=request.sells_native, unwraps=request.buys_native)
        else:
            gas = market.router_gas(hops, unwraps=request.buys_native)
        kept: dict[str, int] = {}
        for hop in hops:
            kept[hop.token_in] = kept.get(hop.token_in, 0) + market.fee(hop)
        tokens = {**anchors_of(deployment), origin: request.origin_token}
        named = {destination: request.destination_token, **tokens, **anchors_of(deployment)}
        return Quote(
            self.info.key,
            request,
            split.plan.output,
            SwapPlan(hops, split.head.number, split.head.hash),
            fees=tuple(FeeItem(FeeType.LP, amount, tokens[token]) for token, amount in kept.items()),
            gas_units=gas,
            price_impact_bps=market.impact_bps(hops),
            pool_plan=pool_plan(request.origin.id, split, named),
        )


def _assets(request: QuoteRequest, deployment: Deployment) -> tuple[str, str]:
    return asset(request.origin_token.address, deployment), asset(request.destination_token.address, deployment)


async def _at_newest_block(request: QuoteRequest, read: Callable[[], Awaitable[T]]) -> T:
    """Read pools, again where the block is replaced meanwhile; raise UpstreamFailed where that does not end."""
    for _ in range(ATTEMPTS):
        try:
            return await read()
        except HeadGone:
            continue
        except NodeUnavailable as error:
            raise UpstreamFailed(str(error)) from error
        except RpcError as error:
            raise UpstreamFailed(f"{request.origin.key}: the node refuses a read: {error.message}") from error
    raise UpstreamFailed(f"{request.origin.key}: the chain's newest block keeps being replaced")
