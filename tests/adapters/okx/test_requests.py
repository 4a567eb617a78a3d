"""What goes out is exactly what OKX documents, signed, and what comes back is read exactly."""

import base64
import hmac
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256

import pytest

from rhumbline.adapters.okx import SPEC
from rhumbline.adapters.okx.client import Seal
from rhumbline.adapters.okx.deployments import SOLANA
from rhumbline.domain.adapter import Capability
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.gateways.evm.address import checksummed
from tests.adapters.okx.stub_upstream import (
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
    StubUpstream,
    recorded_call,
)

ROUTER = "0x8feAB81D36E7576107D5dE0758c1b839Be31B4F6"
TOKEN_APPROVED_BY = "0x40aA958dd87FC8305b97f2BA922CDdCa374bcD7f"
DAI = "0x6B175474E89094C44Da98b954EedeAC495271d0F"
OUTPUT, MINIMUM, DEADLINE = 2_345_678_901, 2_333_950_506, 1_795_240_000


async def test_the_request(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    (asked,) = stub_upstream.upstream.asked
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


async def test_the_call_is_signed_as_it_leaves(stub_upstream: StubUpstream) -> None:
    await stub_upstream.adapter.quote(REQUEST)
    (asked,) = stub_upstream.upstream.asked
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


def test_the_secret_shows_nowhere(stub_upstream: StubUpstream) -> None:
    for shown in (
        repr(stub_upstream.adapter),
        repr(stub_upstream.adapter.context),
        repr(Seal("undertow", lambda: NOW)),
    ):
        assert "undertow" not in shown
    assert "undertow" not in str(dict(SPEC.headers(CREDENTIALS)))
    assert (SPEC.needs, SPEC.optional_credentials) == (("key", "secret", "passphrase"), ("project",))
    assert SPEC.headers({**CREDENTIALS, "project": "p"})["OK-ACCESS-PROJECT"] == "p"


async def test_the_call_is_the_answers_own_and_asks_nothing_more(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    built = await stub_upstream.adapter.build(quote)
    assert built == EvmTransaction(
        1, ROUTER, 0, recorded_call(), TOKEN_APPROVED_BY, sweep_tokens=(DAI,), expires_at=DEADLINE
    )
    assert built.kind is CallKind.CALL
    assert len(stub_upstream.upstream.asked) == 1


async def test_the_wallet_itself_is_named_as_the_caller(stub_upstream: StubUpstream) -> None:
    with pytest.raises(UpstreamFailed, match="another caller"):
        await stub_upstream.adapter.quote(replace(REQUEST, taker=WALLET, payout_address=RECEIVER))
    query = stub_upstream.upstream.asked[0].query
    assert (query["userWalletAddress"], query["swapReceiverAddress"]) == (WALLET, RECEIVER)


async def test_the_native_asset_goes_by_its_marker(stub_upstream: StubUpstream) -> None:
    with pytest.raises(UpstreamFailed, match="another input token"):
        await stub_upstream.adapter.quote(replace(REQUEST, origin_token=ETHER))
    assert stub_upstream.upstream.asked[0].query["fromTokenAddress"] == "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"


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
async def test_slippage_is_a_percentage_rounded_down(
    stub_upstream: StubUpstream, slippage: Fraction, percent: str
) -> None:
    # The recorded minimum is for half a percent: enough for the looser ones, too little for the tighter.
    if slippage < Fraction(5, 1000):
        with pytest.raises(UpstreamFailed, match="minimum"):
            await stub_upstream.adapter.quote(replace(REQUEST, slippage=slippage))
    else:
        await stub_upstream.adapter.quote(replace(REQUEST, slippage=slippage))
    assert stub_upstream.upstream.asked[0].query["slippagePercent"] == percent


@pytest.mark.parametrize("minimum", [None, 0, -1, OUTPUT + 1])
async def test_without_a_minimum_nothing_is_built(stub_upstream: StubUpstream, minimum: int | None) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    with pytest.raises(RequestRejected, match="min_output_amount"):
        await stub_upstream.adapter.build(replace(quote, min_output_amount=minimum))


async def test_more_than_is_guaranteed_is_refused_to_the_unit(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    built = await stub_upstream.adapter.build(replace(quote, min_output_amount=MINIMUM - 1))
    assert isinstance(built, EvmTransaction)
    assert built.data
    with pytest.raises(SlippageTooTight):
        await stub_upstream.adapter.build(replace(quote, min_output_amount=MINIMUM + 1))


def test_what_is_supported(stub_upstream: StubUpstream) -> None:
    supports = stub_upstream.adapter.supports
    assert supports(REQUEST)
    assert supports(replace(REQUEST, taker=WALLET, payout_address=RECEIVER)), "the wallet itself"
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


async def test_what_is_not_supported_is_not_asked(stub_upstream: StubUpstream) -> None:
    with pytest.raises(NoRoute):
        await stub_upstream.adapter.quote(replace(REQUEST, destination_token=WETH))
    with pytest.raises(RequestRejected, match="positive"):
        await stub_upstream.adapter.quote(replace(REQUEST, amount=0))
    assert not stub_upstream.upstream.asked


def test_it_says_who_it_is(stub_upstream: StubUpstream) -> None:
    info = stub_upstream.adapter.info
    assert (info.key, info.name, info.capability) == ("OKX", "OKX DEX", Capability.EXCHANGE)
    assert info.chains == tuple(sorted(SPEC.deployments))


def test_the_built_in_data_is_well_formed() -> None:
    for number, place in SPEC.deployments.items():
        if number == SOLANA:
            continue
        addresses = (*place.routers, place.token_approve)
        assert addresses == tuple(map(checksummed, addresses))
        assert place.token_approve not in place.routers
