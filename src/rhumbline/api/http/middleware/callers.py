"""Who sends a request: its API key is checked once, before anything else is done."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rhumbline.accounts.rate_limits import requester_of
from rhumbline.api.http.paths import HEALTH, is_quote, is_tracking, is_versioned
from rhumbline.domain.account import ApiClient
from rhumbline.domain.errors import KeyInvalid, KeyMissing, StoreUnavailable


class Callers:
    """Puts the ApiClient into the request's state; an invalid key counts as none and is shown by ``X-Api-Key-Status``.

    Metadata needs no store: while it is down, a key there counts as not given. Tracking and quotes do need to know.
    """

    def __init__(self, app: ASGIApp, accounts: Callable[[str | None], Awaitable[ApiClient]]) -> None:
        self._app = app
        self._accounts = accounts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not is_versioned(scope["path"]) or scope["path"] == HEALTH:
            await self._app(scope, receive, send)
            return
        # Blanks around a value are no part of it (RFC 9110, 5.5).
        key = Headers(scope=scope).get("x-api-key", "").strip(" \t") or None
        caller, fault = await self._identify(key, scope["path"])
        client = scope.get("client")
        caller = replace(caller, requester=requester_of(caller, client[0] if client else None))
        scope.setdefault("state", {}).update(caller=caller, has_key=key is not None, caller_fault=fault)
        if not caller.key_invalid or is_tracking(scope["path"]):
            await self._app(scope, receive, send)
            return

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["x-api-key-status"] = "invalid"
            await send(message)

        await self._app(scope, receive, send_marked)

    async def _identify(self, key: str | None, path: str) -> tuple[ApiClient, StoreUnavailable | None]:
        try:
            return await self._accounts(key), None
        except StoreUnavailable as error:
            if key is not None and (is_tracking(path) or is_quote(path)):
                return ApiClient(), error
            structlog.get_logger().warning("the store is down; a request goes on without its key")
            return ApiClient(), None


def caller_of(request: Request) -> ApiClient:
    """Return who makes this request."""
    caller = request.state.caller
    if not isinstance(caller, ApiClient):
        raise TypeError("the request was not identified")
    return caller


def integrator_of(request: Request) -> str:
    """Return the name of the key's integrator; raise KeyMissing or KeyInvalid without a valid key."""
    caller = caller_of(request)
    if caller.integrator is not None:
        return caller.integrator.name
    if request.state.has_key:
        raise KeyInvalid("The API key is unknown or revoked: send a valid one in the header x-api-key")
    raise KeyMissing("This endpoint needs an API key: send one in the header x-api-key")
