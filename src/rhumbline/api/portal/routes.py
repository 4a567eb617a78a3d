"""The front page and the portal."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.pages.element import embedding_routes
from rhumbline.api.pages.ens_names import name_routes
from rhumbline.api.pages.front_page import front_routes, paying
from rhumbline.api.pages.pages import Pages
from rhumbline.api.portal.challenges import Signing
from rhumbline.api.portal.embed_page import embedding_page
from rhumbline.api.portal.keys import key_routes
from rhumbline.api.portal.records import record_routes
from rhumbline.api.portal.services import PortalServices
from rhumbline.api.portal.sign_in import signing_in_routes
from rhumbline.api.portal.views import HOME, PortalViews
from rhumbline.api.portal.wallets import wallet_routes
from rhumbline.domain.errors import NotFound


def page_routes(services: PortalServices, pages: Pages) -> APIRouter:
    """Return the routes of ``/``, ``/portal`` and the element for other sites."""
    views = PortalViews(services, pages)
    signing = Signing(services, views.gate)

    async def get_nothing(request: Request) -> Response:
        raise NotFound("There is no such page in the portal")

    router = APIRouter()
    for routes in (
        front_routes(pages, services.chains, services.served, names=services.names is not None),
        embedding_routes(pages, paying(services.chains, services.served)),
        signing_in_routes(views, signing),
        key_routes(views),
        wallet_routes(views, signing),
        record_routes(views),
        embedding_page(views),
    ):
        router.include_router(routes)
    if services.names is not None:
        router.include_router(name_routes(services.names, services.chains, services.limiter))
    router.add_api_route(HOME + "/{rest:path}", views.anybody(get_nothing), include_in_schema=False)
    return router
