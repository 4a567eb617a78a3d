"""Cross-origin rules: routing and metadata are open to every origin, tracking to none."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rhumbline.api.http.headers import EXPOSED

_OPEN = (
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", ", ".join(EXPOSED).encode()),
)


class CrossOrigin:
    """Adds the CORS headers to open paths, errors included; a preflight is answered by the router's OPTIONS."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not scope["state"]["rules"].open:
            await self._app(scope, receive, send)
            return
        scope["state"]["headers"] += _OPEN
        if scope["method"] != "OPTIONS" or "access-control-request-method" not in Headers(scope=scope):
            await self._app(scope, receive, send)
            return

        async def send_permitted(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 204:
                headers = MutableHeaders(scope=message)
                headers["access-control-allow-methods"] = headers.get("allow", "GET")
                headers["access-control-allow-headers"] = "x-api-key, content-type"
                headers["access-control-max-age"] = "86400"
            await send(message)

        await self._app(scope, receive, send_permitted)
