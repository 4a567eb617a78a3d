"""Identifies the caller: the API key is checked once, before anything else."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rhumbline.accounts.key_terms import refusal
from rhumbline.accounts.rate_limits import requester_of
from rhumbline.api.http.paths import PathRules
from rhumbline.domain.account import ApiClient
from rhumbline.domain.errors import KeyInvalid, KeyMissing, RhumblineError, StoreUnavailable


class Callers:
    """Puts the ApiClient into the request's state; an invalid key counts as none and ``X-Api-Key-Status`` says so.

    Metadata needs no store: while it is down, a key there counts as not given. Tracking and quotes do need to know.
    A key that is used where its terms forbid it is refused, and the request counts for its address: whoever has found
    another's key cannot use up its limits. ``key_of`` is the key all the same, for what its integrator is shown.
    """

    def __init__(self, app: ASGIApp, accounts: Callable[[str | None], Awaitable[ApiClient]]) -> None:
        self._app = app
        self._accounts = accounts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        rules: PathRules = scope["state"]["rules"]
        if not rules.identified:
            await self._app(scope, receive, send)
            return
        # Blanks around a value are no part of it (RFC 9110, 5.5).
        headers = Headers(scope=scope)
        key = headers.get("x-api-key", "").strip(" \t") or None
        caller, fault = await self._identify(key, rules)
        client = scope.get("client")
        host, key_of = client[0] if client else None, caller
        if caller.terms is not None and fault is None:
            fault = refusal(caller.terms, rules.key_scope, headers.get("origin"), host)
            caller = caller if fault is None else ApiClient()
        caller = replace(caller, requester=requester_of(caller, host))
        scope["state"].update(caller=caller, key_of=key_of, has_key=key is not None, caller_fault=fault)
        if not caller.key_invalid or rules.tracking:
            await self._app(scope, receive, send)
            return

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["x-api-key-status"] = "invalid"
            await send(message)

        await self._app(scope, receive, send_marked)

    async def _identify(self, key: str | None, rules: PathRules) -> tuple[ApiClient, RhumblineError | None]:
        try:
            return await self._accounts(key), None
        except StoreUnavailable as error:
            if key is not None and (rules.tracking or rules.quote):
                return ApiClient(), error
            structlog.get_logger().warning("the store is down; a request goes on without its key")
            return ApiClient(), None


def caller_of(request: Request) -> ApiClient:
    """Return who makes this request; raise TypeError where nobody was identified, which is a fault of ours."""
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
