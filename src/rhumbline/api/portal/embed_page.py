"""The page with the code by which an integrator embeds the element, and the element as it will be."""

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rhumbline.api.pages.embed_form import read_wanted
from rhumbline.api.pages.playground import PLAYGROUND, Playground
from rhumbline.api.portal.access import Visitor
from rhumbline.api.portal.views import PortalViews
from rhumbline.domain.account import Integrator


def embed_page(views: PortalViews) -> Route:
    services = views.services
    playground = Playground(services.base_url, services.chains, services.served)

    async def get_page(request: Request, visitor: Visitor, integrator: Integrator) -> Response:
        wanted = read_wanted(request.query_params, playground.offered, integrator.name)
        return views.page(
            "embed.html",
            visitor,
            400 if wanted.faults else 200,
            integrator=integrator,
            tab="embed",
            language=visitor.language,
            tried=f"{PLAYGROUND}?{urlencode(_with(request, integrator.name))}",
            **playground.values(wanted),
        )

    return views.reading("/embed", get_page)


def _with(request: Request, integrator: str) -> list[tuple[str, str]]:
    """Return the form's input with the integrator's name: for the playground, which may ask the chains' nodes too."""
    typed = [(name, text) for name, text in request.query_params.multi_items() if text and name != "integrator"]
    return [("integrator", integrator), *typed]
