"""The application on the metrics port."""

from prometheus_client.exposition import choose_encoder
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from rhumbline.api.http.paths import is_health
from rhumbline.api.metrics.service_metrics import ServiceMetrics

METRICS_PATH = "/metrics"


def metrics_app(metrics: ServiceMetrics, service: ASGIApp) -> ASGIApp:
    """Return ``/metrics`` and the health pages: they answer even while the service's own port is crowded."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response: Response
        if is_health(scope["path"]):
            await service(scope, receive, send)
            return
        if scope["path"] != METRICS_PATH:
            response = PlainTextResponse("The metrics are at /metrics\n", 404)
        elif scope["method"] not in ("GET", "HEAD"):
            response = PlainTextResponse("GET /metrics\n", 405, {"allow": "GET, HEAD"})
        else:
            encode, content_type = choose_encoder(Headers(scope=scope).get("accept", ""))
            body = encode(metrics.registry)
            response = Response(body, headers={"content-type": content_type, "cache-control": "no-store"})
        await response(scope, receive, send)

    return app
