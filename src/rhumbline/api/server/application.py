"""The HTTP application: routes, and what surrounds them."""

from typing import Any

from starlette.middleware import Middleware
from starlette.requests import Request

from rhumbline.api.hot.front import HotApp, HotFront
from rhumbline.api.hot.paths import HotGets, HotPaths
from rhumbline.api.http.middleware.body_bounds import BoundedBodies
from rhumbline.api.http.middleware.callers import Callers, Unsettled
from rhumbline.api.http.middleware.cors import CrossOrigin
from rhumbline.api.http.middleware.failures import Failures
from rhumbline.api.http.middleware.heads import HeadAsGet
from rhumbline.api.http.middleware.identity import RequestIdentity
from rhumbline.api.http.middleware.rate_limits import RateLimits
from rhumbline.api.metrics.service_metrics import Measured
from rhumbline.api.pages.assets import Assets
from rhumbline.api.pages.pages import Pages
from rhumbline.api.portal.routes import page_routes
from rhumbline.api.portal.services import PortalServices
from rhumbline.api.reference.document import openapi_document
from rhumbline.api.reference.example_swap import example_swap
from rhumbline.api.reference.routes import reference_routes
from rhumbline.api.v1.health import health_routes
from rhumbline.api.v1.metadata import metadata_routes
from rhumbline.api.v1.prices import price_routes
from rhumbline.api.v1.quotes import quote_routes
from rhumbline.api.v1.routes import advanced_routes
from rhumbline.api.v1.services import Services
from rhumbline.api.v1.status import status_routes
from rhumbline.api.v1.stream import stream_routes
from rhumbline.api.v1.transactions import transaction_routes
from rhumbline.api.wire.logo import logo_routes


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
