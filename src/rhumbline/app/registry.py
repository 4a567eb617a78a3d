"""The adapters, one line each: the only list of concrete ones."""

from collections.abc import Mapping
from typing import Any

from rhumbline.adapters.uniswap.adapter import UniswapAdapter
from rhumbline.adapters.uniswap.deployments import DEPLOYMENTS, Deployment
from rhumbline.app.settings import ChainSettings, Settings, SettingsError, UniswapFork
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.rpc import EvmRpc


def build_adapters(settings: Settings, rpcs: Mapping[int, EvmRpc]) -> tuple[Adapter[Any], ...]:
    """Build every adapter that the settings switch on; raise SettingsError when they contradict themselves."""
    adapters: list[Adapter[Any]] = []
    if settings.adapters.uniswap.enabled:
        adapters.append(UniswapAdapter(_uniswap(settings), rpcs))
    return tuple(adapters)


def _uniswap(settings: Settings) -> Mapping[int, Deployment]:
    own = settings.adapters.uniswap.deployments
    chains = {chain.id: chain for chain in settings.chains}
    places = {chain: place for chain, place in DEPLOYMENTS.items() if chain in chains}
    for chain_id, fork in own.items():
        if chain_id in chains:
            places[chain_id] = _deployment(settings, chains[chain_id], fork)
    return places


def _deployment(settings: Settings, chain: ChainSettings, fork: UniswapFork) -> Deployment:
    listed = {
        token.address: Token(chain.id, token.address, token.symbol, token.decimals, token.name, token.coin_key)
        for token in settings.tokens
        if token.chain_id == chain.id
    }
    native = chain.native
    wrapped = Token(chain.id, fork.wrapped_native, f"W{native.symbol}", native.decimals, f"Wrapped {native.name}")
    listed.setdefault(wrapped.address, wrapped)
    if missing := [address for address in fork.anchors if address not in listed]:
        key = f"adapters.uniswap.deployments.{chain.id}.anchors"
        raise SettingsError([f"{key}: {address} is not among the tokens; add it to [[tokens]]" for address in missing])
    return Deployment(
        wrapped_native=listed[wrapped.address],
        router=fork.router,
        v2_factory=fork.v2_factory,
        v3_factory=fork.v3_factory,
        anchors=tuple(listed[address] for address in fork.anchors) or (listed[wrapped.address],),
        multicall=chain.multicall,
    )
