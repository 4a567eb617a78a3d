"""A record as a row of the table, whatever became of it."""

import re
from html import unescape

import pytest

from rhumbline.domain.tracking import RecordAmount, RouteType, TransferState
from rhumbline.tracking.store import add_records
from tests.api.api_service import ETH, USDC
from tests.api.portal.test_views import HOME, NAME, owner
from tests.portal_fixture import BEGIN, ServedPortal
from tests.tracking.test_listing import hash_of, row


def fee(raw: int, token: str = USDC, symbol: str = "USDC", decimals: int = 6) -> RecordAmount:
    return RecordAmount(token, raw, symbol, decimals)


async def seen(portal: ServedPortal, number: int, **changes: object) -> None:
    async with portal.engine.begin() as connection:
        await add_records(connection, [row(number, **{"integrator": NAME, "origin_time": BEGIN, **changes})])


CROSSING: dict[str, object] = {
    "route_type": RouteType.BRIDGE,
    "protocol": "ACROSS",
    "destination_chain_id": 8453,
    "input": RecordAmount(USDC, 5_000_000, "USDC", 6),
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
        ("refunded", "refunded failed, and was sent back", "nothing"),
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
        "Ethereum to Base with Across",
        "5 USDC",
        received,
        "none",
        badge,
        f"{hash_of(1)[:10]}… by 0x5e5e…5e5e",
    ]


async def test_what_arrived_of_a_transfer_is_told_with_its_transaction(portal: ServedPortal) -> None:
    """The destination's hash is linked on the destination's explorer; the bridge's page only where it is https."""
    visitor = await owner(portal)
    there = RecordAmount(USDC, 4_990_000, "USDbC", 6)
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
    assert cells(page, 4)[1] == "Base to 424242 with Across"
    assert f"/tx/{hash_of(78)}" not in page
    # A swap's destination is its source.
    assert cells(page, 5)[1] == "Ethereum"
    assert cells(page, 5)[3] == "…"
    assert "arrived" not in cells(page, 5)[6]
