"""What pages of other origins may ask and read."""

import pytest

from tests.api.api_service import ApiService
from tests.api.conftest import Client


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
