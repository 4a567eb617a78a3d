"""Every response has a name, and every request a line in the log."""

import pytest
import structlog
from structlog.testing import capture_logs

from tests.api.api_service import KEY, TX_ID, UNKNOWN_KEY, ApiService
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


async def test_a_line_says_who_asked(client: Client, api_service: ApiService) -> None:
    with capture_logs() as logs:
        for key in (KEY, UNKNOWN_KEY, None):
            await client.ask("/v1/chains", headers={} if key is None else {"x-api-key": key})
        await client.ask("/health")
    told = [
        {name: line.get(name) for name in ("client", "key", "integrator")}
        for line in logs
        if line["event"] == "request"
    ]
    caller = await api_service.caller(KEY)
    assert caller.integrator is not None
    assert [line.pop("client") for line in told] == ["127.0.0.1"] * 4
    assert told == [
        {"key": caller.key_id, "integrator": caller.integrator.name},
        {"key": "invalid", "integrator": None},
        {"key": None, "integrator": None},
        {"key": None, "integrator": None},
    ]
