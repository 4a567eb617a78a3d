"""Quotes and transactions on Uniswap pools."""

import time
from collections.abc import Callable, Mapping
from functools import partial

from rhumbline.adapters.uniswap.deployments import Deployment, anchors_of
from rhumbline.adapters.uniswap.discovery import PoolFinder
from rhumbline.adapters.uniswap.paths import Candidate, Market, pairs_on, token_paths
from rhumbline.adapters.uniswap.plans import SwapPlan, UniswapPlan, WrapPlan, asset, swap_transaction, wrap_transaction
from rhumbline.adapters.uniswap.reading import Head, HeadGone
from rhumbline.adapters.uniswap.state import PoolBook, V3Live
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.amm import Unswappable
from rhumbline.domain.chain import NATIVE_EVM, ChainType
from rhumbline.domain.errors import BelowMinimum, NodeUnavailable, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError
from rhumbline.gateways.upstreams.guard.guard import UpstreamGuard

KEY = "UNISWAP"
LOGO = "https://app.uniswap.org/favicon.png"
WRAP_GAS = 50_000
ATTEMPTS = 3
"""How often a quote begins anew when the block it reads at is replaced."""


class UniswapAdapter:
    """The ``Adapter`` of Uniswap, or of a fork under its own ``key`` and ``name``.

    It serves the chains that have both a deployment and an endpoint. ``seconds`` is a monotonic clock.
    """

    __slots__ = ("_books", "_deployments", "_finders", "_guard", "_info")

    def __init__(
        self,
        deployments: Mapping[int, Deployment],
        rpcs: Mapping[int, EvmRpc],
        *,
        key: str = KEY,
        name: str = "Uniswap",
        logo_uri: str = LOGO,
        seconds: Callable[[], float] = time.monotonic,
        guard: UpstreamGuard | None = None,
    ) -> None:
        """``guard`` stands before the nodes, as before a host."""
        chains = tuple(sorted(deployments.keys() & rpcs.keys()))
        self._guard = guard or UpstreamGuard(key)
        self._info = AdapterInfo(key, name, logo_uri, Capability.EXCHANGE, chains, own_calls=True)
        self._deployments = {chain: deployments[chain] for chain in chains}
        self._books = {chain: PoolBook(rpcs[chain], deployments[chain]) for chain in chains}
        self._finders = {chain: PoolFinder(rpcs[chain], deployments[chain], seconds) for chain in chains}

    @property
    def info(self) -> AdapterInfo:
        return self._info

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept two tokens of one EVM chain with a deployment; wrapping only to whoever calls."""
        deployment = self._deployments.get(request.origin.id)
        if deployment is None or request.origin.type is not ChainType.EVM:
            return False
        if request.destination.id != request.origin.id:
            return False
        if request.origin_token.address == request.destination_token.address:
            return False
        return _wrapping(request, deployment) is None or request.payout_address == request.taker

    async def quote(self, request: QuoteRequest, /) -> Quote[UniswapPlan]:
        """Find the best single path at the newest block, exact to the wei for that block.

        ``fees`` has one ``lp`` item a hop, in the token that goes into that hop (the first in the origin token):
        exactly what the pool keeps. They are information: the output has them off already. ``price_impact_bps``
        compares with the pools' prices before the trade, fees aside. Raise NoRoute, BelowMinimum, RequestRejected or
        UpstreamFailed.
        """
        return await self._guard.run(partial(self._quote, request))

    async def _quote(self, request: QuoteRequest) -> Quote[UniswapPlan]:
        deployment = self._deployment(request)
        if request.amount <= 0:
            raise RequestRejected("amount: it must be positive")
        if (kind := _wrapping(request, deployment)) is not None:
            return Quote(
                self._info.key, request, request.amount, WrapPlan(kind), gas_units=WRAP_GAS, price_impact_bps=0
            )
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

    async def build(self, quote: Quote[UniswapPlan], /) -> EvmTransaction:
        """Make the transaction, guaranteeing ``quote.min_output_amount``; raise RequestRejected if it is missing.

        The calldata is read back and compared with the request before it is handed out.
        """
        request, deployment = quote.request, self._deployment(quote.request)
        minimum = quote.min_output_amount
        if minimum is None or not 0 < minimum <= quote.output_amount:
            raise RequestRejected("min_output_amount: a positive minimum not above the quoted output must be set first")
        if isinstance(quote.payload, WrapPlan):
            return wrap_transaction(request, quote.payload.kind, deployment)
        return swap_transaction(request, quote.payload, minimum, deployment)

    def _deployment(self, request: QuoteRequest) -> Deployment:
        deployment = self._deployments.get(request.origin.id)
        if deployment is None or not self.supports(request):
            raise NoRoute(f"{self._info.name} does not serve this pair of tokens and chains")
        return deployment

    async def _swap_quote(self, request: QuoteRequest, deployment: Deployment) -> Quote[UniswapPlan]:
        chain = request.origin.id
        origin, destination = (
            asset(token.address, deployment) for token in (request.origin_token, request.destination_token)
        )
        paths = token_paths(origin, destination, anchors_of(deployment))
        head = await self._books[chain].head()
        found = await self._finders[chain].find(head, pairs_on(paths))
        pools = tuple(pool for each in found.values() for pool in each)
        market = Market(found, await self._books[chain].states(head, pools))
        best = await self._best(market, head, paths, request)
        hops = best.hops
        try:
            fees = [FeeItem(FeeType.LP, market.fee(hops[0]), request.origin_token)]
            anchors = anchors_of(deployment)
            fees += [FeeItem(FeeType.LP, market.fee(hop), anchors[hop.token_in]) for hop in hops[1:]]
            return Quote(
                self._info.key,
                request,
                best.output,
                SwapPlan(hops, head.number, head.hash),
                fees=tuple(fees),
                gas_units=market.gas(hops, unwraps=request.destination_token.address == NATIVE_EVM),
                price_impact_bps=market.impact_bps(hops),
            )
        except Unswappable as error:
            raise UpstreamFailed(f"{request.origin.key}: {error.reason}") from error

    async def _best(
        self, market: Market, head: Head, paths: tuple[tuple[str, ...], ...], request: QuoteRequest
    ) -> Candidate:
        """Read more ticks until no path that is not exact could be better than the best that is."""
        while (best := market.best(paths, request.amount)) is not None and best.unknown:
            for pool, zero_for_one in best.unknown:
                live = market.states[pool.address]
                if isinstance(live, V3Live):
                    book = self._books[request.origin.id]
                    market.states[pool.address] = await book.widen(head, pool, live, zero_for_one)
        symbols = f"{request.origin_token.symbol} and {request.destination_token.symbol}"
        if best is None:
            if market.connects(paths):
                raise NoRoute(f"no path of {self._info.name} pools between {symbols} takes this amount")
            raise NoRoute(f"no path of {self._info.name} pools joins {symbols}")
        if not best.output:
            raise BelowMinimum("the output would be less than one unit", market.smallest(paths, request.amount))
        return best


def _wrapping(request: QuoteRequest, deployment: Deployment) -> CallKind | None:
    wrapped = deployment.wrapped_native.address
    match request.origin_token.address, request.destination_token.address:
        case (origin, destination) if origin == NATIVE_EVM and destination == wrapped:
            return CallKind.WRAP
        case (origin, destination) if origin == wrapped and destination == NATIVE_EVM:
            return CallKind.UNWRAP
    return None
