"""What every response carries, and what happens where no handler stands."""

import json
from datetime import UTC, datetime
from typing import get_args

import pytest
import structlog
from structlog.testing import capture_logs

from rhumbline.api.http.errors import STATUS_OF_CODE, STATUS_OF_KIND, status_of, write_error
from rhumbline.api.wire.error import ErrorCode
from rhumbline.domain import errors
from tests.api.api_service import KEY, NOW, TX_ID, UNKNOWN_KEY, ApiService
from tests.api.conftest import Client
from tests.api.wire.test_quote_request import GOOD

EVERYWHERE = ["/v1/chains", "/v1/quotes", "/v1/transactions", "/v1/nothing", "/v1", "/v1/health", "/health", "/docs"]


@pytest.mark.parametrize("path", EVERYWHERE)
async def test_every_response_has_a_name(client: Client, api_service: ApiService, path: str) -> None:
    own = await client.ask(path, headers={"x-request-id": "My.request-1_2"})
    assert own.headers["x-request-id"] == "My.request-1_2"
    names = {(await client.ask(path)).headers["x-request-id"] for _ in range(3)}
    assert len(names) == 3


@pytest.mark.parametrize("name", ["", "x" * 65, "a b", "ä", "<script>", "a;b"])
async def test_a_strange_request_id_is_replaced(client: Client, api_service: ApiService, name: str) -> None:
    answered = (await client.ask("/v1/chains", headers={"x-request-id": name})).headers["x-request-id"]
    assert answered != name
    assert len(answered) == 32


@pytest.mark.parametrize(
    "path", ["/", "/nope", "/v1", "/v1/", "/v1/quotes/", "/v1/Quotes", "/v2/quotes", "//v1/quotes"]
)
async def test_an_unknown_path(client: Client, api_service: ApiService, path: str) -> None:
    answer = await client.ask(path + "?a=1")
    assert answer.json == {
        "statusCode": 404,
        "code": "NOT_FOUND",
        "message": f"There is nothing at {path}",
        "timestamp": "2026-03-04T05:06:07.089Z",
        "path": path + "?a=1",
    }
    assert answer.status == 404


@pytest.mark.parametrize("path", ["/v1/quotes", "/v1/chains", "/v1/transactions", "/health", "/docs"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE"])
async def test_a_method_that_is_not_there(client: Client, api_service: ApiService, path: str, method: str) -> None:
    answer = await client.ask(path, method=method)
    assert (answer.status, answer.json["statusCode"], answer.json["code"]) == (405, 405, "VALIDATION_ERROR")
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS"
    assert answer.json["message"] == f"{method} is not allowed here: use GET, HEAD, OPTIONS"


@pytest.mark.parametrize("path", ["/v1/chains", "/health", "/docs", "/v1/quotes", "/nope", "/v1/transactions"])
async def test_head_is_get_without_its_body(client: Client, api_service: ApiService, path: str) -> None:
    get, head = await client.ask(path), await client.ask(path, method="HEAD")
    assert (head.status, head.text) == (get.status, "")
    different = {"date", "x-request-id", "x-ratelimit-remaining"}
    assert {(name.lower(), value) for name, value in head.headers.items() if name.lower() not in different} == {
        (name.lower(), value) for name, value in get.headers.items() if name.lower() not in different
    }


@pytest.mark.parametrize("path", ["/v1/quotes", "/v1/chains", "/v1/tokenlists/1.json"])
async def test_a_preflight(client: Client, api_service: ApiService, path: str) -> None:
    asked = {
        "origin": "https://app.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "x-api-key",
    }
    answer = await client.ask(path, method="OPTIONS", headers=asked)
    assert (answer.status, answer.text) == (204, "")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS"
    assert answer.headers["access-control-allow-headers"] == "x-api-key, content-type"
    assert api_service.asked == []


@pytest.mark.parametrize("path", ["/v1/chains", "/v1/quotes", "/v1/nothing", "/v1/token?chain=777&token=x"])
async def test_open_paths_are_open_on_errors_too(client: Client, api_service: ApiService, path: str) -> None:
    answer = await client.ask(path)
    assert answer.headers["access-control-allow-origin"] == "*"
    exposed = set(answer.headers["access-control-expose-headers"].split(", "))
    assert exposed >= {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"}
    assert exposed >= {"X-Request-Id", "Retry-After", "ETag"}


async def test_options_on_a_path_that_is_not_there(client: Client, api_service: ApiService) -> None:
    assert (await client.ask("/v1/nothing", method="OPTIONS")).status == 404


async def test_what_nobody_foresaw(client: Client, api_service: ApiService) -> None:
    api_service.failure = RuntimeError(f"a secret {KEY} inside")
    with capture_logs(processors=[structlog.contextvars.merge_contextvars]) as logs:
        answer = await client.ask("/v1/quotes", GOOD, headers={"x-api-key": KEY})
    assert (answer.status, answer.json["code"]) == (500, "UNKNOWN")
    assert answer.json["details"] == {"requestId": answer.headers["x-request-id"]}
    assert "secret" not in answer.text
    failed, request = logs
    assert (failed["log_level"], failed["exc_info"]) == ("error", True)
    assert failed["request_id"] == request["request_id"] == answer.headers["x-request-id"]
    assert (request["event"], request["status"], request["path"]) == ("request", 500, "/v1/quotes")


async def test_keys_and_queries_are_not_logged(client: Client, api_service: ApiService) -> None:
    with capture_logs(processors=[structlog.contextvars.merge_contextvars]) as logs:
        for key in (KEY, UNKNOWN_KEY):
            for path in ("/v1/chains", "/v1/transactions", f"/v1/transactions/{TX_ID}", "/nope"):
                await client.ask(path, {"note": key}, headers={"x-api-key": key})
        api_service.store_down = True
        await client.ask("/v1/quotes", GOOD, headers={"x-api-key": KEY})
        await client.ask("/v1/chains", headers={"x-api-key": KEY})
    assert len(logs) > 8
    assert "rl_live" not in repr(logs)


async def test_health(client: Client, api_service: ApiService) -> None:
    for path in ("/health", "/v1/health", "/health/live"):
        assert (await client.ask(path)).json == {"status": "ok"}
    ready = await client.ask("/health/ready")
    assert (ready.status, ready.json) == (200, {"status": "ok", "dependencies": {"store": "ok", "rpc:eth": "ok"}})


async def test_not_ready(client: Client, api_service: ApiService) -> None:
    api_service.dependencies["rpc:eth"] = "does not answer"
    answer = await client.ask("/health/ready")
    assert answer.status == 503
    assert answer.json == {
        "statusCode": 503,
        "code": "UNKNOWN",
        "message": "Not ready: rpc:eth",
        "details": {"dependencies": {"store": "ok", "rpc:eth": "does not answer"}},
        "timestamp": "2026-03-04T05:06:07.089Z",
        "path": "/health/ready",
        "status": "unavailable",
        "dependencies": {"store": "ok", "rpc:eth": "does not answer"},
    }
    assert (await client.ask("/health/live")).status == 200


async def test_health_needs_no_store(client: Client, api_service: ApiService) -> None:
    api_service.store_down = True
    assert (await client.ask("/v1/health", headers={"x-api-key": KEY})).status == 200


def test_every_failure_has_a_status() -> None:
    def leaves(kind: type[errors.RhumblineError]) -> list[type[errors.RhumblineError]]:
        return [kind] + [leaf for inner in kind.__subclasses__() for leaf in leaves(inner)]

    codes = {kind.code for kind in leaves(errors.RhumblineError)}
    assert codes == set(STATUS_OF_CODE) == set(get_args(ErrorCode))
    # A step without a quote is the one exception that the contract's decisions make.
    ordinary = STATUS_OF_KIND.keys() - {errors.NoStepQuote}
    assert all(kind.code in ("VALIDATION_ERROR", "UNKNOWN") for kind in ordinary)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.InvalidRequest(["amount is missing"]), 400),
        (errors.WrongAddress(["senderAddress is none"]), 400),
        (errors.NotFound("x"), 404),
        (errors.KeyMissing("x"), 401),
        (errors.KeyInvalid("x"), 401),
        (errors.IntegratorMismatch("x"), 403),
        (errors.RateLimited("x"), 429),
        (errors.NoAvailableQuotes("x"), 422),
        (errors.AmountTooLow("x"), 422),
        (errors.SlippageExceeded("x"), 422),
        (errors.AdaptersRejected("x"), 422),
        (errors.AdaptersUnauthorized("x"), 502),
        (errors.AdaptersFailed("x"), 502),
        (errors.StoreUnavailable("x"), 503),
        (errors.Unexpected("x"), 500),
    ],
)
def test_status_of_each_failure(error: errors.RhumblineError, status: int) -> None:
    assert status_of(error) == status
    body = json.loads(write_error(error, NOW, None).body)
    assert (body["statusCode"], body["code"], body["message"]) == (status, error.code, error.message)
    assert "path" not in body


def test_times_have_milliseconds_in_utc() -> None:
    exact = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    body = json.loads(write_error(errors.NotFound("x"), exact, "/").body)
    assert (body["timestamp"], body["path"]) == ("2026-01-02T03:04:05.000Z", "/")
