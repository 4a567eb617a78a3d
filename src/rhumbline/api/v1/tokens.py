"""``GET /v1/tokens``: all listed tokens, with their prices."""

import asyncio
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.hot.bodies import HotBodies
from rhumbline.api.http.encoded_bodies import EncodedBodies, TtlCache
from rhumbline.api.parameters.parameter import Reading, query_source
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.filters import CHAIN_FILTER, TYPE_FILTER, read_chains, read_types
from rhumbline.api.v1.services import Services
from rhumbline.api.v1.token import BRIEFLY
from rhumbline.api.wire.token import TokensByChain, to_token
from rhumbline.domain.price import PriceSnapshot
from rhumbline.domain.token import Token

_TOKENS = Operation(
    "getTokens",
    "Metadata",
    "Tokens by chain",
    "Listed tokens under their chain's ID.",
    (CHAIN_FILTER, TYPE_FILTER),
    tagged=True,
)
_PRICED = TtlCache(soft_s=15, hard_s=60)
"""Prices in a list of tokens are this much older than in the cache, at most."""
_SLICE = 500


def tokens_route(services: Services, bodies: EncodedBodies) -> ApiRoute:
    written = _WrittenTokens(services.base_url)
    kept = HotBodies(bodies, BRIEFLY, lambda: services.tokens.version, _PRICED)

    async def get_tokens(request: Request) -> Response:
        reading = Reading(query_source(request.scope["query_string"]))
        only, types = read_chains(reading, services.chains), read_types(reading)
        reading.finish()
        chains = [chain.id for chain in services.chains.of_types(types) if only is None or chain.id in only]
        return await kept.answer(request, ("tokens", *chains), lambda: written.by_chain(services, chains))

    return ApiRoute("/v1/tokens", get_tokens, _TOKENS, TokensByChain, kept.find)


class _WrittenTokens:
    """Tokens as they were last written; only those whose price or facts have changed are written again."""

    __slots__ = ("_base_url", "_rows")

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._rows: dict[tuple[int, str], tuple[Token, PriceSnapshot | None, bytes]] = {}

    async def by_chain(self, services: Services, chains: Sequence[int]) -> bytes:
        """Return the body of /v1/tokens; prices are read on the event loop, a slice at a time."""
        priced: list[tuple[int, list[tuple[Token, PriceSnapshot | None]]]] = []
        peek = services.listed_prices or services.prices
        for chain_id in chains:
            listed = services.tokens.listed(chain_id)
            rows: list[tuple[Token, PriceSnapshot | None]] = []
            for start in range(0, len(listed), _SLICE):
                rows += [(token, peek(chain_id, token.address)) for token in listed[start : start + _SLICE]]
                await asyncio.sleep(0)
            priced.append((chain_id, rows))
        return await asyncio.to_thread(self._join, priced)

    def _join(self, priced: Sequence[tuple[int, Sequence[tuple[Token, PriceSnapshot | None]]]]) -> bytes:
        parts = [b'"%d":[%b]' % (chain_id, b",".join(self._row(*row) for row in rows)) for chain_id, rows in priced]
        return b"{%b}" % b",".join(parts)

    def _row(self, token: Token, price: PriceSnapshot | None) -> bytes:
        name = (token.chain_id, token.address)
        kept = self._rows.get(name)
        if kept is not None and kept[0] == token and kept[1] == price:
            return kept[2]
        row = to_token(token, price, self._base_url).model_dump_json().encode()
        self._rows[name] = (token, price, row)
        return row
