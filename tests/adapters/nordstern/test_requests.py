"""What goes out is exactly what Nordstern documents, and what comes back is read exactly."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rhumbline.adapters.nordstern import SPEC
from rhumbline.domain.adapter import Capability
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.gateways.evm.address import checksummed
from tests.adapters.nordstern.stub_upstream import (
    ETHER,
    ETHEREUM,
    EXECUTOR,
    RECEIVER,
    REQUEST,
    USDC,
    WALLET,
    WETH,
    StubUpstream,
    recorded_call,
)

GUARD = "0xa929c559E5e6537359680F39CB4E3708E1a14dd1"
OUTPUT, MINIMUM = 2_345_678_901, 2_333_952_852


async def test_the_request(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    (asked,) = stub_upstream.upstream.asked
    assert (asked.method, asked.path, asked.body) == ("GET", "/aggregator/1", "")
    assert asked.query == {
        "src": WETH.address,
        "dst": USDC.address,
        "amount": "1000000000000000000",
        "from": EXECUTOR,
        "slippage": "0.4999",
    }
    assert asked.headers["referer"] == "https://swap.example/"
    assert (quote.adapter, quote.output_amount, quote.min_output_amount) == ("NORDSTERN", OUTPUT, MINIMUM)
    assert (quote.gas_units, quote.price_impact_bps, quote.native_fee, quote.fees) == (287_411, None, 0, ())
    assert MINIMUM >= OUTPUT * 9950 // 10_000


async def test_the_call_is_the_answers_own_and_asks_nothing_more(stub_upstream: StubUpstream) -> None:
    built = await stub_upstream.adapter.build(await stub_upstream.adapter.quote(REQUEST))
    assert built == EvmTransaction(1, GUARD, 0, recorded_call(), GUARD)
    assert built.kind is CallKind.CALL
    assert len(stub_upstream.upstream.asked) == 1


async def test_the_upstream_is_told_who_is_paid_not_who_calls(stub_upstream: StubUpstream) -> None:
    with pytest.raises(UpstreamFailed, match="another receiver"):
        await stub_upstream.adapter.quote(replace(REQUEST, taker=WALLET, payout_address=RECEIVER))
    assert stub_upstream.upstream.asked[0].query["from"] == RECEIVER


async def test_the_native_asset_goes_by_its_marker(stub_upstream: StubUpstream) -> None:
    with pytest.raises(UpstreamFailed, match="another input token"):
        await stub_upstream.adapter.quote(replace(REQUEST, origin_token=ETHER))
    assert stub_upstream.upstream.asked[0].query["src"] == "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"


@pytest.mark.parametrize(
    ("slippage", "percent"),
    [
        (Fraction(1, 10**6), "0"),
        (Fraction(19, 10**7), "0"),
        (Fraction(1, 1000), "0.0999"),
        (Fraction(1, 100), "0.9999"),
        (Fraction(12345678, 10**9), "1.2344"),
        (Fraction(1, 10), "9.9999"),
        (Fraction(3, 2), "99.9999"),
    ],
)
async def test_slippage_is_a_percentage_rounded_down_and_a_millionth_less(
    stub_upstream: StubUpstream, slippage: Fraction, percent: str
) -> None:
    # The recorded minimum is for half a percent: enough for the looser ones, too little for the tighter.
    if slippage < Fraction(5, 1000):
        with pytest.raises(UpstreamFailed, match="minimum"):
            await stub_upstream.adapter.quote(replace(REQUEST, slippage=slippage))
    else:
        await stub_upstream.adapter.quote(replace(REQUEST, slippage=slippage))
    assert stub_upstream.upstream.asked[0].query["slippage"] == percent


async def test_what_cannot_be_asked_for_is_not_asked(stub_upstream: StubUpstream) -> None:
    for slippage in (Fraction(0), Fraction(9, 10**7)):
        with pytest.raises(SlippageTooTight, match=r"0\.0001 %"):
            await stub_upstream.adapter.quote(replace(REQUEST, slippage=slippage))
    with pytest.raises(NoRoute, match="so large"):
        await stub_upstream.adapter.quote(replace(REQUEST, amount=2**128))
    with pytest.raises(RequestRejected, match="positive"):
        await stub_upstream.adapter.quote(replace(REQUEST, amount=0))
    with pytest.raises(NoRoute):
        await stub_upstream.adapter.quote(replace(REQUEST, destination_token=WETH))
    assert not stub_upstream.upstream.asked


async def test_who_an_operator_is_to_nordstern() -> None:
    assert dict(SPEC.headers({})) == {}
    assert dict(SPEC.headers({"referer": "https://swap.example/"})) == {"Referer": "https://swap.example/"}
    assert (SPEC.needs, SPEC.optional_credentials) == ((), ("referer",))


@pytest.mark.parametrize("minimum", [None, 0, -1, OUTPUT + 1])
async def test_without_a_minimum_nothing_is_built(stub_upstream: StubUpstream, minimum: int | None) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    with pytest.raises(RequestRejected, match="min_output_amount"):
        await stub_upstream.adapter.build(replace(quote, min_output_amount=minimum))


async def test_more_than_is_guaranteed_is_refused_to_the_unit(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    assert (await stub_upstream.adapter.build(replace(quote, min_output_amount=MINIMUM - 1))).data
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


def test_it_says_who_it_is(stub_upstream: StubUpstream) -> None:
    info = stub_upstream.adapter.info
    assert (info.key, info.name, info.capability) == ("NORDSTERN", "Nordstern", Capability.EXCHANGE)
    assert info.chains == tuple(sorted(SPEC.deployments))


def test_the_built_in_data_is_well_formed() -> None:
    assert all(place.guard == checksummed(place.guard) for place in SPEC.deployments.values())
