"""``/front/names``: resolves ENS names, for the front page only; the element and ``/v1`` accept addresses only."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rhumbline.accounts.counters import Limiter
from rhumbline.accounts.rate_limits import RateScope, in_words
from rhumbline.api.http.headers import NO_STORE
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.account import ApiClient
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import InvalidRequest, RateLimited

NAMES = "/front/names"
NameReader = Callable[[str, int], Awaitable[str]]
"""Returns the address of a normalised name on a chain; raises InvalidRequest, NotFound, NodeUnavailable."""


def name_route(names: NameReader, chains: ChainCatalog, limiter: Limiter) -> Route:
    """Return the route that resolves names; each lookup asks a node, so it counts for the caller's address."""
    known = {str(chain.id): chain.id for chain in chains if chain.type is ChainType.EVM}

    async def get_name(request: Request) -> Response:
        name, chain = (request.query_params.get(each, "") for each in ("name", "chain"))
        if chain not in known:
            raise InvalidRequest(["chain: must be the ID of an EVM chain of this service"])
        verdict = await limiter.take(ApiClient(), request.client.host if request.client else None, RateScope.PORTAL)
        if not verdict.allowed:
            raise RateLimited(f"More than {in_words(verdict.limit)} came from your address: try again later")
        return JSONResponse({"address": await names(name, known[chain])}, headers=NO_STORE)

    return Route(NAMES, get_name)
