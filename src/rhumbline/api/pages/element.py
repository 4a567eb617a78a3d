"""``/rhumbline-swap.js``: the element for other sites, at an address that stays, and what it has to know of us."""

import json
from collections.abc import Mapping
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rhumbline.api.pages.assets import OPEN
from rhumbline.api.pages.pages import Pages

ELEMENT = "rhumbline-swap"
_FRESH: Mapping[str, str] = MappingProxyType({"cache-control": "no-cache", **OPEN})


def element_routes(pages: Pages, payers: tuple[int, ...]) -> list[Route]:
    """Return the routes of the element for other sites; ``payers`` are the chains that can be paid from."""

    async def get_script(request: Request) -> Response:
        return Response(f'import ".{pages.asset(f"{ELEMENT}.js")}";\n', 200, _FRESH, "text/javascript")

    async def get_facts(request: Request) -> Response:
        return Response(json.dumps({"payers": payers}), 200, _FRESH, "application/json")

    return [Route(f"/{ELEMENT}.js", get_script), Route(f"/{ELEMENT}.json", get_facts)]
