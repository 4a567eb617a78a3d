"""A quote on the sandbox is one trace in a collector, from the request to the statement that stores the transfer."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import structlog
from pydantic import SecretStr
from sqlalchemy.ext.asyncio import AsyncEngine
from structlog.testing import capture_logs

from rhumbline.app.tracing_section import TracingSettings
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.scenarios import HERE
from rhumbline.devnet.upstreams.emulator import Emulator
from tests.e2e.toured_service import PATIENCE, TouredService, toured_service, transfer_url
from tests.otlp_receiver import ReceivedSpan, collecting

TOKEN = "collector-secret-0451"
CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
BRIDGES = ("ACROSS", "RELAY")


@pytest.fixture
def two_bridges(emulators: Mapping[str, Emulator]) -> list[Emulator]:
    return [emulators[key] for key in BRIDGES]


def tracing(url: str, **more: Any) -> TracingSettings:
    return TracingSettings(endpoint=url, share=1, headers={"authorization": SecretStr(f"Bearer {TOKEN}")}, **more)


@asynccontextmanager
async def asking(service: TouredService) -> AsyncIterator[tuple[aiohttp.ClientSession, str, str]]:
    """A client with the integrator's key, the URL of a transfer's quote, and the wallet that it is for."""
    described = json.loads(service.file.read_text("utf-8"))
    async with aiohttp.ClientSession(headers={"x-api-key": described["integrator"]["api_key"]}) as client:
        yield client, transfer_url(described), described["accounts"]["evm"][2]["address"]


def below(spans: list[ReceivedSpan], parent: ReceivedSpan) -> list[ReceivedSpan]:
    """All that is within a span, at any depth."""
    own = [each for each in spans if each.parent_id == parent.span_id]
    return own + [each for child in own for each in below(spans, child)]


async def test_a_quote_is_one_trace(
    sandbox: Sandbox, store_engine: AsyncEngine, two_bridges: list[Emulator], tmp_path: Path
) -> None:
    async with collecting() as collector:
        merged = [structlog.contextvars.merge_contextvars]
        service = toured_service(sandbox, store_engine, tmp_path, two_bridges, HERE, tracing(collector.url))
        async with service as running, asking(running) as (client, url, wallet):
            with capture_logs(processors=merged) as lines:
                answer = await client.get(url, headers={"traceparent": CALLER})
            quote, trace_id = await answer.json(), answer.headers["x-trace-id"]
            spans = await collector.trace(trace_id)
            assert answer.status == 200, quote
    assert trace_id not in CALLER, "a stranger's traceparent is nothing to us"
    (first,) = [each for each in spans if not each.parent_id]
    assert first.name == "GET /v1/quotes"
    assert first.attributes["rhumbline.request_id"] == answer.headers["x-request-id"]
    assert first.attributes["http.response.status_code"] == 200
    assert first.resource["service.name"] == "rhumbline"
    assert len(below(spans, first)) == len(spans) - 1, "every span is below the first"
    names = {each.name for each in spans}
    won = quote["adapter"]
    wanted = {
        "prepare", "gather", "populate", "quote ACROSS", "quote RELAY", "GET ACROSS", "POST RELAY", f"try {won}",
        f"build {won}", f"simulate {won}", "store transfer", "INSERT builds",
    }  # fmt: skip
    assert wanted - names == set()
    asked = next(each for each in spans if each.name == "quote ACROSS")
    assert "GET ACROSS" in {each.name for each in below(spans, asked)}
    simulation = next(each for each in spans if each.name == f"simulate {won}")
    nodes = [each for each in below(spans, simulation) if each.attributes.get("chain") == "sbxa"]
    assert {each.attributes["purpose"] for each in nodes} >= {"simulation"}
    assert all(first.began_ns <= each.began_ns <= each.ended_ns <= first.ended_ns for each in spans)
    # The log lines of the request lead to the trace.
    logged = [line for line in lines if line.get("request_id") == answer.headers["x-request-id"]]
    assert {line["event"] for line in logged} >= {"request", "adapter_called"}
    assert {line.get("trace_id") for line in logged} == {trace_id}
    # Nothing of the request but its name and what it was about; the collector's secret goes in a header alone.
    assert {each["authorization"] for each in collector.headers} == {f"Bearer {TOKEN}"}
    said = b"".join(collector.bodies).lower()
    for secret in (wallet, wallet[2:], TOKEN, "250000000", client.headers["x-api-key"], "127.0.0.1", "://"):
        assert secret.lower().encode() not in said, secret
    assert TOKEN not in repr(lines) + repr(tracing(collector.url))


async def test_a_collector_that_takes_nothing_changes_no_answer(
    sandbox: Sandbox, store_engine: AsyncEngine, two_bridges: list[Emulator], tmp_path: Path
) -> None:
    async with collecting() as collector:
        collector.status = 401
        with capture_logs() as lines:
            service = toured_service(sandbox, store_engine, tmp_path, two_bridges, HERE, tracing(collector.url))
            async with service as running, asking(running) as (client, url, _):
                assert (await client.get(url)).status == 200
                for _ in range(PATIENCE):
                    if any(line["event"] == "traces_not_taken" for line in lines):
                        break
                    await asyncio.sleep(0.05)
                assert (await client.get(url)).status == 200
    assert collector.bodies
    assert not collector.spans
    assert [line["event"] for line in lines if line["event"].startswith("traces_")] == ["traces_not_taken"]
