"""Every response has a name, and every request a line in the log."""

from dataclasses import replace

import aiohttp
import pytest
import structlog
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from structlog.testing import capture_logs

from rhumbline.api.server.application import create_app
from rhumbline.gateways.tracing.recorder import sdk_tracing
from tests.api.api_service import KEY, TX_ID, UNKNOWN_KEY, ApiService, services
from tests.api.conftest import Client, served
from tests.api.wire.test_quote_request import GOOD

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
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


async def test_a_recorded_trace_is_named_in_the_answer_and_in_the_log(api_service: ApiService) -> None:
    """Of requests for quotes alone; while tracing is off, no answer has such a header."""
    recording = sdk_tracing(InMemorySpanExporter(), "service", "instance", 1.0, joins=False)
    async with recording as tracing, aiohttp.ClientSession() as session:
        traced = replace(services(api_service, {}), tracing=tracing)
        for each, is_on in ((traced, True), (services(api_service, {}), False)):
            async with served(create_app(each)) as (url, port):
                client = Client(url, port, session)
                with capture_logs() as logs:
                    quote = await client.ask("/v1/quotes", GOOD, headers={"traceparent": PARENT})
                    fault = await client.ask("/v1/quotes", headers={"traceparent": PARENT})
                    chains = await client.ask("/v1/chains", headers={"traceparent": PARENT})
            named = [answer.headers.get("x-trace-id") for answer in (quote, fault, chains)]
            assert [name is not None for name in named] == [is_on, is_on, False]
            assert not set(named) & set(PARENT.split("-"))
            assert [line.get("trace_id") for line in logs if line["event"] == "request"] == named
