"""Which nodes are asked: the operator's own, else the first public one of the catalogue that is on its chain."""

import asyncio
import socket
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from rhumbline.app.chain_section import ChainSettings
from rhumbline.app.chains import known_to
from rhumbline.app.registry import SPECS
from rhumbline.app.settings import Settings
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.nodes.svm.cluster import CLUSTERS
from rhumbline.gateways.nodes.svm.rpc import SvmRpc

PATIENCE_S = 5.0


def hosts(settings: Settings) -> dict[str, tuple[str, int]]:
    """Return host and port of every upstream and every node that may be asked, by what they are."""
    urls = {}
    for spec in SPECS:
        own = settings.adapters.upstream(spec.key)
        urls[spec.key] = own.url or spec.url
        urls |= {f"{spec.key} {name}": own.more_urls.get(name, url) for name, url in spec.more_urls.items()}
    for chain in known_to(settings):
        for place, url in enumerate(_urls(chain, settings)):
            urls[f"node {place + 1} of {chain.key}"] = url
    return {name: _address(url) for name, url in urls.items()}


def answering(addresses: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return those that take a connection within a few seconds."""
    wanted = list(dict.fromkeys(addresses))
    with ThreadPoolExecutor(max_workers=32) as pool:
        return [each for each, takes in zip(wanted, pool.map(_connects, wanted), strict=True) if takes]


def _connects(address: tuple[str, int]) -> bool:
    try:
        with socket.create_connection(address, timeout=PATIENCE_S):
            return True
    except OSError:
        return False


def _address(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


async def with_nodes(settings: Settings, http: HttpClient) -> Settings:
    """Return the settings with a node for each chain that has one; the others are not served."""
    chains = known_to(settings)
    chosen = await asyncio.gather(*(_node(chain, _urls(chain, settings), http) for chain in chains))
    own = {chain.id: chain for chain in settings.chains}
    for chain, url in zip(chains, chosen, strict=True):
        before = own.get(chain.id, ChainSettings(id=chain.id)).model_dump(exclude_unset=True)
        own[chain.id] = ChainSettings.model_validate({**before, "id": chain.id, "rpc": url})
    return settings.model_copy(update={"chains": tuple(own.values())})


def _urls(chain: Chain, settings: Settings) -> tuple[str, ...]:
    own = next((each.rpc for each in settings.chains if each.id == chain.id), None)
    return chain.rpc_urls if own is None else tuple(each.url.get_secret_value() for each in own)


async def _node(chain: Chain, urls: Iterable[str], http: HttpClient) -> str | None:
    for url in urls:
        try:
            if await _is_on(chain, url, http):
                return url
        except (NodeRefused, NodeUnavailable):
            continue
    return None


async def _is_on(chain: Chain, url: str, http: HttpClient) -> bool:
    if chain.type is ChainType.EVM:
        return await EvmRpc(url, http, chain.key, PATIENCE_S).chain_id() == chain.id
    cluster = CLUSTERS.get(await SvmRpc(url, http, chain.key, PATIENCE_S).genesis_hash())
    return (cluster == "mainnet-beta") is chain.mainnet
