"""A receipt in words: what is known of a transfer, and what is not, whatever became of it."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from rhumbline.api.pages.language import ENGLISH
from rhumbline.api.portal.receipts import LIVE, Receipt, receipt_of
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.tracking import PublicRecord, TokenAmount, TransferState
from tests.api.api_service import BASE, ETH, NOW, SOLANA, TX_HASH, TX_ID, USDC, USDT, public_record
from tests.portal_fixture import TOKENS

CHAINS = ChainCatalog((ETH, BASE, SOLANA))
PAID = TokenAmount(1, USDC, "USDC", 6, 120_500_000, Decimal("120.5"))
GOT = TokenAmount(8453, USDC, "USDbC", 6, 120_307_279)
CROSSING: dict[str, Any] = {
    "protocol": "NEAR_INTENTS",
    "destination_chain_id": 8453,
    "destination_tx_hash": "0x" + "d1" * 32,
    "destination_time": NOW + timedelta(seconds=12),
    "input": PAID,
    "output": GOT,
    "output_raw": GOT.raw,
}


def receipt(**changes: Any) -> Receipt:
    record: PublicRecord = replace(public_record(), **changes)
    return receipt_of(ENGLISH, CHAINS, TOKENS, {"NEAR_INTENTS": "NEAR Intents"}, record)


def test_a_transfer_that_has_arrived() -> None:
    found = receipt(**CROSSING)
    assert (found.headline, found.tone, found.live, found.via) == ("Arrived", "good", False, "NEAR Intents")
    assert (found.sent.amount, found.sent.usd, found.sent.chain) == ("120.5 USDC", "$120.50", ETH.name)
    assert (found.received.amount, found.received.usd, found.received.chain) == ("120.307279 USDbC", None, BASE.name)
    assert (found.rate, found.took) == ("1 USDC = 0.9984006 USDbC", "12 sec")
    assert found.source.hash == TX_HASH
    assert found.arrival is not None
    assert found.arrival.hash == "0x" + "d1" * 32
    assert [(fee.kind, fee.amount) for fee in found.fees] == [
        ("Service fee", "1.5 USDC"),
        ("Integrator fee", "1.5 USDC"),
        ("Network fee", "0.00000000… ETH"),
    ]
    assert found.again == f"/?from=1%3A{USDC}&to=8453%3A{USDC}&amount=120.5"
    assert found.title == "120.5 USDC → 120.307279 USDbC: Arrived"
    assert found.transaction_id == TX_ID


@pytest.mark.parametrize("state", list(TransferState))
def test_each_status_has_its_words(state: TransferState) -> None:
    found = receipt(**CROSSING | {"output": None, "output_raw": None, "status": state})
    assert found.headline
    assert found.received.amount is None
    assert found.instead in {"not told", "not yet", "nothing", "not known"}
    assert (found.rate, found.again) == (None, None)
    assert found.live == (state in LIVE)
    # What did not arrive has taken no time, and was worth nothing.
    assert found.took is None or state is TransferState.SUCCESS


def test_a_swap_has_one_chain_and_one_transaction() -> None:
    found = receipt(input=PAID, output=TokenAmount(1, USDT, "USDT", 6, 119_000_000))
    assert (found.via, found.arrival, found.arrived_at, found.took) == (None, None, None, None)
    assert found.sent.chain == found.received.chain == ETH.name


def test_a_token_on_no_list_has_its_address_for_a_name() -> None:
    """Anybody can deploy a token that calls itself USDC."""
    stranger = "0x" + "9a" * 20
    found = receipt(**CROSSING | {"output": TokenAmount(8453, stranger, stranger, 18, 10**18)})
    assert found.received.amount == "1 0x9a9a…9a9a"
    assert found.received.logo == f"/logos/-/{stranger}.svg"
    assert found.rate == "1 USDC = 0.008298755 0x9a9a…9a9a"


@pytest.mark.parametrize(
    ("paid", "got", "rate"),
    [
        ((10**18, 18), (1, 18), "1 A = 0.000000000000000001 B"),
        ((1, 18), (10**30, 0), "1 A = 1,000,000,000,000,000,000,000,000,000,000,000,000,000,000,000,000 B"),
        ((3, 0), (1, 0), "1 A = 0.3333333 B"),
        ((0, 0), (1, 0), None),
    ],
)
def test_rates_are_cut_off_and_never_rounded_up(paid: tuple[int, int], got: tuple[int, int], rate: str | None) -> None:
    one, other = TokenAmount(1, USDC, "A", paid[1], paid[0]), TokenAmount(1, USDT, "B", got[1], got[0])
    assert receipt(input=one, output=other).rate == rate


def test_a_chain_that_is_gone_has_its_number() -> None:
    found = receipt(**CROSSING | {"destination_chain_id": 77, "output": None})
    assert (found.received.chain, found.received.chain_logo) == ("77", "/logos/77/77.svg")
