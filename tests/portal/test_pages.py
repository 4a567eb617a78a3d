"""What every page carries, and what the pages show of records, fees and usage."""

import re
from datetime import timedelta
from html import unescape

import asyncpg
import pytest

from rhumbline.api.portal.earnings import MOST_UNLISTED
from rhumbline.api.portal.records import PAGE
from rhumbline.api.portal.services import Usage
from rhumbline.domain.tracking import KeptAmount, RouteType, TransferState, UncheckedFee
from rhumbline.tracking.collected_fees import CollectedFees, DayFees
from rhumbline.tracking.store import add_records
from tests.api.api_service import BASE, ETH, USDC, USDT
from tests.portal.conftest import BEGIN, ServedPortal
from tests.portal.test_forms import HOME, NAME, PAGES, owner
from tests.tracking.test_listing import hash_of, row

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
}

NODES = tuple(dict.fromkeys("/".join(url.split("/")[:3]) for chain in (ETH, BASE) for url in chain.rpc_urls))


def fee(raw: int, token: str = USDC, symbol: str = "USDC", decimals: int = 6) -> KeptAmount:
    return KeptAmount(token, raw, symbol, decimals)


async def seen(portal: ServedPortal, number: int, **changes: object) -> None:
    async with portal.engine.begin() as connection:
        await add_records(connection, [row(number, **{"integrator": NAME, "origin_time": BEGIN, **changes})])


@pytest.mark.parametrize("path", ["/", "/portal", *(HOME + page for page in PAGES), "/portal/nowhere"])
async def test_a_page_is_sealed(portal: ServedPortal, path: str) -> None:
    """The policy is strict, and the page needs nothing that it forbids."""
    visitor = await owner(portal)
    page = await visitor.get(path)
    assert page.status == (404 if path.endswith("nowhere") else 200)
    policy = dict(part.strip().split(" ", 1) for part in page.headers["content-security-policy"].split(";"))
    # The front page may ask the public nodes, to see what became of a transfer; no page of the portal may.
    nodes = "".join(f" {origin}" for origin in NODES) if path == "/" else ""
    assert policy == POLICY | {"connect-src": "'self'" + nodes}
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["referrer-policy"] == "same-origin"
    assert page.headers["cross-origin-opener-policy"] == "same-origin"
    assert page.headers["cache-control"] == ("no-cache" if path == "/" else "no-store")
    assert "access-control-allow-origin" not in page.headers
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", page.text)
    assert re.findall(r"<script[^>]*>", page.text) == re.findall(
        r'<script type="module" src="/assets/[^"]+">', page.text
    )
    assert not re.findall(r'(?:src|href|action)="(?!/|#)[^"]*"', page.text)
    assert page.text.count("<h1>") == 1
    assert '<html lang="en">' in page.text
    for asset in re.findall(r'"(/assets/[^"]+)"', page.text):
        file = await visitor.get(asset)
        assert (file.status, file.headers["cache-control"]) == (200, "public, max-age=31536000, immutable")
        assert file.headers["content-type"].partition(";")[0] in {"text/css", "text/javascript", "image/svg+xml"}
    assert (await visitor.ask("HEAD", path)).status == page.status


async def test_files_of_another_version_are_answered_and_not_kept(portal: ServedPortal) -> None:
    visitor = portal.visitor()
    answer = await visitor.get("/assets/0123456789abcdef/chart.css")
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-cache")
    for path in (
        "/assets/x/../../server.py",
        "/assets/x/%2e%2e%2fpages.py",
        "/assets/x/front.html",
        "/assets/x/nothing.css",
    ):
        assert (await visitor.get(path)).status == 404


async def test_no_page_is_part_of_the_api(portal: ServedPortal) -> None:
    paths = set((await portal.visitor().get("/openapi.json")).json["paths"])
    assert not {path for path in paths if path == "/" or path.startswith(("/portal", "/assets"))}


async def test_records_are_listed_page_by_page(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    for number in range(PAGE * 2 + 3):
        await seen(
            portal, number, origin_time=BEGIN + timedelta(minutes=number), input=fee(number), integrator_fee=fee(1)
        )
    await seen(portal, 900, integrator="Stranger")
    path, hashes = f"{HOME}/transactions", []
    for count in (PAGE, PAGE, 3):
        page = await visitor.get(path)
        found = re.findall(r'<td class="mono" data-label="Transactions" title="(0x[0-9a-f]{64})"', page.text)
        assert len(found) == count
        hashes += found
        following = re.search(r'href="([^"]+cursor=[^"]+)">Older', page.text)
        path = following[1].replace("&amp;", "&") if following else ""
    assert path == ""
    assert len(set(hashes)) == PAGE * 2 + 3
    assert hashes == sorted(hashes, reverse=True)
    assert f"https://explorer.example/tx/{hashes[0]}" in (await visitor.get(f"{HOME}/transactions")).text


async def test_records_are_filtered_and_a_bad_cursor_is_refused(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    await seen(portal, 1)
    await seen(portal, 2, status=TransferState.BRIDGE_FAILED)
    page = await visitor.get(f"{HOME}/transactions?status=bridge_failed")
    assert page.text.count('<td class="mono"') == 1
    assert "bridge failed</span>" in page.text
    assert (await visitor.get(f"{HOME}/transactions?cursor=nonsense")).status == 400


CROSSING: dict[str, object] = {
    "route_type": RouteType.BRIDGE,
    "protocol": "ACROSS",
    "destination_chain_id": 8453,
    "input": KeptAmount(USDC, 5_000_000, "USDC", 6),
}


def cells(page: str, number: int) -> list[str]:
    """The words of the row of a record, cell by cell."""
    (found,) = (row for row in re.findall(r"<tr>(.*?)</tr>", page, re.S) if f'title="{hash_of(number)}"' in row)
    return [
        " ".join(unescape(re.sub(r"<[^>]+>", " ", cell)).split())
        for cell in re.findall(r"<td[^>]*>(.*?)</td>", found, re.S)
    ]


@pytest.mark.parametrize("path", ["", "/transactions"])
@pytest.mark.parametrize(
    ("state", "badge", "received"),
    [
        ("success", "success", "not told"),
        ("recovered", "recovered arrived otherwise than ordered", "not told"),
        ("bridge_pending", "bridge pending on its way", "not yet"),
        ("refund_pending", "refund pending failed, the refund is on its way", "nothing"),
        ("refunded", "refunded failed, and went back to the sender", "nothing"),
        ("bridge_failed", "bridge failed did not arrive", "nothing"),
        ("unknown", "unknown nobody can say what became of it", "not known"),
    ],
)
async def test_a_transfer_says_where_it_went_and_how_it_stands(
    portal: ServedPortal, path: str, state: str, badge: str, received: str
) -> None:
    visitor = await owner(portal)
    await seen(portal, 1, **CROSSING, status=TransferState(state))
    page = (await visitor.get(HOME + path)).text
    assert cells(page, 1)[1:] == [
        "Ethereum → to Base with ACROSS",
        "5 USDC",
        received,
        "none",
        badge,
        f"{hash_of(1)[:10]}… by 0x5e5e…5e5e",
    ]


async def test_what_arrived_of_a_transfer_is_told_with_its_transaction(portal: ServedPortal) -> None:
    """The destination's hash is linked on the destination's explorer; the bridge's page only where it is https."""
    visitor = await owner(portal)
    there = KeptAmount(USDC, 4_990_000, "USDbC", 6)
    arrived = {
        **CROSSING,
        "origin_chain_id": 8453,
        "destination_chain_id": 1,
        "destination_tx_hash": hash_of(77),
        "output": there,
    }
    await seen(portal, 1, **arrived, bridge_scan_url="https://scan.example/1")
    await seen(portal, 2, **arrived, bridge_scan_url="javascript:alert(1)//https://")
    await seen(portal, 3, **arrived, bridge_scan_url="http://scan.example/3")
    await seen(portal, 4, **{**arrived, "destination_chain_id": 424242, "destination_tx_hash": hash_of(78)})
    await seen(portal, 5, destination_chain_id=1, destination_tx_hash=hash_of(5))
    page = (await visitor.get(f"{HOME}/transactions")).text
    plain = f"{hash_of(1)[:10]}… by 0x5e5e…5e5e arrived in {hash_of(77)[:10]}…"
    # As the lists call it, whatever the record has.
    assert cells(page, 1)[3] == "4.99 USDC"
    assert cells(page, 1)[6] == f"{plain} the bridge’s page"
    assert cells(page, 2)[6] == cells(page, 3)[6].replace(hash_of(3)[:10], hash_of(2)[:10])
    assert "bridge’s page" not in cells(page, 2)[6]
    assert re.findall(r'href="([^"]+)"[^>]*>the bridge’s', page) == ["https://scan.example/1"]
    assert page.count(f'href="{ETH.explorer_url}/tx/{hash_of(77)}"') == 3
    assert cells(page, 4)[1] == "Base → to 424242 with ACROSS"
    assert f"/tx/{hash_of(78)}" not in page
    # A swap's destination is its source.
    assert cells(page, 5)[1] == "Ethereum"
    assert cells(page, 5)[3] == "…"
    assert "arrived" not in cells(page, 5)[6]


@pytest.mark.parametrize("state", list(TransferState))
@pytest.mark.parametrize("kind", [RouteType.BRIDGE, RouteType.BRIDGE_SWAP])
async def test_the_fee_of_a_transfer_counts_whatever_becomes_of_it(
    portal: ServedPortal, state: TransferState, kind: RouteType
) -> None:
    """It is paid where the transfer starts, in the transaction that starts it; a refund does not bring it back."""
    visitor = await owner(portal)
    await seen(portal, 1, **CROSSING | {"route_type": kind}, status=state, integrator_fee=fee(41))
    await seen(portal, 2, integrator_fee=fee(1))
    await seen(portal, 3, **CROSSING, status=state, integrator_fee=None)
    await seen(portal, 4, **CROSSING, status=state, integrator_fee=UncheckedFee(USDC, ((USDT, 1000),)))
    today = BEGIN.date()
    found = await portal.services.collected.of(NAME, BEGIN - timedelta(days=1))
    assert found == (CollectedFees(1, USDC, "USDC", 6, 42, 2, (DayFees(today, 42, 2),)),)
    page = (await visitor.get(f"{HOME}/fees")).text
    assert "0.000042 USDC" in page
    assert "from 2 transactions" in page
    assert page.count("<svg") == 1, "on the chain where it was paid, and not where the tokens went"


async def test_fees_count_when_they_were_paid(portal: ServedPortal) -> None:
    """To the wei, whatever the size; by chain and token; what failed or was not checked does not count."""
    huge = 2**255
    paid: tuple[dict[str, object], ...] = (
        {"integrator_fee": fee(huge)},
        {"integrator_fee": fee(huge + 1), "origin_time": BEGIN - timedelta(days=1)},
        {"integrator_fee": fee(5), "origin_time": BEGIN - timedelta(days=400)},
        {"integrator_fee": fee(7, USDT, "USDT")},
        {"integrator_fee": fee(3), "origin_chain_id": 8453},
        {"integrator_fee": fee(1000), "status": TransferState.BRIDGE_FAILED},
        {"integrator_fee": fee(1000), "integrator": "Stranger"},
        {"integrator_fee": UncheckedFee(USDC, ((USDT, 1000),))},
        {"integrator_fee": KeptAmount(USDC, 1000)},
        {"integrator_fee": None},
    )
    for number, changes in enumerate(paid):
        await seen(portal, number, **changes)
    since = BEGIN.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=29)
    today, yesterday = BEGIN.date(), BEGIN.date() - timedelta(days=1)
    assert await portal.services.collected.of(NAME, since) == (
        CollectedFees(1, USDC, "USDC", 6, 2 * huge + 6, 3, (DayFees(yesterday, huge + 1), DayFees(today, huge))),
        CollectedFees(1, USDT, "USDT", 6, 7, 1, (DayFees(today, 7),)),
        CollectedFees(8453, USDC, "USDbC", 6, 3, 1, (DayFees(today, 3),)),
    )
    assert await portal.services.collected.of("nobody", since) == ()
    visitor = await owner(portal)
    page = (await visitor.get(f"{HOME}/fees")).text
    assert page.count("<svg") == 3
    assert f"{today.isoformat()}: 0.000007 USDT" in page
    assert "0.000007 USDT" in (await visitor.get(HOME)).text


async def test_fees_in_a_token_that_calls_itself_usdc_are_no_usdc(portal: ServedPortal) -> None:
    """Anybody can deploy one and have it paid to the integrator's wallet: it stands apart, by its address."""
    visitor = await owner(portal)
    fake = "0x" + "Fa" * 20
    await seen(portal, 1, integrator_fee=fee(3_000_000), input=fee(9_000_000, fake))
    await seen(portal, 2, integrator_fee=fee(200_000_000 * 10**6, fake))
    table = (await visitor.get(f"{HOME}/transactions")).text
    assert (cells(table, 1)[2], cells(table, 1)[4]) == ("9 0xFaFa…FaFa", "3 USDC")
    assert cells(table, 2)[4] == "200,000,000 0xFaFa…FaFa"
    await seen(portal, 3, integrator_fee=fee(10**6, fake))
    for number in range(4, 4 + MOST_UNLISTED + 4):
        await seen(portal, number, integrator_fee=fee(1, f"0x{number:040x}"))
    for page in ("", "/fees"):
        text = (await visitor.get(HOME + page)).text
        assert "3 USDC" in text
        assert "200,000,000 USDC" not in text
    overview, fees = (await visitor.get(HOME)).text, (await visitor.get(HOME + "/fees")).text
    assert fake not in overview
    assert f'200,000,001</strong> of <span class="mono whole">{fake}' in fees
    assert "from 2 transactions" in fees
    assert fees.count("<svg") == 1
    assert fees.count('of <span class="mono whole">') == MOST_UNLISTED
    assert "and 5 more" in fees


async def test_usage_is_shown_where_it_is_known(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    await portal.services.accounts.create_key(NAME)
    assert "cannot be told" in (await visitor.get(f"{HOME}/keys")).text
    portal.world.used = (Usage("Quotes", 1500, 2000, BEGIN), Usage("Other requests", 0, 600, None))
    page = (await visitor.get(f"{HOME}/keys")).text
    assert "1,500 of 2,000" in page
    assert "until 12:00:00 UTC" in page
    assert 'aria-label="Other requests: 0 of 600 used"' in page


async def test_while_the_store_is_down_pages_say_so(portal: ServedPortal, postgres_dsn: str) -> None:
    visitor, name = await owner(portal), portal.engine.url.database
    server = await asyncpg.connect(postgres_dsn)
    await portal.engine.dispose()
    await server.execute(f"ALTER DATABASE {name} RENAME TO away")
    try:
        for path in ("/portal", f"{HOME}/keys"):
            page = await visitor.get(path)
            assert (page.status, page.headers["retry-after"], "Not now" in page.text) == (503, "5", True)
        answer = await visitor.send_json("/portal/challenge", {"address": visitor.address})
        assert (answer.status, "try again shortly" in answer.json["error"]) == (503, True)
        assert (await visitor.get("/")).status == 200
    finally:
        await server.execute(f"ALTER DATABASE away RENAME TO {name}")
        await server.close()
    assert "Your integrators" in (await visitor.get("/portal")).text
