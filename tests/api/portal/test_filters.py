"""Filters of the portal's tables: each alone and all together; what cannot be read is refused by its name."""

import csv
import io
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import quote, urlencode

from rhumbline.api.portal import records
from rhumbline.domain.tracking import TransferState
from tests.api.api_service import USDC, USDT
from tests.api.portal.season import COUNT, spent
from tests.api.portal.test_rows import seen
from tests.api.portal.test_views import HOME, owner
from tests.portal_fixture import BEGIN, ServedPortal, Visitor

ABSURD = (
    ("status", "nonsense"),
    ("chain", "9" * 40),
    ("chain", "-1"),
    ("token", "NOPE"),
    ("token", "0x" + "1" * 41),
    ("from", "2026-02-30"),
    ("from", "20260101"),
    ("from", "0001-01-01"),
    ("to", "9999-12-31"),
    ("to", "tomorrow"),
    ("cursor", "x"),
    ("cursor", "9" * 18 + ".a"),
    ("cursor", "1." + "a" * 300),
)


async def test_records_are_filtered_and_a_bad_cursor_is_refused(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    await seen(portal, 1)
    await seen(portal, 2, status=TransferState.BRIDGE_FAILED)
    page = await visitor.get(f"{HOME}/transactions?status=bridge_failed")
    assert page.text.count('<td class="mono"') == 1
    assert "bridge failed</span>" in page.text
    assert (await visitor.get(f"{HOME}/transactions?cursor=nonsense")).status == 400


async def looked_up(owner: Visitor, query: str = "") -> list[dict[str, str]]:
    answer = await owner.get(f"{HOME}/transactions.csv{query}")
    assert answer.status == 200, answer.text
    return list(csv.DictReader(io.StringIO(answer.text, newline="")))


async def test_each_filter_and_all_together(portal: ServedPortal) -> None:
    owner = await spent(portal)
    everything = await looked_up(owner)
    assert len(everything) == COUNT
    days = (BEGIN - timedelta(days=20)).date(), (BEGIN - timedelta(days=3)).date()
    tests: dict[str, tuple[str, Callable[[dict[str, str]], bool]]] = {
        "status": ("bridge_failed", lambda each: each["status"] == "bridge_failed"),
        "chain": ("8453", lambda each: "8453" in (each["origin_chain_id"], each["destination_chain_id"])),
        "token": ("usdbc", lambda each: ("8453", USDC) in sides(each)),
        "from": (days[0].isoformat(), lambda each: each["time"][:10] >= days[0].isoformat()),
        "to": (days[1].isoformat(), lambda each: each["time"][:10] <= days[1].isoformat()),
    }
    for name, (value, holds) in tests.items():
        found = await looked_up(owner, f"?{name}={value}")
        assert found == [each for each in everything if holds(each)], name
        assert 0 < len(found) < COUNT, name
    query = urlencode({name: value for name, (value, _) in tests.items() if name != "status"})
    expected = [each for each in everything if all(tests[name][1](each) for name in ("chain", "token", "from", "to"))]
    assert expected
    assert await looked_up(owner, f"?{query}") == expected
    page = await owner.get(f"{HOME}/transactions?{query}")
    assert page.text.count('data-label="Transactions"') == min(len(expected), records.PAGE)
    assert f'value="{days[0].isoformat()}"' in page.text
    assert len(await looked_up(owner, f"?token={USDT.lower()}")) > 0


def sides(each: dict[str, str]) -> set[tuple[str, str]]:
    there = each["destination_chain_id"] or each["origin_chain_id"]
    return {(each["origin_chain_id"], each["paid_token"]), (there, each["received_token"])}


async def test_an_absurd_filter_is_refused_by_its_name(portal: ServedPortal) -> None:
    owner = await spent(portal)
    for name, value in ABSURD:
        paths = ["/transactions", "/transactions.csv", *(["/fees"] if name in {"chain", "token"} else [])]
        for path in paths:
            answer = await owner.get(f"{HOME}{path}?{name}={quote(value)}")
            assert (answer.status, f"{name}: " in answer.text) == (400, True), (name, value, path, answer.text)
        assert 'name="status"' in (await owner.get(f"{HOME}/transactions?{name}={quote(value)}")).text


async def test_days_are_in_order_and_fees_of_a_known_span(portal: ServedPortal) -> None:
    owner = await spent(portal)
    answer = await owner.get(f"{HOME}/transactions?from=2026-11-02&to=2026-11-01")
    assert (answer.status, "to: must not be before from" in answer.text) == (400, True)
    answer = await owner.get(f"{HOME}/fees?days=100000")
    assert (answer.status, "days: must be one of 7, 30, 90" in answer.text) == (400, True)
