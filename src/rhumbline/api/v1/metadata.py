"""Chains, tokens and tools: bodies that are encoded and compressed on change, and one token at a time."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.hot.bodies import HotBodies
from rhumbline.api.hot.encoded import EncodedBodies, TtlCache
from rhumbline.api.hot.front import HotFront
from rhumbline.api.parameters.parameter import Parameter, Reading, query_source
from rhumbline.api.parameters.rules import CHAIN_TYPES, CHAINS, Text, shown
from rhumbline.api.reference.operation import Described
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.chain import Chain, chain_list_model, chain_model, to_chain
from rhumbline.api.wire.shape import answer
from rhumbline.api.wire.token import ListVersion, Token, TokenList, TokensByChain, to_token, to_token_list
from rhumbline.api.wire.tool import ToolList, to_tool
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.chain import Chain as DomainChain
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import NotFound
from rhumbline.domain.price import PriceSnapshot
from rhumbline.domain.token import Token as DomainToken
from rhumbline.gateways.chain_types.addresses import canonical_token

CHAIN = Parameter(
    "chain", Text(64), "Chain ID or key.", "1", required=True, remedy="a chain's ID or key; GET /v1/chains lists them"
)
TOKEN = Parameter(
    "token", Text(128), "Token address or symbol.", "USDC", required=True, remedy="a token's address or symbol"
)
CHAIN_FILTER = Parameter(
    "chains",
    CHAINS,
    "Comma-separated chain IDs or keys: only these.",
    "1,8453",
    remedy="chain IDs, separated by commas",
)
TYPE_FILTER = Parameter(
    "chainTypes", CHAIN_TYPES, "Comma-separated chain types: only these.", "EVM", remedy="EVM, SVM or both"
)
LIST_ID = Parameter("chainId", Text(20, "^[0-9]{1,20}$", "a chain's ID"), "Chain ID.", "1", required=True, place="path")

_TOKEN = Described(
    "getToken",
    "Metadata",
    "One token",
    "Looks a token up by address or, without case, by symbol. A symbol finds listed tokens only.",
    (CHAIN, TOKEN),
    (400, 404, 429, 502),
)
_TOKENS = Described(
    "getTokens",
    "Metadata",
    "Tokens by chain",
    "Listed tokens under their chain's ID.",
    (CHAIN_FILTER, TYPE_FILTER),
    tagged=True,
)
_CHAINS = Described(
    "getChains",
    "Metadata",
    "Chains",
    "Every chain that is known; those with `served` can be paid from.",
    (TYPE_FILTER,),
    tagged=True,
)
_TOOLS = Described(
    "getTools",
    "Metadata",
    "Adapters",
    "Exchanges and bridges that can quote with the present configuration, from chains that are served; an adapter that "
    "does both is in both lists.",
    (CHAIN_FILTER,),
    tagged=True,
)
_TOKEN_LIST = Described(
    "getTokenList",
    "Metadata",
    "Token list of a chain",
    "An EVM chain's listed tokens as a Token Lists document.",
    (LIST_ID,),
    (404, 429),
    tagged=True,
)
_FOR_A_MINUTE: Mapping[str, str] = MappingProxyType({"cache-control": "private, max-age=60"})
_BRIEFLY: Mapping[str, str] = MappingProxyType({"cache-control": "private, max-age=15"})
_PRICED = TtlCache(soft_s=15, hard_s=60)
"""Prices in a list of tokens are this much older than in the cache, at most."""
_SLICE = 500
_PATIENCE_S = 4.0
"""How long a node is awaited for a token that is on no list."""
_FIRST_DAY = datetime(1970, 1, 1, tzinfo=UTC)


class PlainRoute(APIRoute):
    """A route that is described by FastAPI and run without it: its endpoint reads the request and writes the answer."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        return self.endpoint


def metadata_routes(services: Services, hot: HotFront | None = None) -> APIRouter:
    """Return the endpoints for chains, tokens and tools; ``hot`` is told what of them it can answer by itself."""
    router = APIRouter(route_class=PlainRoute)
    chain_of_brand = chain_model(services.brand)
    chain_list = chain_list_model(chain_of_brand)
    started_at = services.clock()
    bodies = EncodedBodies()
    written = _WrittenTokens(services.base_url)
    hot_chains = HotBodies(bodies, lambda: 0, _FOR_A_MINUTE)
    hot_tokens = HotBodies(bodies, lambda: services.tokens.version, _BRIEFLY, _PRICED)
    hot_tools = HotBodies(bodies, lambda: 0, _FOR_A_MINUTE)

    def wire_chain(chain: DomainChain) -> Chain:
        list_url = f"{services.base_url.rstrip('/')}/v1/tokenlists/{chain.id}.json"
        return to_chain(
            chain_of_brand,
            chain,
            list_url if chain.type is ChainType.EVM else None,
            services.base_url,
            served=services.served is None or chain.id in services.served,
        )

    async def get_chains(request: Request) -> Response:
        reading = Reading(query_source(request.scope["query_string"]))
        types = _read_types(reading)
        reading.finish()
        chains = services.chains.of_types(types)

        async def build() -> bytes:
            return chain_list(chains=[wire_chain(chain) for chain in chains]).model_dump_json().encode()

        return await hot_chains.answer(request, ("chains", *(chain.id for chain in chains)), build)

    async def get_token(request: Request) -> Response:
        reading = Reading(query_source(request.scope["query_string"]))
        chain_name, name = reading.take(CHAIN), reading.take(TOKEN)
        chain = None if chain_name is None else services.chains.find(chain_name)
        if chain_name is not None and chain is None:
            reading.unknown_chain(CHAIN.name, chain_name)
        reading.finish()
        if chain is None or name is None:
            raise AssertionError("a required parameter is absent, and no fault says so")
        token = await _find(services, chain, name)
        return answer(to_token(token, services.prices(chain.id, token.address), services.base_url), headers=_BRIEFLY)

    async def get_tokens(request: Request) -> Response:
        reading = Reading(query_source(request.scope["query_string"]))
        only, types = _read_chains(reading, services.chains), _read_types(reading)
        reading.finish()
        chains = [chain.id for chain in services.chains.of_types(types) if only is None or chain.id in only]
        return await hot_tokens.answer(request, ("tokens", *chains), lambda: written.by_chain(services, chains))

    async def get_tools(request: Request) -> Response:
        reading = Reading(query_source(request.scope["query_string"]))
        only = _read_chains(reading, services.chains)
        reading.finish()
        exchanges = services.tools.exchanges(only)
        bridges = services.tools.bridges(only)

        async def build() -> bytes:
            body = ToolList(
                exchanges=[to_tool(info, services.base_url) for info in exchanges],
                bridges=[to_tool(info, services.base_url) for info in bridges],
            )
            return body.model_dump_json().encode()

        key = ("tools", tuple(info.key for info in exchanges), tuple(info.key for info in bridges))
        return await hot_tools.answer(request, key, build)

    async def get_token_list(request: Request) -> Response:
        name = str(request.path_params["chainId"])
        chain = services.chains.find(name) if name.isascii() and name.isdigit() else None
        if chain is None or chain.type is not ChainType.EVM:
            raise NotFound(f"There is no token list for the chain {shown(name)}; GET /v1/chains names those there are")

        async def build() -> bytes:
            as_of = services.tokens.as_of
            tokens = services.tokens.listed(chain.id)
            body = await asyncio.to_thread(
                to_token_list, services.brand, chain, tokens, as_of or started_at, services.base_url
            )
            return body.model_copy(update={"version": _list_version(as_of)}).model_dump_json().encode()

        key, version = ("token list", chain.id), services.tokens.version
        return await bodies.answer(request.headers, key, version, build, headers=_FOR_A_MINUTE)

    router.add_api_route("/v1/chains", get_chains, response_model=chain_list, **_CHAINS.options())
    router.add_api_route("/v1/token", get_token, response_model=Token, **_TOKEN.options())
    router.add_api_route("/v1/tokens", get_tokens, response_model=TokensByChain, **_TOKENS.options())
    router.add_api_route("/v1/tools", get_tools, response_model=ToolList, **_TOOLS.options())
    router.add_api_route(
        "/v1/tokenlists/{chainId}.json", get_token_list, response_model=TokenList, **_TOKEN_LIST.options()
    )
    if hot is not None:
        for path, kept in (("/v1/chains", hot_chains), ("/v1/tokens", hot_tokens), ("/v1/tools", hot_tools)):
            hot.add(path, kept.find)
    return router


class _WrittenTokens:
    """Tokens as they were last written; only those whose price or facts have changed are written again."""

    __slots__ = ("_base_url", "_rows")

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._rows: dict[tuple[int, str], tuple[DomainToken, PriceSnapshot | None, bytes]] = {}

    async def by_chain(self, services: Services, chains: Sequence[int]) -> bytes:
        """Return the body of /v1/tokens; prices are read on the event loop, a slice at a time."""
        priced: list[tuple[int, list[tuple[DomainToken, PriceSnapshot | None]]]] = []
        peek = services.listed_prices or services.prices
        for chain_id in chains:
            listed = services.tokens.listed(chain_id)
            rows: list[tuple[DomainToken, PriceSnapshot | None]] = []
            for start in range(0, len(listed), _SLICE):
                rows += [(token, peek(chain_id, token.address)) for token in listed[start : start + _SLICE]]
                await asyncio.sleep(0)
            priced.append((chain_id, rows))
        return await asyncio.to_thread(self._join, priced)

    def _join(self, priced: Sequence[tuple[int, Sequence[tuple[DomainToken, PriceSnapshot | None]]]]) -> bytes:
        parts = [b'"%d":[%b]' % (chain_id, b",".join(self._row(*row) for row in rows)) for chain_id, rows in priced]
        return b"{%b}" % b",".join(parts)

    def _row(self, token: DomainToken, price: PriceSnapshot | None) -> bytes:
        name = (token.chain_id, token.address)
        kept = self._rows.get(name)
        if kept is not None and kept[0] == token and kept[1] == price:
            return kept[2]
        row = to_token(token, price, self._base_url).model_dump_json().encode()
        self._rows[name] = (token, price, row)
        return row


def _list_version(as_of: datetime | None) -> ListVersion:
    """Return a version that grows with time and is the same in every process: days and seconds of the newest list."""
    if as_of is None:
        return ListVersion(major=1, minor=0, patch=0)
    since = as_of - _FIRST_DAY
    return ListVersion(major=1, minor=since.days, patch=since.seconds)


async def _find(services: Services, chain: DomainChain, name: str) -> DomainToken:
    """Return the token an address or symbol names; an unlisted address is read from its chain."""
    address = canonical_token(chain.type, name)
    listed = services.tokens.find(chain, address or name)
    if listed is not None:
        return listed
    if address is not None and services.tokens.reads(chain):
        return await services.tokens.wanted(chain, address, _PATIENCE_S)
    raise NotFound(
        f"Token {shown(name)} is not known on chain {chain.id}; GET /v1/tokens?chains={chain.id} lists those"
    )


def _read_types(reading: Reading) -> frozenset[ChainType] | None:
    names = reading.take(TYPE_FILTER)
    return None if names is None else frozenset(ChainType(name) for name in names)


def _read_chains(reading: Reading, chains: ChainCatalog) -> frozenset[int] | None:
    names = reading.take(CHAIN_FILTER)
    if names is None:
        return None
    found = {name: chains.find(name) for name in names}
    for name in (name for name, chain in found.items() if chain is None):
        reading.fault(CHAIN_FILTER.name, f"names the chain {shown(name)}, which is not served: see GET /v1/chains")
    return frozenset(chain.id for chain in found.values() if chain is not None)
