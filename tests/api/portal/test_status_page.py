"""``/status`` and ``/status.json`` over HTTP."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rhumbline.accounts.rate_limits import RateScope
from rhumbline.domain.service_status import AdapterStatus, NamedScorecard, NodeState, PausedPart, UpstreamState
from tests.api.v1.test_scorecards import CARD
from tests.domain.test_service_status import CHAIN, WELL
from tests.portal_fixture import ServedPortal


async def test_the_page_and_the_json_tell_the_same(portal: ServedPortal) -> None:
    silent = replace(CHAIN, id=10, key="op", name="Optimism", node=NodeState.SILENT, head=None, head_age_s=None)
    late = replace(CHAIN, id=137, key="pol", name="Polygon", node=NodeState.LATE, head_age_s=7300, followed=False)
    paused = PausedPart("ACROSS", "eth", "Across on Ethereum", WELL.at, "we move house")
    scored = NamedScorecard("Across", "Ethereum", "Base", CARD)
    portal.world.service = replace(WELL, chains=(CHAIN, silent, late), paused=(paused,), scorecards=(scored,))
    page = await portal.visitor().get("/status")
    assert (page.status, page.headers["cache-control"]) == (200, "no-store")
    for text in ("Some parts do not work", "2026-11-27 10:00:05 UTC", "21,000,000", "7 s", "3 blocks behind", "silent"):
        assert text in page.text, text
    for text in ("not known", "late", "2 h", "not followed", "Transfers by Across", "Ethereum", "Optimism"):
        assert text in page.text, text
    for text in ("Paused by the operator", "Across on Ethereum", "2026-11-27 10:00 UTC</span>: we move house"):
        assert text in page.text, text
    for text in (
        "Ethereum – Base",
        "amount too low: 2",
        "2, of which failed: 1",
        "−0.1234%",
        "75 sec, promised 60 sec",
    ):
        assert text in page.text, text
    found = await portal.visitor().ask("GET", "/status.json")
    told: Any = dict(found.json)
    (score,) = told.pop("scorecards")
    assert (score["adapter"], score["executions"]["deviationBps"]) == ("ACROSS", "-12.34")
    assert (found.status, found.headers["content-type"]) == (200, "application/json")
    assert (found.headers["access-control-allow-origin"], found.headers["cache-control"]) == ("*", "no-store")
    eth = {
        "id": "1", "key": "eth", "name": "Ethereum", "node": "answering", "head": 21_000_000, "headAgeSeconds": 7,
        "followed": True, "behind": 3,
    }  # fmt: skip
    assert told == {
        "status": "degraded",
        "timestamp": "2026-11-27T10:00:05.000Z",
        "store": True,
        "clock": True,
        "chains": [
            eth,
            {
                **eth,
                "id": "10",
                "key": "op",
                "name": "Optimism",
                "node": "silent",
                "head": None,
                "headAgeSeconds": None,
            },
            {
                **eth,
                "id": "137",
                "key": "pol",
                "name": "Polygon",
                "node": "late",
                "headAgeSeconds": 7300,
                "followed": False,
            },
        ],
        "adapters": [{"key": "ACROSS", "name": "Across", "state": "answering"}],
        "transfers": [{"key": "ACROSS", "name": "Across", "waiting": 2}],
        "push": {"delivering": True, "waiting": 0, "retrying": 0},
        "paused": [
            {
                "adapter": "ACROSS",
                "chain": "eth",
                "name": "Across on Ethereum",
                "since": "2026-11-27T10:00:05.000Z",
                "reason": "we move house",
            }
        ],
    }


async def test_names_are_text(portal: ServedPortal) -> None:
    """Whatever an operator calls a chain."""
    name = '<img src=x onerror="alert(1)"><script>alert(1)</script>'
    adapter = AdapterStatus("X", name, UpstreamState.BREAKER_OPEN)
    paused = PausedPart(None, None, name, WELL.at, name)
    chains = (replace(CHAIN, name=name),)
    portal.world.service = replace(WELL, chains=chains, adapters=(adapter,), paused=(paused,))
    page = (await portal.visitor().get("/status")).text
    assert "<img src=x" not in page
    assert "<script" not in page
    assert page.count("&lt;img src=x") == 4


async def test_a_store_that_is_away_is_said(portal: ServedPortal) -> None:
    portal.world.service = replace(WELL, store_ok=False, transfers=None, push=None)
    page = await portal.visitor().get("/status")
    assert page.status == 200
    assert "Not available" in page.text
    assert "Not known at the moment" in page.text
    found: Mapping[str, object] = (await portal.visitor().get("/status.json")).json
    assert (found["status"], found["store"], found["transfers"], found["push"]) == ("unavailable", False, None, None)


async def test_it_counts_by_address_and_apart_from_all_else(portal: ServedPortal, counted: list[RateScope]) -> None:
    page, found = [await portal.visitor().get(path) for path in ("/status", "/status.json")]
    assert [(each.status, each.headers["retry-after"]) for each in (page, found)] == [(429, "7")] * 2
    assert counted == [RateScope.STATUS] * 2
    assert "Reload this page in 7 s" in page.text
    assert "came from your address" in found.json["error"]


async def test_the_front_page_links_to_it_in_its_language(portal: ServedPortal) -> None:
    front = await portal.visitor().ask("GET", "/", headers={"accept-language": "fr"})
    assert '<a href="/status">État du service</a></p>' in front.text
