"""The front page, receipts, the status page, and the portal."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rhumbline.api.pages.ens_names import name_route
from rhumbline.api.pages.front_page import element_routes, front_page, paying
from rhumbline.api.pages.pages import Pages
from rhumbline.api.portal.challenges import Signing
from rhumbline.api.portal.embed_page import embed_page
from rhumbline.api.portal.join_page import join_routes
from rhumbline.api.portal.keys import key_routes
from rhumbline.api.portal.language_choice import language_route
from rhumbline.api.portal.members_page import member_routes
from rhumbline.api.portal.receipt_page import receipt_page
from rhumbline.api.portal.receipts import RECEIPTS
from rhumbline.api.portal.records import record_routes
from rhumbline.api.portal.requests_page import request_routes
from rhumbline.api.portal.services import PortalServices
from rhumbline.api.portal.sign_in import sign_in_routes
from rhumbline.api.portal.status_page import status_routes
from rhumbline.api.portal.views import HOME, PortalViews
from rhumbline.api.portal.wallets import wallet_routes
from rhumbline.api.portal.webhooks_page import webhook_routes
from rhumbline.domain.errors import NotFound
from rhumbline.domain.sentence import Sentence


def page_routes(services: PortalServices, pages: Pages) -> list[Route]:
    """Return the routes of ``/``, ``/tx``, ``/status``, ``/portal`` and the element for other sites."""
    views = PortalViews(services, pages)
    signing = Signing(services, views.gate)

    async def get_nothing(request: Request) -> Response:
        raise NotFound(Sentence("There is no such page in the portal"))

    names = services.names
    shown = [
        front_page(pages, services.chains, services.served, names=names is not None, relay=services.relay),
        receipt_page(views),
        *([] if services.status is None else status_routes(views, services.status)),
        *element_routes(pages, paying(services.chains, services.served), f"{services.base_url}{RECEIPTS}/"),
        *sign_in_routes(views, signing),
        *join_routes(views),
        *key_routes(views),
        *wallet_routes(views, signing),
        *record_routes(views),
        *request_routes(views),
        *member_routes(views),
        *webhook_routes(views),
        embed_page(views),
        *([] if names is None else [name_route(names, services.chains, services.limiter)]),
    ]
    return [*shown, language_route(views, shown), views.anybody(HOME + "/{rest:path}", get_nothing)]
