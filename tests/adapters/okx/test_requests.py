"""What goes out is exactly what OKX documents, signed, and what comes back is read exactly."""

import base64
import hmac
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.okx import BLUEPRINT
from rhumbline.adapters.okx.adapter import impact_bps
from rhumbline.adapters.okx.client import Seal
from rhumbline.domain.adapter import Capability
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.gateways.evm.address import checksummed
from tests.adapters.okx.shop import (
    CREDENTIALS,
    ETHER,
    ETHEREUM,
    EXECUTOR,
    NOW,
    RECEIVER,
    REQUEST,
    USDC,
    WALLET,
    WETH,
    Shop,
    recorded_call,
)

ROUTER = "0x8feAB81D36E7576107D5dE0758c1b839Be31B4F6"
TOKEN_APPROVED_BY = "0x40aA958dd87FC8305b97f2BA922CDdCa374bcD7f"
DAI = "0x6B175474E89094C44Da98b954EedeAC495271d0F"
OUTPUT, MINIMUM, DEADLINE = 2_345_678_901, 2_333_950_506, 1_795_240_000


async def test_the_request(shop: Shop) -> None:
    quote = await shop.adapter.quote(REQUEST)
    (asked,) = shop.upstream.asked
    assert (asked.method, asked.path, asked.body) == ("GET", "/api/v6/dex/aggregator/swap", "")
    assert asked.query == {
        "chainIndex": "1",
        "amount": "1000000000000000000",
        "swapMode": "exactIn",
        "fromTokenAddress": WETH.address.lower(),
        "toTokenAddress": USDC.address.lower(),
        "slippagePercent": "0.5",
        "userWalletAddress": EXECUTOR,
        "swapReceiverAddress": EXECUTOR,
        "disableRFQ": "true",
    }
    assert (quote.adapter, quote.output_amount, quote.min_output_amount) == ("OKX", OUTPUT, MINIMUM)
    assert (quote.gas_units, quote.price_impact_bps, quote.native_fee, quote.fees) == (287_411, 14, 0, ())


async def test_the_call_is_signed_as_it_leaves(shop: Shop) -> None:
    await shop.adapter.quote(REQUEST)
    (asked,) = shop.upstream.asked
    target = asked.path + "?" + "&".join(f"{name}={value}" for name, value in asked.query.items())
    signed = f"2026-11-21T04:00:00.123ZGET{target}".encode()
    signature = base64.b64encode(hmac.digest(b"undertow", signed, sha256)).decode()
    sent = {name: value for name, value in asked.headers.items() if name.startswith("ok-access")}
    assert sent == {
        "ok-access-key": "harbour",
        "ok-access-passphrase": "ebb and flow",
        "ok-access-sign": signature,
        "ok-access-timestamp": "2026-11-21T04:00:00.123Z",
    }
    assert "undertow" not in str(asked)


def test_a_known_signature() -> None:
    """By the documented recipe, worked out with another program (openssl dgst -sha256 -hmac)."""
    seal = Seal("undertow", lambda: NOW)
    found = seal("GET", "/api/v6/dex/aggregator/supported/chain?chainIndex=1", b"")
    assert found["OK-ACCESS-SIGN"] == "FHhIhrNro5RLkO6eAGijEPrxZOqq2IZmwMkbqmq5TFw="


def test_the_secret_shows_nowhere(shop: Shop) -> None:
    for shown in (repr(shop.adapter), repr(shop.adapter.parts), repr(Seal("undertow", lambda: NOW))):
        assert "undertow" not in shown
    assert "undertow" not in str(dict(BLUEPRINT.headers(CREDENTIALS)))
    assert (BLUEPRINT.needs, BLUEPRINT.takes) == (("key", "secret", "passphrase"), ("project",))
    assert BLUEPRINT.headers({**CREDENTIALS, "project": "p"})["OK-ACCESS-PROJECT"] == "p"


async def test_the_call_is_the_answers_own_and_asks_nothing_more(shop: Shop) -> None:
    quote = await shop.adapter.quote(REQUEST)
    built = await shop.adapter.build(quote)
    assert built == EvmTransaction(
        1, ROUTER, 0, recorded_call(), TOKEN_APPROVED_BY, leftovers=(DAI,), expires_at=DEADLINE
    )
    assert built.kind is CallKind.CALL
    assert len(shop.upstream.asked) == 1


async def test_the_wallet_itself_is_named_as_the_caller(shop: Shop) -> None:
    with pytest.raises(UpstreamFailed, match="another caller"):
        await shop.adapter.quote(replace(REQUEST, caller=WALLET, recipient=RECEIVER))
    query = shop.upstream.asked[0].query
    assert (query["userWalletAddress"], query["swapReceiverAddress"]) == (WALLET, RECEIVER)


async def test_the_native_asset_goes_by_its_marker(shop: Shop) -> None:
    with pytest.raises(UpstreamFailed, match="another input token"):
        await shop.adapter.quote(replace(REQUEST, origin_token=ETHER))
    assert shop.upstream.asked[0].query["fromTokenAddress"] == "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"


@pytest.mark.parametrize(
    ("slippage", "percent"),
    [
        (Fraction(0), "0"),
        (Fraction(1, 100_000), "0"),
        (Fraction(59, 100_000), "0.05"),
        (Fraction(1, 100), "1"),
        (Fraction(1234, 100_000), "1.23"),
        (Fraction(1, 10), "10"),
        (Fraction(3, 2), "100"),
    ],
)
async def test_slippage_is_a_percentage_rounded_down(shop: Shop, slippage: Fraction, percent: str) -> None:
    # The recorded minimum is for half a percent: enough for the looser ones, too little for the tighter.
    if slippage < Fraction(5, 1000):
        with pytest.raises(UpstreamFailed, match="minimum"):
            await shop.adapter.quote(replace(REQUEST, slippage=slippage))
    else:
        await shop.adapter.quote(replace(REQUEST, slippage=slippage))
    assert shop.upstream.asked[0].query["slippagePercent"] == percent


@pytest.mark.parametrize("minimum", [None, 0, -1, OUTPUT + 1])
async def test_without_a_minimum_nothing_is_built(shop: Shop, minimum: int | None) -> None:
    quote = await shop.adapter.quote(REQUEST)
    with pytest.raises(RequestRejected, match="min_output_amount"):
        await shop.adapter.build(replace(quote, min_output_amount=minimum))


async def test_more_than_is_guaranteed_is_refused_to_the_unit(shop: Shop) -> None:
    quote = await shop.adapter.quote(REQUEST)
    assert (await shop.adapter.build(replace(quote, min_output_amount=MINIMUM - 1))).data
    with pytest.raises(SlippageTooTight):
        await shop.adapter.build(replace(quote, min_output_amount=MINIMUM + 1))


def test_what_is_supported(shop: Shop) -> None:
    supports = shop.adapter.supports
    assert supports(REQUEST)
    assert supports(replace(REQUEST, caller=WALLET, recipient=RECEIVER)), "the wallet itself"
    unknown, solana = replace(ETHEREUM, id=424242), replace(ETHEREUM, type=ChainType.SVM)
    refused: list[QuoteRequest] = [
        replace(REQUEST, destination=unknown),
        replace(REQUEST, origin=unknown, destination=unknown),
        replace(REQUEST, origin=solana, destination=solana),
        replace(REQUEST, destination_token=WETH),
        replace(REQUEST, origin_token=ETHER, destination_token=WETH),
        replace(REQUEST, origin_token=WETH, destination_token=ETHER),
    ]
    assert not any(supports(request) for request in refused)


async def test_what_is_not_supported_is_not_asked(shop: Shop) -> None:
    with pytest.raises(NoRoute):
        await shop.adapter.quote(replace(REQUEST, destination_token=WETH))
    with pytest.raises(RequestRejected, match="positive"):
        await shop.adapter.quote(replace(REQUEST, amount=0))
    assert not shop.upstream.asked


def test_it_says_who_it_is(shop: Shop) -> None:
    info = shop.adapter.info
    assert (info.key, info.name, info.capability) == ("OKX", "OKX DEX", Capability.EXCHANGE)
    assert info.chains == tuple(sorted(BLUEPRINT.deployments))


def test_the_built_in_data_is_well_formed() -> None:
    for place in BLUEPRINT.deployments.values():
        addresses = (*place.routers, place.token_approve)
        assert addresses == tuple(map(checksummed, addresses))
        assert place.token_approve not in place.routers


@pytest.mark.parametrize(
    ("said_of_it", "bps"),
    [
        ("-0.19", 19),
        ("0.01", 0),
        ("0", 0),
        ("-0.0001", 1),
        ("-0.011", 2),
        ("-12", 1200),
        ("-100", 10_000),
        (Decimal("-0.07"), 7),
        (-1, 100),
        ("-101", None),
        ("--1", None),
        (".", None),
        ("", None),
        (None, None),
        (True, None),
        ("-0.1%", None),
        ("\u0663", None),
    ],
)
def test_the_price_impact(said_of_it: object, bps: int | None) -> None:
    assert impact_bps(said_of_it) == bps


@given(st.text() | st.decimals(allow_nan=False))
def test_a_price_impact_of_anything_does_no_harm(anything: object) -> None:
    found = impact_bps(anything)
    assert found is None or 0 <= found <= 10_000
