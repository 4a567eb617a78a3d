"""The HTTP application: routes, and what surrounds them."""

from typing import Any

from starlette.middleware import Middleware
from starlette.requests import Request

from rhumbline.api.advanced import advanced_routes
from rhumbline.api.document import openapi_document
from rhumbline.api.front.assets import Assets
from rhumbline.api.front.pages import Pages
from rhumbline.api.health import health_routes
from rhumbline.api.hot import HotGets, HotPaths
from rhumbline.api.hot_front import HotApp, HotFront
from rhumbline.api.logos import logo_routes
from rhumbline.api.metadata import metadata_routes
from rhumbline.api.metrics import Measured
from rhumbline.api.middleware.body_bounds import BoundedBodies
from rhumbline.api.middleware.callers import Callers, Unsettled
from rhumbline.api.middleware.cors import CrossOrigin
from rhumbline.api.middleware.failures import Failures
from rhumbline.api.middleware.heads import HeadAsGet
from rhumbline.api.middleware.identity import RequestIdentity
from rhumbline.api.middleware.rate_limits import RateLimits
from rhumbline.api.portal.routes import page_routes
from rhumbline.api.portal.services import PortalServices
from rhumbline.api.prices import price_routes
from rhumbline.api.quotes import quote_routes
from rhumbline.api.reference.example_swap import example_swap
from rhumbline.api.reference.routes import reference_routes
from rhumbline.api.services import Services
from rhumbline.api.status import status_routes
from rhumbline.api.streaming import stream_routes
from rhumbline.api.transactions import transaction_routes


def create_app(services: Services, portal: PortalServices | None = None) -> HotApp:
    """Build the ASGI application. Raise ValueError for a brand that makes two fields of one name."""
    hot, front = HotPaths(), HotFront(services)
    app = HotApp(
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        middleware=[*surroundings(services), Middleware(HotGets, hot)],
        exception_handlers={404: _raise, 405: _raise},
    )
    routers = (
        quote_routes(services),
        stream_routes(services),
        advanced_routes(services),
        metadata_routes(services, front),
        price_routes(services, front),
        transaction_routes(services),
        status_routes(services),
        logo_routes(),
        health_routes(services),
    )
    for router in routers:
        hot.add(router.routes)
        app.include_router(router)
    served = None if portal is None else portal.served

    def describe() -> dict[str, Any]:
        swap = example_swap(services.chains, services.tokens, served)
        return openapi_document(app, services.brand, services.base_url, swap)

    assets = Assets()
    pages = Pages(services.brand, assets)
    app.include_router(assets.routes())
    app.include_router(reference_routes(pages, describe))
    if portal is not None:
        app.include_router(page_routes(portal, pages))
    app.hot = front
    return app


def surroundings(services: Services) -> list[Middleware]:
    """Return what every request passes, from the outside in.

    Failures stand twice: the inner ones make an answer of what handlers raise, so that everything between sees it as a
    response and can add its headers; the outer ones do the same for what stands between.
    """
    measured = [] if services.metrics is None else [Middleware(Measured, services.metrics)]
    return [
        Middleware(RequestIdentity, services.request_log),
        Middleware(CrossOrigin),
        Middleware(Failures, services.clock),
        Middleware(HeadAsGet),
        *measured,
        Middleware(Callers, services),
        Middleware(RateLimits, services.limiter, services.clock),
        Middleware(Failures, services.clock),
        Middleware(Unsettled),
        Middleware(BoundedBodies),
    ]


async def _raise(request: Request, error: Exception) -> Any:
    """Let the router's own errors reach Failures."""
    raise error
