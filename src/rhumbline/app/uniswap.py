"""Joins the adapter UNISWAP with the chains, from the settings."""

from collections.abc import Mapping

from rhumbline.adapters.uniswap.deployments import DEPLOYMENTS, Deployment
from rhumbline.app.chains import Chains
from rhumbline.app.sections import UniswapFork
from rhumbline.app.settings import Settings, SettingsError
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.chain import Chain
from rhumbline.domain.token import Token
from rhumbline.gateways.nodes.evm.multicall import MULTICALL3


def uniswap_deployments(settings: Settings, chains: Chains, tokens: TokenCatalog) -> Mapping[int, Deployment]:
    """Return where Uniswap is on the served chains: the operator's word, else what is built in."""
    own = settings.adapters.uniswap.deployments
    places: dict[int, Deployment] = {}
    for served in chains.evm:
        chain = served.chain
        if chain.id in own:
            places[chain.id] = _deployment(chain, own[chain.id], tokens)
        elif chain.id in DEPLOYMENTS:
            places[chain.id] = DEPLOYMENTS[chain.id]
    return places


def _deployment(chain: Chain, fork: UniswapFork, tokens: TokenCatalog) -> Deployment:
    native = chain.native
    made = Token(chain.id, fork.wrapped_native, f"W{native.symbol}", native.decimals, f"Wrapped {native.name}")
    wrapped = tokens.find(chain, fork.wrapped_native) or made
    known = {address: tokens.find(chain, address) for address in fork.anchors} | {wrapped.address: wrapped}
    if missing := [address for address in fork.anchors if known[address] is None]:
        key = f"adapters.uniswap.deployments.{chain.id}.anchors"
        raise SettingsError([f"{key}: {address} is not among the tokens; add it to [[tokens]]" for address in missing])
    return Deployment(
        wrapped_native=wrapped,
        router=fork.router,
        v2_factory=fork.v2_factory,
        v3_factory=fork.v3_factory,
        anchors=tuple(token for address in fork.anchors if (token := known[address]) is not None) or (wrapped,),
        multicall=chain.multicall or MULTICALL3,
    )
