"""Looking transactions and fees up by status, chain, token and day, and taking them along as CSV."""

import csv
import io
import re
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import quote, urlencode

import pytest

from rhumbline.api.portal import records
from rhumbline.api.portal.csv_export import HEADER
from rhumbline.domain.tracking import KeptAmount
from rhumbline.tracking.store import add_records
from tests.api.api_service import SOLANA, USDC, USDT
from tests.portal.conftest import BEGIN, ServedPortal, Visitor
from tests.portal.season import COUNT, HOME, NAME, spent
from tests.tracking.test_listing import row


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


async def test_pages_keep_the_filter_and_end(portal: ServedPortal) -> None:
    owner = await spent(portal)
    path, seen = f"{HOME}/transactions?chain=base&from=2026-01-01", 0
    for _ in range(COUNT):
        page = (await owner.get(path)).text
        seen += page.count('data-label="Transactions"')
        following = re.search(r'href="([^"]+)">Older', page)
        if following is None:
            break
        path = following[1].replace("&amp;", "&")
        assert "chain=base&from=2026-01-01" in path
    assert seen == len(await looked_up(owner, "?chain=base"))
    beyond = await owner.get(f"{HOME}/transactions?cursor=1.0")
    assert (beyond.status, "there are no older ones" in beyond.text, ">Newest<" in beyond.text) == (200, True, True)
    nothing = await owner.get(f"{HOME}/transactions?to=2020-01-01")
    assert (nothing.status, "Nothing is like this" in nothing.text) == (200, True)


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


@pytest.mark.parametrize(("name", "value"), ABSURD)
async def test_an_absurd_filter_is_refused_by_its_name(portal: ServedPortal, name: str, value: str) -> None:
    owner = await spent(portal)
    for path in ("/transactions", "/transactions.csv"):
        answer = await owner.get(f"{HOME}{path}?{name}={quote(value)}")
        assert (answer.status, f"{name}: " in answer.text) == (400, True), answer.text
    assert 'name="status"' in (await owner.get(f"{HOME}/transactions?{name}={quote(value)}")).text
    if name in {"chain", "token"}:
        answer = await owner.get(f"{HOME}/fees?{name}={quote(value)}")
        assert (answer.status, f"{name}: " in answer.text) == (400, True)


async def test_days_are_in_order_and_fees_of_a_known_span(portal: ServedPortal) -> None:
    owner = await spent(portal)
    answer = await owner.get(f"{HOME}/transactions?from=2026-11-02&to=2026-11-01")
    assert (answer.status, "to: must not be before from" in answer.text) == (400, True)
    answer = await owner.get(f"{HOME}/fees?days=100000")
    assert (answer.status, "days: must be one of 7, 30, 90" in answer.text) == (400, True)


async def test_a_file_of_nothing_has_its_header(portal: ServedPortal) -> None:
    owner = await spent(portal)
    answer = await owner.get(f"{HOME}/transactions.csv?to=2020-01-01")
    assert answer.text == ",".join(HEADER) + "\r\n"
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == f'attachment; filename="{NAME}-transactions.csv"'
    assert answer.headers["cache-control"] == "no-store"


async def test_a_file_is_its_owner_s_alone_and_bounded(portal: ServedPortal, monkeypatch: pytest.MonkeyPatch) -> None:
    await spent(portal)
    stranger = portal.visitor(2)
    assert (await stranger.get(f"{HOME}/transactions.csv")).status == 303
    await stranger.sign_in()
    assert (await stranger.get(f"{HOME}/transactions.csv")).status == 404
    monkeypatch.setattr(records, "MOST_ROWS", COUNT - 1)
    owner = portal.visitor(1)
    await owner.sign_in()
    answer = await owner.get(f"{HOME}/transactions.csv")
    assert (answer.status, "choose a shorter time" in answer.text) == (400, True)
    assert (await owner.get(f"{HOME}/transactions.csv?chain=8453")).status == 200


async def test_what_strangers_write_is_no_formula_in_the_file(portal: ServedPortal) -> None:
    """The bridge's name stands for whatever text comes from outside."""
    owner = await spent(portal)
    hostile = '=HYPERLINK("https://evil.example"),"x'
    record = row(7000, integrator=NAME, origin_time=BEGIN, protocol=hostile, input=KeptAmount(USDC, 1, "=1", 6))
    async with portal.engine.begin() as connection:
        await add_records(connection, [record])
    found = await looked_up(owner, "?from=2026-11-21")
    assert [each["by"] for each in found if "HYPERLINK" in each["by"]] == ["'" + hostile]


async def test_fees_are_shown_by_day_chain_and_token_with_their_value(portal: ServedPortal) -> None:
    owner = await spent(portal)
    everything = await looked_up(owner)
    page = (await owner.get(f"{HOME}/fees?days=90")).text
    paid = [
        each for each in everything if each["fee_usd"] and (each["kind"] == "bridge" or each["status"] == "success")
    ]
    cents = sum(int(each["fee_usd"].replace(".", "")) for each in paid) // 10**4
    assert f'<dd class="figure">${cents // 100:,}.{cents % 100:02d}</dd>' in page
    for words in ("Value by day", "By chain", "By token", "Amounts on Base", "had no price when they were paid"):
        assert words in page
    narrow = (await owner.get(f"{HOME}/fees?days=90&chain=base&token=usdbc")).text
    assert "Amounts on Base" in narrow
    assert "Amounts on Ethereum" not in narrow
    assert "Nothing is like this" in (await owner.get(f"{HOME}/fees?chain={SOLANA.id}")).text
