"""``/``: what this service is, and a quote form; its script asks ``/v1`` and the nodes of ``/v1/chains`` alone."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rhumbline.api.pages.pages import Pages, origins
from rhumbline.catalog.chains import ChainCatalog


def front_page(pages: Pages, chains: ChainCatalog, served: frozenset[int] | None, *, names: bool) -> Route:
    """Return the front page's route: ``chains`` can be followed, ``served`` (all where it is None) can pay.

    ``names`` says whether receivers may be named by ENS.
    """
    nodes = origins(url for chain in chains for url in chain.rpc_urls)
    payers = " ".join(map(str, paying(chains, served)))

    async def get_front(request: Request) -> Response:
        return pages.page("front.html", {"payers": payers, "names": names}, cache="no-cache", reaches=nodes)

    return Route("/", get_front)


def paying(chains: ChainCatalog, served: frozenset[int] | None) -> tuple[int, ...]:
    """Return the chains that can be paid from: those that the service has a node of."""
    return tuple(chain.id for chain in chains if served is None or chain.id in served)
