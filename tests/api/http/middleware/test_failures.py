"""What is answered where nothing is found, allowed or foreseen."""

import pytest
import structlog
from structlog.testing import capture_logs

from tests.api.api_service import KEY, ApiService
from tests.api.conftest import Client
from tests.api.wire.test_quote_request import GOOD


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
