"""Builds what finds, reads and follows the pools on the served chains."""

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.app.adapter_section import OnchainDeployment
from rhumbline.app.chains import Chains
from rhumbline.app.settings import Settings, SettingsError
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.chain import Chain
from rhumbline.domain.token import Token
from rhumbline.gateways.nodes.evm.multicall import MULTICALL3
from rhumbline.liquidity.chain_pools import ChainPools, chain_pools
from rhumbline.liquidity.deployments import DEPLOYMENTS, Deployment
from rhumbline.liquidity.kinds.pools import PoolSource
from rhumbline.liquidity.live_snapshot import LiveRules
from rhumbline.liquidity.pool_store import StoredPools


@asynccontextmanager
async def opened_pools(
    settings: Settings, chains: Chains, tokens: TokenCatalog, engine: AsyncEngine | None = None
) -> AsyncIterator[Mapping[int, ChainPools]]:
    """Open the pools of every served chain that has some; what goes on behind quotes ends with the context.

    With a store, pools that were found before are taken from it. Raise SettingsError for an anchor that is no token.
    """
    fresh_s = settings.adapters.onchain.block_age_ms / 1000
    rules = LiveRules(fresh_s=fresh_s, oldest_s=3 * fresh_s)
    places, pools = onchain_deployments(settings, chains, tokens), {}
    for served in chains.evm:
        chain_id = served.chain.id
        if (place := places.get(chain_id)) is None:
            continue
        store = None if engine is None else StoredPools(engine, chain_id, place.sources)
        pools[chain_id] = chain_pools(served.rpc, place, time.monotonic, rules, store, served.make_heads())
    try:
        yield pools
    finally:
        for each in pools.values():
            await each.close()


def onchain_deployments(settings: Settings, chains: Chains, tokens: TokenCatalog) -> Mapping[int, Deployment]:
    """Return the pool sources on the served chains: the operator's settings, otherwise the built-in ones."""
    own = settings.adapters.onchain.deployments
    places: dict[int, Deployment] = {}
    for served in chains.evm:
        chain = served.chain
        if chain.id in own:
            places[chain.id] = _deployment(chain, own[chain.id], tokens)
        elif chain.id in DEPLOYMENTS:
            places[chain.id] = DEPLOYMENTS[chain.id]
    return places


def _deployment(chain: Chain, place: OnchainDeployment, tokens: TokenCatalog) -> Deployment:
    native = chain.native
    made = Token(chain.id, place.wrapped_native, f"W{native.symbol}", native.decimals, f"Wrapped {native.name}")
    wrapped = tokens.find(chain, place.wrapped_native) or made
    known = {address: tokens.find(chain, address) for address in place.anchors} | {wrapped.address: wrapped}
    if missing := [address for address in place.anchors if known[address] is None]:
        key = f"adapters.onchain.deployments.{chain.id}.anchors"
        raise SettingsError([f"{key}: {address} is not among the tokens; add it to [[tokens]]" for address in missing])
    return Deployment(
        wrapped_native=wrapped,
        sources=tuple(
            PoolSource(
                each.key, each.kind, each.factory, each.tiers, each.fee, place.wrapped_native, each.implementations
            )
            for each in place.sources
        ),
        router=place.router,
        anchors=tuple(token for address in place.anchors if (token := known[address]) is not None) or (wrapped,),
        multicall=chain.multicall or MULTICALL3,
    )
