"""The HTTP application: routes and middleware."""

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
from rhumbline.api.http.middleware.signed import Signed
from rhumbline.api.metrics.measured import Measured
from rhumbline.api.pages.assets import Assets
from rhumbline.api.pages.logos import logo_route
from rhumbline.api.pages.pages import Pages
from rhumbline.api.pages.playground import Playground
from rhumbline.api.portal.routes import page_routes
from rhumbline.api.portal.services import PortalServices
from rhumbline.api.reference.document import openapi_document
from rhumbline.api.reference.example_swap import example_swap
from rhumbline.api.reference.playground_page import playground_page
from rhumbline.api.reference.routes import reference_routes
from rhumbline.api.v1.chains import chain_route
from rhumbline.api.v1.event_streams import event_stream_routes
from rhumbline.api.v1.health import health_routes
from rhumbline.api.v1.pair_price import pair_price_route
from rhumbline.api.v1.prices import price_route
from rhumbline.api.v1.quotes import quote_route
from rhumbline.api.v1.requests import request_route
from rhumbline.api.v1.routes import routes_route
from rhumbline.api.v1.scorecards import scorecard_route
from rhumbline.api.v1.services import Services
from rhumbline.api.v1.signing_keys import signing_key_route
from rhumbline.api.v1.status import status_route
from rhumbline.api.v1.step_transaction import step_route
from rhumbline.api.v1.stream import stream_route
from rhumbline.api.v1.token import token_route
from rhumbline.api.v1.token_lists import token_list_route
from rhumbline.api.v1.tokens import tokens_route
from rhumbline.api.v1.tools import tool_route
from rhumbline.api.v1.transactions import transaction_routes
from rhumbline.api.v1.webhooks import webhook_routes


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
        pair_price_route(services),
        *event_stream_routes(services),
        *transaction_routes(services),
        request_route(services),
        scorecard_route(services),
        status_route(services),
        *webhook_routes(services),
        *health_routes(services),
        signing_key_route(services.signer),
    ]

    served = None if portal is None else portal.served

    def describe() -> dict[str, Any]:
        swap = example_swap(services.chains, services.tokens, served)
        return openapi_document(api, services.brand, services.base_url, swap)

    assets = Assets()
    pages = Pages(services.brand, assets)
    app = HotApp(
        routes=[
            *api,
            logo_route(),
            assets.route(),
            *reference_routes(pages, describe, services.base_url),
            playground_page(pages, Playground(services.base_url, services.chains, served)),
            *([] if portal is None else page_routes(portal, pages)),
        ],
        middleware=surroundings(services),
        exception_handlers={404: _raise, 405: _raise},
    )
    app.router.redirect_slashes = False
    app.hot = HotFront(services.known_caller, services.limiter, services.metrics, services.request_log, services.tally)
    for route in api:
        if route.hot is not None:
            app.hot.add(route.path, route.hot)
    return app


def surroundings(services: Services) -> list[Middleware]:
    """Return the middleware of every request, outermost first.

    Failures occurs twice: the inner one turns handlers' exceptions into responses, so that the layers between can add
    their headers; the outer one does the same for those layers. All of it sees HTTP alone: the listener offers neither
    websockets nor ASGI's lifespan.
    """
    unmeasured = services.metrics is None and services.tally is None
    measured = [] if unmeasured else [Middleware(Measured, services.metrics, services.tally)]
    signed = [] if services.signer is None else [Middleware(Signed, services.signer, services.clock)]
    return [
        Middleware(RequestIdentity, services.request_log, services.tracing),
        Middleware(CrossOrigin),
        *signed,
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
