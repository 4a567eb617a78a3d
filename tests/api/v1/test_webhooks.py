"""An integrator's webhooks over HTTP: what is shown, changed and refused."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.webhook import DEFAULT_TYPES
from rhumbline.tracking.webhooks.endpoints import MOST
from rhumbline.tracking.webhooks.queue import DeliveryQueue
from tests.api.record_streams import Streams, running_streams
from tests.tracking.record_events.test_store import added, done
from tests.tracking.test_listing import row

HOOKS = "/v1/webhooks"
URL = {"url": "https://example.com/hooks"}
NOBODYS = "wh_0123456789abcdef"


@pytest.fixture
async def streams(store_engine: AsyncEngine) -> AsyncIterator[Streams]:
    async with running_streams(store_engine) as running:
        yield running


async def post(streams: Streams, path: str, body: Any = None, key: str | None = "rl_live_acme") -> tuple[int, Any]:
    headers = {} if key is None else {"x-api-key": key}
    async with streams.session.post(streams.url + path, json={} if body is None else body, headers=headers) as response:
        return response.status, await response.json()


async def test_a_webhook_is_added_listed_and_removed(streams: Streams) -> None:
    status, made = await post(streams, HOOKS, URL)
    assert (status, made["enabled"], made["events"]) == (200, True, list(DEFAULT_TYPES))
    assert made.pop("secret").startswith("whsec_")
    assert await streams.json(HOOKS) == {"webhooks": [made]}
    assert await streams.json(HOOKS, "rl_live_other") == {"webhooks": []}
    status, rotated = await post(streams, f"{HOOKS}/{made['id']}/rotate", {"overlapSec": 60})
    assert (status, rotated["secret"][:6]) == (200, "whsec_")
    assert await post(streams, f"{HOOKS}/{made['id']}/remove") == (200, {"id": made["id"]})
    assert await streams.json(HOOKS) == {"webhooks": []}


async def test_deliveries_are_shown_and_made_once_more(streams: Streams, store_engine: AsyncEngine) -> None:
    _, made = await post(streams, HOOKS, {**URL, "events": ["transaction.final"]})
    one = f"{HOOKS}/{made['id']}"
    await done(store_engine, added(row(1)))
    await DeliveryQueue(store_engine).fill()
    (first,) = (await streams.json(f"{one}/deliveries"))["deliveries"]
    assert (first["number"], first["type"], first["state"], first["attempts"]) == (
        2,
        "transaction.final",
        "pending",
        [],
    )
    status, again = await post(streams, f"{one}/deliveries/{first['id']}/resend")
    assert (status, again["number"]) == (200, 2)
    status, test = await post(streams, f"{one}/test")
    assert (status, test["number"], test["type"]) == (200, None, "webhook.test")
    shown = await streams.json(f"{one}/deliveries?limit=2")
    assert [each["id"] for each in shown["deliveries"]] == [test["id"], again["id"]]
    older = await streams.json(f"{one}/deliveries?before={again['id']}")
    assert [each["id"] for each in older["deliveries"]] == [first["id"]]
    status, enabled = await post(streams, f"{one}/enable")
    assert (status, enabled["enabled"]) == (200, True)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "url"),
        ({"url": 5}, "url"),
        ({"url": "http://example.com"}, "url"),
        ({"url": "https://127.0.0.1/"}, "url"),
        ({"url": "https://169.254.169.254/latest"}, "url"),
        ({**URL, "events": []}, "events"),
        ({**URL, "events": ["transaction.lost"]}, "events"),
        ({**URL, "events": "transaction.final"}, "events"),
        ([], "body"),
    ],
)
async def test_bad_input_is_named(streams: Streams, body: Any, field: str) -> None:
    status, error = await post(streams, HOOKS, body)
    assert (status, error["code"]) == (400, "VALIDATION_ERROR")
    assert error["details"]["message"][0].startswith(field)


@pytest.mark.parametrize("overlap", [-1, 1.5, "x", True, 10**9])
async def test_an_overlap_is_bounded(streams: Streams, overlap: Any) -> None:
    _, made = await post(streams, HOOKS, URL)
    status, error = await post(streams, f"{HOOKS}/{made['id']}/rotate", {"overlapSec": overlap})
    assert (status, error["details"]["message"][0][:10]) == (400, "overlapSec")


async def test_there_are_only_so_many(streams: Streams) -> None:
    """Also of a hundred that are added at once."""
    answers = await asyncio.gather(*(post(streams, HOOKS, URL) for _ in range(100)))
    assert sorted(status for status, _ in answers) == [200] * MOST + [400] * (100 - MOST)
    assert len((await streams.json(HOOKS))["webhooks"]) == MOST
    assert (await post(streams, HOOKS, URL, "rl_live_other"))[0] == 200


async def test_anothers_webhook_looks_like_none(streams: Streams) -> None:
    _, made = await post(streams, HOOKS, URL)
    for webhook in (made["id"], NOBODYS, "x" * 50, "%00"):
        for what in ("rotate", "remove", "enable", "test", "deliveries/1/resend"):
            status, error = await post(streams, f"{HOOKS}/{webhook}/{what}", {}, "rl_live_other")
            assert (status, error["code"]) == (404, "NOT_FOUND")
    assert (await post(streams, f"{HOOKS}/{made['id']}/deliveries/99999999999999999999/resend"))[0] == 404
    assert (await post(streams, f"{HOOKS}/{made['id']}/deliveries/1/resend"))[0] == 404


@pytest.mark.parametrize("key", [None, "rl_live_x"])
async def test_a_key_is_needed(streams: Streams, key: str | None) -> None:
    assert (await post(streams, HOOKS, URL, key))[0] == 401
