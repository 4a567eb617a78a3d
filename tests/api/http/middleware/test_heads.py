"""HEAD is GET without its body."""

import pytest

from tests.api.api_service import ApiService
from tests.api.conftest import Client


@pytest.mark.parametrize("path", ["/v1/chains", "/health", "/docs", "/v1/quotes", "/nope", "/v1/transactions"])
async def test_head_is_get_without_its_body(client: Client, api_service: ApiService, path: str) -> None:
    get, head = await client.ask(path), await client.ask(path, method="HEAD")
    assert (head.status, head.text) == (get.status, "")
    different = {"date", "x-request-id", "x-ratelimit-remaining"}
    assert {(name.lower(), value) for name, value in head.headers.items() if name.lower() not in different} == {
        (name.lower(), value) for name, value in get.headers.items() if name.lower() not in different
    }
