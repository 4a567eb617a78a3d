"""Cross-origin rules: routing and metadata are open to every origin, tracking to none."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rhumbline.api.http.headers import EXPOSED
from rhumbline.api.http.paths import is_open


class CrossOrigin:
    """Adds the CORS headers to open paths, errors included; a preflight is answered by the router's OPTIONS."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not is_open(scope["path"]):
            await self._app(scope, receive, send)
            return
        asked = Headers(scope=scope)
        preflight = scope["method"] == "OPTIONS" and "access-control-request-method" in asked

        async def send_open(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["access-control-allow-origin"] = "*"
                headers["access-control-expose-headers"] = ", ".join(EXPOSED)
                if preflight and message["status"] == 204:
                    headers["access-control-allow-methods"] = headers.get("allow", "GET")
                    headers["access-control-allow-headers"] = "x-api-key, content-type"
                    headers["access-control-max-age"] = "86400"
            await send(message)

        await self._app(scope, receive, send_open)
