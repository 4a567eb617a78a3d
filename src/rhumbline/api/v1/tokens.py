"""``GET /v1/tokens``: all listed tokens, with their prices."""

import asyncio
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.hot.bodies import HotBodies
from rhumbline.api.http.encoded_bodies import EncodedBodies, TtlCache
from rhumbline.api.parameters.parameter import Reading
from rhumbline.api.parameters.source import query_source
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.filters import CHAIN_FILTER, TYPE_FILTER, read_chains, read_types
from rhumbline.api.v1.services import Services
from rhumbline.api.v1.token import BRIEFLY
from rhumbline.api.wire.shape import WrittenRows
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
"""The most by which prices in a token list are older than in the cache."""
_SLICE = 500
_Priced = tuple[Token, PriceSnapshot | None]


def tokens_route(services: Services, bodies: EncodedBodies) -> ApiRoute:
    written = WrittenRows[_Priced](lambda priced: to_token(*priced, services.base_url))
    kept = HotBodies(bodies, BRIEFLY, lambda: services.tokens.version, _PRICED)

    async def get_tokens(request: Request) -> Response:
        reading = Reading(query_source(request.scope["query_string"]))
        only, types = read_chains(reading, services.chains), read_types(reading)
        reading.finish()
        chains = [chain.id for chain in services.chains.of_types(types) if only is None or chain.id in only]
        return await kept.answer(request, ("tokens", *chains), lambda: _by_chain(services, written, chains))

    return ApiRoute("/v1/tokens", get_tokens, _TOKENS, TokensByChain, kept.find)


async def _by_chain(services: Services, written: WrittenRows[_Priced], chains: Sequence[int]) -> bytes:
    """Return the body; prices are read on the event loop, a slice at a time."""
    priced: list[tuple[int, list[_Priced]]] = []
    peek = services.listed_prices or services.prices
    for chain_id in chains:
        listed = services.tokens.listed(chain_id)
        rows: list[_Priced] = []
        for start in range(0, len(listed), _SLICE):
            rows += [(token, peek(chain_id, token.address)) for token in listed[start : start + _SLICE]]
            await asyncio.sleep(0)
        priced.append((chain_id, rows))
    return await asyncio.to_thread(_joined, written, priced)


def _joined(written: WrittenRows[_Priced], priced: Sequence[tuple[int, Sequence[_Priced]]]) -> bytes:
    parts = [
        b'"%d":[%b]' % (chain_id, b",".join(written.row((chain_id, row[0].address), row) for row in rows))
        for chain_id, rows in priced
    ]
    return b"{%b}" % b",".join(parts)
