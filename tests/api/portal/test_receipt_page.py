"""``/tx/<transactionId>``: what anybody sees of a transfer, and nothing more."""

from dataclasses import replace
from datetime import timedelta

import pytest

from rhumbline.accounts.rate_limits import RateScope
from rhumbline.api.pages.assets import Assets
from rhumbline.api.pages.language import ENGLISH
from rhumbline.api.pages.pages import Pages
from rhumbline.api.portal.receipts import receipt_of
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import RecordAmount, RouteType, TokenAmount, TransferState, UncheckedFee
from rhumbline.tracking.listing import Listing
from rhumbline.tracking.store import add_records
from tests.api.api_service import BASE, ETH, USDC, public_record
from tests.portal_fixture import BEGIN, ServedPortal
from tests.tracking.test_listing import hash_of, row

ID = "0x" + "ab" * 32
SENDER, RECEIVER, WALLET = ("0x" + each * 20 for each in ("5e", "7c", "11"))


async def seen(portal: ServedPortal, **changes: object) -> None:
    crossing = row(
        1,
        transaction_id=ID,
        integrator="Compass",
        sender=SENDER,
        receiver=RECEIVER,
        route_type=RouteType.BRIDGE,
        protocol="ACROSS",
        origin_time=BEGIN,
        destination_chain_id=8453,
        destination_tx_hash=hash_of(77),
        destination_time=BEGIN + timedelta(seconds=9),
        input=RecordAmount(USDC, 5_000_000),
        output=RecordAmount(USDC, 4_990_000),
        service_fee=UncheckedFee(USDC, ((WALLET, 5000),)),
        bridge_scan_url="https://bridge.example/tx/1",
    )
    async with portal.engine.begin() as connection:
        await add_records(connection, [replace(crossing, **changes)])  # type: ignore[arg-type]


async def test_anybody_sees_what_the_chains_show(portal: ServedPortal) -> None:
    await seen(portal)
    answer = await portal.visitor().get(f"/tx/{ID.upper().replace('0X', '0x')}")
    assert answer.status == 200
    for text in (
        "Arrived",
        "5 USDC",
        "4.99 USDbC",
        ETH.name,
        BASE.name,
        hash_of(1),
        hash_of(77),
        ID,
        "0.005 USDC",
        "after 9 s",
    ):
        assert text in answer.text, text
    assert 'href="https://bridge.example/tx/1" rel="noreferrer"' in answer.text
    assert "data-follow" not in answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-robots-tag"] == "noindex"


async def test_it_tells_nothing_of_who_sent_it_and_through_whom(portal: ServedPortal) -> None:
    await seen(portal)
    page = (await portal.visitor().get(f"/tx/{ID}")).text.lower()
    for private in ("compass", SENDER, RECEIVER, WALLET, "rl_"):
        assert private not in page


@pytest.mark.parametrize("state", [TransferState.BRIDGE_PENDING, TransferState.REFUND_PENDING, TransferState.UNKNOWN])
async def test_what_is_under_way_is_followed(portal: ServedPortal, state: TransferState) -> None:
    await seen(portal, status=state, output=None, destination_tx_hash=None, destination_time=None)
    page = (await portal.visitor().get(f"/tx/{ID}")).text
    assert f'data-follow="{ID}" data-updated="2026-11-21T12:00:00.000Z"' in page
    assert "Swap the same" not in page


@pytest.mark.parametrize(
    "scan", ["javascript:alert(1)", "http://bridge.example/1", 'https://x/"><script>alert(1)</script>']
)
async def test_what_an_upstream_says_is_text(portal: ServedPortal, scan: str) -> None:
    hostile = "0x" + "9a" * 20
    symbol = "<img src=x onerror=alert(1)>"
    await seen(portal, bridge_scan_url=scan, protocol="<b>ACROSS</b>", output=RecordAmount(hostile, 7, symbol, 0))
    page = (await portal.visitor().get(f"/tx/{ID}")).text
    assert "<img src=x" not in page
    assert "<b>ACROSS" not in page
    assert "<script>alert" not in page
    assert 'href="javascript' not in page
    assert 'href="http:' not in page
    # On no list: it is called by its address.
    assert "7 0x9a9a…9a9a" in page


def test_names_of_tokens_and_chains_are_text() -> None:
    """Whatever a list, or an operator, calls them."""
    name = '<img src=x onerror="alert(1)">\u202e"><script>alert(1)</script>'
    token = Token(1, USDC, name, 6, name, name)
    here = replace(ETH, name=name, explorer_url='https://explorer.example/"><script>')
    paid = TokenAmount(1, USDC, name, 6, 1_000_000)
    record = replace(public_record(), input=paid, output=paid, service_fee=paid)
    shown = receipt_of(ENGLISH, ChainCatalog((here,)), TokenCatalog((here,), [token], {}), {}, record)
    values = {"receipt": shown, "address": f"https://x.example/tx/{name}", "problem": None, "missing": False}
    page = bytes(Pages(name, Assets()).page("receipt.html", values | {"identifier": None}).body).decode()
    assert "<img src=x" not in page
    assert "<script>alert" not in page
    assert page.count("&lt;img src=x") > 6
    # What they turn around is within their own bounds.
    assert page.count("<bdi") >= 4


@pytest.mark.parametrize("name", ["nope", ID[:-1], ID + "0", "%3Cscript%3Ealert(1)", "a%00b", "x" * 300])
async def test_what_is_no_id_is_said_to_be_none(portal: ServedPortal, name: str) -> None:
    answer = await portal.visitor().get(f"/tx/{name}")
    assert answer.status == 404
    assert "This is no tracking ID" in answer.text
    assert "<script>alert" not in answer.text
    assert "data-follow" not in answer.text


async def test_an_unknown_id_is_waited_for(portal: ServedPortal) -> None:
    answer = await portal.visitor().get(f"/tx/{ID}")
    assert answer.status == 404
    assert "Not seen yet" in answer.text
    assert f'data-follow="{ID}"' in answer.text


async def test_without_a_store_it_says_when_to_come_back(portal: ServedPortal, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(self: Listing, transaction_id: str) -> None:
        raise StoreUnavailable("The store does not answer")

    monkeypatch.setattr(Listing, "seen", away)
    answer = await portal.visitor().get(f"/tx/{ID}")
    assert (answer.status, answer.headers["retry-after"]) == (503, "5")
    assert "Reload this page in 5 s" in answer.text


async def test_it_counts_as_the_status_does(portal: ServedPortal, counted: list[RateScope]) -> None:
    answer = await portal.visitor().get(f"/tx/{ID}")
    assert (answer.status, answer.headers["retry-after"]) == (429, "7")
    assert counted == [RateScope.OTHER]
    assert "Too much at once" in answer.text
