"""HEAD is GET without the body."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rhumbline.api.http.headers import IS_HEAD


class HeadAsGet:
    """Runs the GET of a path for its HEAD: same status and headers, no body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def send_head(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        await self._app({**scope, "method": "GET", IS_HEAD: True}, receive, send_head)
