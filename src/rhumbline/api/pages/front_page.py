"""``/``: what this service is, and a quote form; its script uses only ``/v1`` and the nodes of ``/v1/chains``.

``/rhumbline-swap.js`` is the element of that form for other sites, at an address that stays.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rhumbline.api.pages.assets import OPEN
from rhumbline.api.pages.language import language_of
from rhumbline.api.pages.pages import Pages, origins
from rhumbline.catalog.chains import ChainCatalog

ELEMENT = "rhumbline-swap"
_FRESH: Mapping[str, str] = MappingProxyType({"cache-control": "no-cache", **OPEN})


@dataclass(frozen=True, slots=True)
class WalletRelay:
    """How pages reach wallets elsewhere: WalletConnect's relay (``wss://host``), and the project that it counts."""

    url: str
    project_id: str


def front_page(
    pages: Pages, chains: ChainCatalog, served: frozenset[int] | None, *, names: bool, relay: WalletRelay | None = None
) -> Route:
    """Return the front page's route: ``chains`` can be followed, ``served`` (all where it is None) can pay.

    ``names`` says whether receivers may be named by ENS. Without a ``relay`` no wallet elsewhere is offered.
    """
    nodes = origins(url for chain in chains for url in chain.rpc_urls)
    reaches = nodes if relay is None else (*nodes, relay.url)
    payers = " ".join(map(str, paying(chains, served)))

    async def get_front(request: Request) -> Response:
        values = {"payers": payers, "names": names, "relay": relay}
        return pages.page("front.html", values, cache="no-cache", reaches=reaches, language=language_of(request))

    return Route("/", get_front)


def paying(chains: ChainCatalog, served: frozenset[int] | None) -> tuple[int, ...]:
    """Return the chains that can be paid from: those for which the service has a node."""
    return tuple(chain.id for chain in chains if served is None or chain.id in served)


def element_routes(pages: Pages, payers: tuple[int, ...], receipts: str) -> list[Route]:
    """Return the routes of the element for other sites.

    ``payers`` are the chains that can be paid from, ``receipts`` is where a transfer's page is, before its ID.
    """

    async def get_script(request: Request) -> Response:
        return Response(f'import ".{pages.asset(f"{ELEMENT}.js")}";\n', 200, _FRESH, "text/javascript")

    async def get_facts(request: Request) -> Response:
        return Response(json.dumps({"payers": payers, "receipts": receipts}), 200, _FRESH, "application/json")

    return [Route(f"/{ELEMENT}.js", get_script), Route(f"/{ELEMENT}.json", get_facts)]
