"""The metrics, read over HTTP from their own port."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from importlib.metadata import version
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.types import ASGIApp, Scope

from rhumbline.accounts.admission import Admission
from rhumbline.api.http.connections import Bounds, Places
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.domain.errors import Overloaded
from rhumbline.gateways.loop_watch import LoopWatch
from tests.api.api_service import ApiService
from tests.api.limited_service import ask
from tests.api.metrics.every_metric import documented, every_metric, labels_of

SECRET = "rl_live_do-not-show-me"


async def samples(url: str) -> dict[tuple[str, ...], float]:
    """Each sample by its name and the values of its labels, by the labels' names."""
    text = (await ask(url, "/metrics")).json
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_requests_are_counted_by_template_method_and_status(
    service: str, watching: str, api_service: ApiService
) -> None:
    for path, method in (
        ("/v1/chains", "GET"),
        ("/v1/chains?chainTypes=EVM", "GET"),
        ("/v1/chains", "HEAD"),
        ("/v1/chains", "POST"),
        ("/v1/chains", "PROPFIND"),
        (f"/v1/transactions/0x{'ab' * 32}", "GET"),
        ("/v1/quotes", "GET"),
        ("/nowhere/at/all", "GET"),
        ("/health/ready", "GET"),
    ):
        await ask(service, path, method=method)
    api_service.dependencies = {"store": "gone"}
    await ask(service, "/health/ready")
    seen = await samples(watching)
    counted = {key[1:]: value for key, value in seen.items() if key[0] == "rhumbline_http_requests_total"}
    assert counted == {
        ("GET", "/v1/chains", "200"): 3,
        ("POST", "/v1/chains", "405"): 1,
        ("OTHER", "/v1/chains", "405"): 1,
        ("GET", "/v1/transactions/{lookupKey}", "401"): 1,
        ("GET", "/v1/quotes", "400"): 1,
        ("GET", "unmatched", "404"): 1,
        ("GET", "/health/ready", "200"): 1,
        ("GET", "/health/ready", "503"): 1,
    }
    assert seen["rhumbline_http_request_seconds_count", "/v1/chains"] == 5
    assert seen["rhumbline_http_requests_in_flight",] == 0


async def serve_one(app: ASGIApp, scope: Scope, channel: Callable[..., Awaitable[Any]]) -> None:
    await app(scope, channel, channel)


class SlowApiService(ApiService):
    """A api_service that is asked whether it is ready, and does not say so until it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.go_on = asyncio.Event(), asyncio.Event()

    async def ready(self) -> Mapping[str, str]:
        self.reached.set()
        await self.go_on.wait()
        return self.dependencies


async def test_adapters_and_chains(metrics: ServiceMetrics, watching: str) -> None:
    metrics.called("ONCHAIN", "quote", "answered", 0.03)
    metrics.called("ONCHAIN", "quote", "no_route", 0.3)
    metrics.called("ONCHAIN", "build", "answered", 0.002)
    metrics.followed("base", 120, 119)
    metrics.followed("base", 130, 128)
    seen = await samples(watching)
    assert seen["rhumbline_adapter_calls_total", "ONCHAIN", "quote", "answered"] == 1
    assert seen["rhumbline_adapter_calls_total", "ONCHAIN", "quote", "no_route"] == 1
    assert seen["rhumbline_adapter_call_seconds_count", "ONCHAIN", "quote"] == 2
    assert seen["rhumbline_adapter_call_seconds_bucket", "ONCHAIN", "quote", "0.05"] == 1
    assert seen["rhumbline_chain_head_block", "base"] == 130
    assert seen["rhumbline_tracking_next_block", "base"] == 128


async def test_nothing_that_a_client_sends_becomes_a_label(service: str, watching: str) -> None:
    for path in (f"/{SECRET}", f"/v1/transactions/{SECRET}", f"/v1/token?chain=1&token={SECRET}", f"/v1/{SECRET}"):
        await ask(service, path, x_api_key=SECRET, x_request_id=SECRET, user_agent=SECRET)
    text = (await ask(watching, "/metrics")).json
    assert "do-not-show-me" not in text
    assert "127.0.0.1" not in text
    assert text.count("rhumbline_http_requests_total{") <= 4


def test_two_services_in_a_process_do_not_mix() -> None:
    one, other = ServiceMetrics(), ServiceMetrics()
    one.followed("base", 2, 1)
    assert one.registry.get_sample_value("rhumbline_chain_head_block", {"chain": "base"}) == 2
    assert other.registry.get_sample_value("rhumbline_chain_head_block", {"chain": "base"}) is None


async def test_connections_are_counted(api_service: ApiService, metrics: ServiceMetrics, watching: str) -> None:
    places = Places(Bounds(2, 1))
    metrics.watch(places)
    held = places.take("203.0.113.1")
    assert held is not None
    assert places.take("203.0.113.1") is None
    found = await samples(watching)
    assert found["rhumbline_http_connections",] == 1
    assert found["rhumbline_http_connections_refused_total", "address"] == 1
    assert found["rhumbline_http_connections_refused_total", "all"] == 0
    assert found["rhumbline_http_connections_made_room_total",] == 0
    held.free()
    assert (await samples(watching))["rhumbline_http_connections",] == 0


async def test_what_is_in_progress_is_told_and_how_late_the_loop_is() -> None:
    metrics, admission = ServiceMetrics(), Admission(1)
    metrics.watch_load(admission, LoopWatch())
    with await admission.enter("a"), pytest.raises(Overloaded):
        await admission.enter("b")
    told = {
        ("rhumbline_quotes", "state", "in_progress"): 0,
        ("rhumbline_quotes", "state", "waiting"): 0,
        ("rhumbline_quotes", "state", "bound"): 1,
        ("rhumbline_quotes_entered_total", "outcome", "admitted"): 1,
        ("rhumbline_quotes_entered_total", "outcome", "refused"): 1,
    }
    for (name, label, value), number in told.items():
        assert metrics.registry.get_sample_value(name, {label: value}) == number
    for name in ("rhumbline_loop_late_seconds", "rhumbline_loop_held_up_seconds_total"):
        assert metrics.registry.get_sample_value(name) == 0


def test_each_call_of_a_node_is_counted_by_endpoint_method_and_purpose() -> None:
    """As providers bill them: each of a batch."""
    metrics = ServiceMetrics()
    metrics.asked_node("base", "own", ["eth_getLogs", "eth_getLogs", "eth_blockNumber"], "tracking", "answered", 0.02)
    metrics.asked_node("base", "own", ["eth_call"], "quotes", "failed", 1.0)
    metrics.compared_node("base", "own", 17, False)

    def count(method: str, purpose: str, outcome: str) -> float | None:
        labels = {"chain": "base", "node": "own", "method": method, "purpose": purpose, "outcome": outcome}
        return metrics.registry.get_sample_value("rhumbline_node_calls_total", labels)

    assert count("eth_getLogs", "tracking", "answered") == 2
    assert count("eth_blockNumber", "tracking", "answered") == 1
    assert count("eth_call", "quotes", "failed") == 1
    place = {"chain": "base", "node": "own"}
    assert metrics.registry.get_sample_value("rhumbline_node_head_block", place) == 17
    assert metrics.registry.get_sample_value("rhumbline_node_asked", place) == 0
    place["purpose"] = "tracking"
    assert metrics.registry.get_sample_value("rhumbline_node_request_seconds_count", place) == 1


def test_dependencies_the_pool_transfers_and_the_version() -> None:
    metrics, answers = ServiceMetrics(), [True]
    metrics.watch_dependencies({"store": lambda: answers[0]}, {"in_use": lambda: 3, "idle": lambda: 2})
    metrics.awaited({"ACROSS": 4, "RELAY": 0})
    metrics.awaited({"ACROSS": 5})
    value = metrics.registry.get_sample_value
    assert value("rhumbline_dependency_up", {"dependency": "store"}) == 1
    answers[0] = False
    assert value("rhumbline_dependency_up", {"dependency": "store"}) == 0
    assert value("rhumbline_store_connections", {"use": "in_use"}) == 3
    assert value("rhumbline_transfers_pending", {"adapter": "ACROSS"}) == 5
    assert value("rhumbline_transfers_pending", {"adapter": "RELAY"}) is None
    assert value("rhumbline_build_info", {"version": version("rhumbline")}) == 1


def test_the_page_has_every_metric_with_its_labels() -> None:
    assert documented() == labels_of(every_metric())


def test_names_follow_the_conventions_of_prometheus() -> None:
    """Words in lower case with one prefix, base units as their end, a help for each."""
    for family in every_metric().registry.collect():
        assert family.documentation, family.name
        assert re.fullmatch(r"(rhumbline|process|python_gc)(_[a-z]+)+", family.name), family.name
        assert not re.search(r"_(ms|millis|milliseconds|minutes|hours|kb|mb|percent|count|sum|bucket)$", family.name)
        assert family.type in ("counter", "gauge", "histogram", "info"), family.name


async def test_what_clients_send_makes_no_series(service: str, watching: str) -> None:
    """But by the status that it leads to, of which there are few."""

    async def series_after(word: str) -> set[tuple[str, ...]]:
        for path in (
            f"/{word}",
            f"/v1/{word}",
            f"/v1/transactions/{word}",
            f"/v1/quotes?integrator={word}",
            "/v1/chains",
        ):
            await ask(service, path, method=word, x_api_key=word, user_agent=word, x_request_id=word)
            await ask(service, path, x_api_key=word, host=f"{word}.example")
        return {key[:-1] if key[0].startswith("rhumbline_http_requests_") else key for key in await samples(watching)}

    first, *others = [await series_after(f"ODD{number}") for number in range(4)]
    assert others == [first] * 3
