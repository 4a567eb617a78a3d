"""An answered request leaves nothing that only the garbage collector could free: it runs seldom, and memory would grow.

Refusals above all: there are most of them when there is least to spare.
"""

import asyncio
import gc
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.types import ASGIApp, Message
from structlog.testing import capture_logs

from rhumbline.accounts.admission import Admission
from rhumbline.api.server.application import create_app
from rhumbline.api.v1.services import Services
from rhumbline.domain import errors
from rhumbline.domain.account import ApiClient, KeyScope, KeyTerms
from tests.api.api_service import ACME, KEY, ApiService, services
from tests.api.wire.test_quote_request import GOOD

_ASKED = 30
_TRACKING_ONLY = ApiClient(ACME, 1, terms=KeyTerms(frozenset({KeyScope.TRACKING})))


def well(found: Services) -> Services:
    return found


def full(found: Services) -> Services:
    return replace(found, admission=Admission(0))


def no_store(found: Services) -> Services:
    async def fail(_: str | None) -> ApiClient:
        raise errors.StoreUnavailable("The store does not answer")

    return replace(found, accounts=fail)


def elsewhere(found: Services) -> Services:
    async def owner(_: str | None) -> ApiClient:
        return _TRACKING_ONLY

    return replace(found, accounts=owner)


def failing(kind: type[Exception]) -> Callable[[Services], Services]:
    """Have quotes fail as they do below: what is asked for beside others keeps its failure, and raises it later."""

    async def fail(*_: Any) -> Any:
        objection = kind("it is so")
        raise objection

    return lambda found: replace(found, quotes=fail)


async def asked(app: ASGIApp, path: str, query: Mapping[str, str]) -> int:
    """Ask the application itself (a client in this process would leave rings of its own); return the status."""
    seen: list[int] = []
    read = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Message:
        return next(read, None) or await asyncio.get_running_loop().create_future()

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            seen.append(message["status"])

    scope: dict[str, Any] = {
        "type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "path": path, "root_path": "",
        "raw_path": path.encode(), "query_string": urlencode(query).encode(), "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8700), "headers": [(b"host", b"x"), (b"x-api-key", KEY.encode())],
    }  # fmt: skip
    await app(scope, receive, send)
    return seen[0]


@pytest.mark.parametrize(
    ("setting", "path", "query", "status"),
    [
        (well, "/v1/quotes", GOOD, 200),
        (full, "/v1/quotes", GOOD, 503),
        (no_store, "/v1/quotes", GOOD, 503),
        (elsewhere, "/v1/quotes", GOOD, 403),
        (well, "/v1/quotes", {**GOOD, "amount": "-1"}, 400),
        (failing(errors.NoAvailableQuotes), "/v1/quotes", GOOD, 422),
        (failing(errors.NodeUnavailable), "/v1/quotes", GOOD, 502),
        (failing(ValueError), "/v1/quotes", GOOD, 500),
        (failing(errors.NoAvailableQuotes), "/v1/quotes/stream", GOOD, 200),
        (well, "/nowhere", {}, 404),
    ],
)
async def test_an_answered_request_leaves_nothing_to_the_garbage_collector(
    api_service: ApiService,
    setting: Callable[[Services], Services],
    path: str,
    query: Mapping[str, str],
    status: int,
) -> None:
    app = create_app(setting(services(api_service, {})))
    await asked(app, path, query)
    gc.collect()
    gc.disable()
    try:
        with capture_logs():
            assert set(await asyncio.gather(*(asked(app, path, query) for _ in range(_ASKED)))) == {status}
        assert gc.collect() < _ASKED
    finally:
        gc.enable()
