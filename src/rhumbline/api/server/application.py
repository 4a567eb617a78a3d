"""The HTTP application: routes, and what surrounds them."""

from typing import Any

from starlette.middleware import Middleware
from starlette.requests import Request

from rhumbline.api.hot.front import HotApp, HotFront
from rhumbline.api.http.encoded_bodies import EncodedBodies
from rhumbline.api.http.middleware.body_bounds import BoundedBodies
from rhumbline.api.http.middleware.callers import Callers
from rhumbline.api.http.middleware.cors import CrossOrigin
from rhumbline.api.http.middleware.failures import Failures
from rhumbline.api.http.middleware.heads import HeadAsGet
from rhumbline.api.http.middleware.identity import RequestIdentity
from rhumbline.api.http.middleware.rate_limits import RateLimits
from rhumbline.api.metrics.measured import Measured
from rhumbline.api.pages.assets import Assets
from rhumbline.api.pages.logos import logo_route
from rhumbline.api.pages.pages import Pages
from rhumbline.api.portal.routes import page_routes
from rhumbline.api.portal.services import PortalServices
from rhumbline.api.reference.document import openapi_document
from rhumbline.api.reference.example_swap import example_swap
from rhumbline.api.reference.routes import reference_routes
from rhumbline.api.v1.chains import chain_route
from rhumbline.api.v1.health import health_routes
from rhumbline.api.v1.prices import price_route
from rhumbline.api.v1.quotes import quote_route
from rhumbline.api.v1.routes import routes_route
from rhumbline.api.v1.services import Services
from rhumbline.api.v1.status import status_route
from rhumbline.api.v1.step_transaction import step_route
from rhumbline.api.v1.stream import stream_route
from rhumbline.api.v1.token import token_route
from rhumbline.api.v1.token_lists import token_list_route
from rhumbline.api.v1.tokens import tokens_route
from rhumbline.api.v1.tools import tool_route
from rhumbline.api.v1.transactions import transaction_routes


def create_app(services: Services, portal: PortalServices | None = None) -> HotApp:
    """Build the ASGI application. Raise ValueError for a brand that makes two fields of one name."""
    bodies = EncodedBodies()
    api = [
        quote_route(services),
        stream_route(services),
        routes_route(services),
        step_route(services),
        chain_route(services, bodies),
        token_route(services),
        tokens_route(services, bodies),
        tool_route(services, bodies),
        token_list_route(services, bodies),
        price_route(services),
        *transaction_routes(services),
        status_route(services),
        *health_routes(services),
    ]

    def describe() -> dict[str, Any]:
        swap = example_swap(services.chains, services.tokens, None if portal is None else portal.served)
        return openapi_document(api, services.brand, services.base_url, swap)

    assets = Assets()
    pages = Pages(services.brand, assets)
    app = HotApp(
        routes=[
            *api,
            logo_route(),
            assets.route(),
            *reference_routes(pages, describe),
            *([] if portal is None else page_routes(portal, pages)),
        ],
        middleware=surroundings(services),
        exception_handlers={404: _raise, 405: _raise},
    )
    app.router.redirect_slashes = False
    app.hot = HotFront(services.known_caller, services.limiter, services.metrics, services.request_log)
    for route in api:
        if route.hot is not None:
            app.hot.add(route.path, route.hot)
    return app


def surroundings(services: Services) -> list[Middleware]:
    """Return what every request passes, from the outside in.

    Failures stand twice: the inner ones make an answer of what handlers raise, so that everything between sees it as a
    response and can add its headers; the outer ones do the same for what stands between. All of it sees HTTP alone: the
    listener offers neither websockets nor ASGI's lifespan.
    """
    measured = [] if services.metrics is None else [Middleware(Measured, services.metrics)]
    return [
        Middleware(RequestIdentity, services.request_log),
        Middleware(CrossOrigin),
        Middleware(Failures, services.clock),
        Middleware(HeadAsGet),
        *measured,
        Middleware(Callers, services.accounts),
        Middleware(RateLimits, services.limiter, services.clock),
        Middleware(Failures, services.clock),
        Middleware(BoundedBodies),
    ]


async def _raise(request: Request, error: Exception) -> Any:
    """Let the router's own errors reach Failures."""
    raise error
