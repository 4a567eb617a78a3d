"""The doctor's checkups, from the settings: price sources, token lists, adapters."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.app.adapters import check_adapters
from rhumbline.app.chains import Chains, ServedEvm
from rhumbline.app.checkups import Checkup, NotUsed, NotWorking, host_checkup
from rhumbline.app.credentials import credentials_of, lacking
from rhumbline.app.onchain_pools import opened_pools
from rhumbline.app.prices import STABLE_SYMBOLS, price_sources
from rhumbline.app.registry import SPECS
from rhumbline.app.settings import Settings
from rhumbline.app.tokens import fixed_tokens
from rhumbline.catalog.store import StoredList, stored_lists
from rhumbline.catalog.token_list import ListRefused, read_token_list
from rhumbline.catalog.token_sync import shown_url
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.chain import Chain
from rhumbline.domain.errors import NodeRefused, NodeUnavailable, StoreUnavailable
from rhumbline.domain.price import PriceKey
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.list_download import Bounds, DocumentUnavailable, fetch_document
from rhumbline.gateways.upstreams.spec import AdapterSpec
from rhumbline.liquidity.deployments import Deployment
from rhumbline.pricing.source import PriceSource, SourceUnavailable


@asynccontextmanager
async def checkups_of(
    settings: Settings, chains: Chains, http: HttpClient, engine: AsyncEngine | None
) -> AsyncIterator[tuple[Checkup, ...]]:
    """Make all checkups; their connections end with the context. Without a store, lists are asked for in full."""
    tokens = TokenCatalog(chains.catalog, fixed_tokens(settings, chains), chains.token_readers)
    kept = await _kept(settings, engine)
    async with (
        opened_pools(settings, chains, tokens) as pools,
        price_sources(settings.prices, chains, tokens, pools) as sources,
    ):
        places = {chain_id: each.deployment for chain_id, each in pools.items()}
        yield (
            *(_price_checkup(source, chains, tokens) for source in sources),
            *(_list_checkup(url, kept.get(url), settings, chains, http) for url in settings.catalog.token_lists),
            *([_onchain_checkup(chains, places)] if settings.adapters.onchain.enabled else []),
            *upstream_checkups(settings, chains, http),
        )


def upstream_checkups(
    settings: Settings,
    chains: Chains,
    http: HttpClient,
    specs: Sequence[AdapterSpec[Any]] = SPECS,
) -> tuple[Checkup, ...]:
    """Return a checkup for each HTTP host of each wanted adapter; raise SettingsError for contradicting settings."""
    check_adapters(settings, specs)
    served = {chain.chain.id for chain in chains.served}
    checkups: list[Checkup] = []
    for spec in specs:
        own = settings.adapters.upstream(spec.key)
        enabled = spec.on if own.enabled is None else own.enabled
        missing = lacking(spec, credentials_of(spec, settings))
        if not enabled:
            continue
        if missing:
            checkups.append(_idle(spec.key, f"it needs credentials: {', '.join(missing)}"))
        elif not served & {*spec.deployments, *own.deployments}:
            checkups.append(_idle(spec.key, "it is on none of the served chains"))
        else:
            hosts = {"": own.url or spec.url, **spec.more_urls, **own.more_urls}
            named = {f"{spec.key} {name}".strip(): url for name, url in hosts.items()}
            checkups += [host_checkup("adapter", name, url, http) for name, url in named.items()]
    return tuple(checkups)


def _idle(key: str, why: str) -> Checkup:
    async def ask() -> str:
        raise NotUsed(why)

    return Checkup("adapter", key, ask)


def _price_checkup(source: PriceSource, chains: Chains, tokens: TokenCatalog) -> Checkup:
    served = [chain.chain for chain in chains.served]
    # Jupiter prices Solana only, which may be known and not served.
    key = _probe(source, served, tokens) or _probe(source, chains.catalog, tokens)

    async def ask() -> str:
        if key is None:
            raise NotUsed("it knows none of the chains")
        try:
            found = await source.prices([key])
        except SourceUnavailable as error:
            raise NotWorking(str(error)) from None
        if key not in found:
            raise NotWorking(f"answers, and has no price of {key[1]} on chain {key[0]}")
        return f"prices {key[1]} on chain {key[0]}"

    return Checkup("prices", source.name, ask)


def _probe(source: PriceSource, chains: Iterable[Chain], tokens: TokenCatalog) -> PriceKey | None:
    """Choose a token that every source of the chain must know: the wrapped native asset, else a stable coin."""
    for chain in chains:
        if not source.covers(chain.id):
            continue
        stables = (tokens.find(chain, symbol) for symbol in sorted(STABLE_SYMBOLS))
        names = [chain.wrapped_native, *(token.address for token in stables if token is not None)]
        if (name := next((name for name in names if name is not None), None)) is not None:
            return (chain.id, name)
    return None


async def _kept(settings: Settings, engine: AsyncEngine | None) -> Mapping[str, StoredList]:
    if engine is None or not settings.catalog.token_lists:
        return {}
    try:
        return await stored_lists(engine, settings.catalog.token_lists)
    except StoreUnavailable:
        return {}


def _list_checkup(url: str, kept: StoredList | None, settings: Settings, chains: Chains, http: HttpClient) -> Checkup:
    bounds = Bounds(settings.catalog.largest_list_mb * 2**20, settings.catalog.list_timeout_s)
    continues = "" if kept is None else f"; version {kept.version} of {kept.stored_at:%Y-%m-%d} goes on"

    async def ask() -> str:
        try:
            document = await fetch_document(http, url, etag=None if kept is None else kept.etag, bounds=bounds)
            if document is None:
                return "is the one that is kept"
            listed = read_token_list(document.body, chains.catalog)
        except (DocumentUnavailable, ListRefused) as error:
            raise NotWorking(f"{error}{continues}") from None
        return f"version {listed.version}, {len(listed.tokens)} tokens of known chains"

    return Checkup("token list", shown_url(url), ask, bounds.timeout_s + 1)


def _onchain_checkup(chains: Chains, places: Mapping[int, Deployment]) -> Checkup:
    placed = [served for served in chains.evm if served.chain.id in places]

    async def ask() -> str:
        if not placed:
            raise NotUsed("it is on none of the served chains")
        for served in placed:
            await _has_code(served, places[served.chain.id])
        return f"its contracts are on {', '.join(served.chain.key for served in placed)}"

    return Checkup("adapter", "ONCHAIN", ask)


async def _has_code(served: ServedEvm, place: Deployment) -> None:
    named = {"router": place.router} | {f"source {source.key}": source.factory for source in place.sources}
    for what, address in named.items():
        if address is None:
            continue
        try:
            code = await served.rpc.code(address)
        except (NodeRefused, NodeUnavailable):
            raise NotWorking(f"{served.chain.key} cannot be asked: see its line above") from None
        if not code:
            raise NotWorking(f"on {served.chain.key} there is no contract at {address}, where its {what} should be")
