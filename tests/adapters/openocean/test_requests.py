"""What goes out is exactly what OpenOcean documents, and what comes back is read exactly."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rhumbline.adapters.openocean import SPEC
from rhumbline.adapters.openocean.adapter import OpenOceanAdapter
from rhumbline.domain.adapter import Capability
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, quantity
from tests.adapters.openocean.stub_upstream import (
    ETHER,
    ETHEREUM,
    EXECUTOR,
    RECEIVER,
    REQUEST,
    USDC,
    WALLET,
    WETH,
    StubUpstream,
    said,
)

EXCHANGE = "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64"
OUTPUT, MINIMUM = 2_345_678_901, 2_333_950_506


async def test_the_request(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    (asked,) = stub_upstream.upstream.asked
    assert (asked.method, asked.path) == ("GET", "/v4/eth/swap")
    assert asked.query == {
        "inTokenAddress": WETH.address,
        "outTokenAddress": USDC.address,
        "amountDecimals": "1000000000000000000",
        "gasPriceDecimals": str(quantity(await stub_upstream.node.call("eth_gasPrice"))),
        "slippage": "0.5",
        "sender": EXECUTOR,
        "account": EXECUTOR,
        "disableRfq": "true",
    }
    assert asked.headers["referer"] == "https://swap.example/"
    assert asked.headers["origin"] == "https://swap.example"
    assert (quote.adapter, quote.output_amount, quote.min_output_amount) == ("OPENOCEAN", OUTPUT, MINIMUM)
    assert (quote.gas_units, quote.price_impact_bps, quote.native_fee, quote.fees) == (287_411, 14, 0, ())


async def test_the_call_is_the_answers_own_and_asks_nothing_more(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    built = await stub_upstream.adapter.build(quote)
    assert built == EvmTransaction(1, EXCHANGE, 0, bytes.fromhex(said()["data"]["data"][2:]), EXCHANGE)
    assert built.kind is CallKind.CALL
    assert len(stub_upstream.upstream.asked) == 1


async def test_the_wallet_itself_is_named_as_the_caller(stub_upstream: StubUpstream) -> None:
    with pytest.raises(UpstreamFailed, match="another receiver"):
        await stub_upstream.adapter.quote(replace(REQUEST, taker=WALLET, payout_address=RECEIVER))
    query = stub_upstream.upstream.asked[0].query
    assert (query["sender"], query["account"]) == (WALLET, RECEIVER)


async def test_the_native_asset_goes_by_its_marker(stub_upstream: StubUpstream) -> None:
    with pytest.raises(UpstreamFailed, match="another input token"):
        await stub_upstream.adapter.quote(replace(REQUEST, origin_token=ETHER))
    assert stub_upstream.upstream.asked[0].query["inTokenAddress"] == "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"


@pytest.mark.parametrize(
    ("slippage", "percent"),
    [
        (Fraction(5, 10_000), "0.05"),
        (Fraction(59, 100_000), "0.05"),
        (Fraction(1, 100), "1"),
        (Fraction(1234, 100_000), "1.23"),
        (Fraction(1, 10), "10"),
        (Fraction(9, 10), "50"),
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
    assert stub_upstream.upstream.asked[0].query["slippage"] == percent


async def test_less_slippage_than_it_takes_is_not_asked_for(stub_upstream: StubUpstream) -> None:
    for slippage in (Fraction(0), Fraction(4999, 10_000_000)):
        with pytest.raises(SlippageTooTight, match=r"0\.05 %"):
            await stub_upstream.adapter.quote(replace(REQUEST, slippage=slippage))
    assert not stub_upstream.upstream.asked


async def test_who_an_operator_is_to_openocean() -> None:
    assert dict(SPEC.headers({})) == {}
    assert dict(SPEC.headers({"api_key": "k"})) == {"apikey": "k"}
    page = {"Referer": "https://swap.example/", "Origin": "https://swap.example"}
    assert dict(SPEC.headers({"referer": "https://swap.example/"})) == page
    deep = {"Referer": "https://swap.example:8443/app?x=1", "Origin": "https://swap.example:8443"}
    assert dict(SPEC.headers({"referer": deep["Referer"]})) == deep
    assert (SPEC.needs, SPEC.needs_one, SPEC.page) == ((), ("api_key", "referer"), "referer")


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


async def test_without_a_node_there_is_no_gas_price_and_no_question(stub_upstream: StubUpstream) -> None:
    dead = EvmRpc("http://127.0.0.1:9/secret", stub_upstream.node.http, "dead", 1.0)
    adapter = OpenOceanAdapter(replace(stub_upstream.adapter.context, rpcs={1: dead}))
    with pytest.raises(UpstreamFailed, match="gas price") as failed:
        await adapter.quote(REQUEST)
    assert "secret" not in failed.value.reason
    assert not stub_upstream.upstream.asked


def test_what_is_supported(stub_upstream: StubUpstream) -> None:
    supports = stub_upstream.adapter.supports
    assert supports(REQUEST)
    assert supports(replace(REQUEST, taker=WALLET, payout_address=RECEIVER)), "the wallet itself"
    unknown, solana = replace(ETHEREUM, id=424242), replace(ETHEREUM, type=ChainType.SVM)
    base = replace(ETHEREUM, id=8453)
    refused: list[QuoteRequest] = [
        replace(REQUEST, destination=unknown),
        replace(REQUEST, origin=unknown, destination=unknown),
        replace(REQUEST, origin=base, destination=base),
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
    assert (info.key, info.name, info.capability, info.chains) == ("OPENOCEAN", "OpenOcean", Capability.EXCHANGE, (1,))


def test_the_built_in_data_is_well_formed() -> None:
    places = SPEC.deployments
    assert len({place.chain_name for place in places.values()}) == len(places)
    assert all(place.exchange == checksummed(place.exchange) for place in places.values())
