"""What exchanges are asked, what is supported, and what is built of their answers."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rhumbline.domain.adapter import Capability
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.transaction import CallKind
from tests.adapters.exchanges.exchange import STRANGER, Exchange
from tests.adapters.exchanges.exchanges import each_exchange, each_fixing, each_of
from tests.adapters.exchanges.stub_upstream import ETHER, ETHEREUM, RECEIVER, REQUEST, WALLET, WETH, StubUpstream


@each_exchange
async def test_the_request(stub_upstream: StubUpstream, exchange: Exchange) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    (asked,) = stub_upstream.upstream.asked
    assert (asked.method, asked.path, asked.body, asked.query) == ("GET", exchange.asked, "", exchange.query)
    assert (quote.adapter, quote.output_amount, quote.native_fee, quote.fees) == (
        exchange.spec.key, exchange.output, 0, (),
    )  # fmt: skip
    assert quote.min_output_amount == (exchange.minimum if exchange.fixes_minimum else None)
    assert (quote.gas_units, quote.price_impact_bps) == exchange.estimates


@each_exchange
async def test_the_native_asset_goes_by_its_marker(stub_upstream: StubUpstream, exchange: Exchange) -> None:
    with pytest.raises(UpstreamFailed, match="another input token"):
        await stub_upstream.adapter.quote(replace(REQUEST, origin_token=ETHER))
    asked = stub_upstream.upstream.asked[0].query[exchange.sold]
    written = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
    assert asked == (written if exchange.query[exchange.sold] == WETH.address else written.lower())


@each_exchange
async def test_who_calls_and_who_is_paid_are_named(stub_upstream: StubUpstream, exchange: Exchange) -> None:
    with pytest.raises(UpstreamFailed, match=r"another (receiver|caller)"):
        await stub_upstream.built(replace(REQUEST, taker=WALLET, payout_address=RECEIVER))
    assert exchange.people.items() <= stub_upstream.upstream.asked[0].query.items()


@each_of("share percent", lambda exchange: exchange.slippages)
async def test_slippage_is_rounded_down(
    stub_upstream: StubUpstream, exchange: Exchange, share: Fraction, percent: str
) -> None:
    # The recorded minimum is for half a percent: enough for the looser ones, too little for the tighter.
    if share < Fraction(5, 1000):
        with pytest.raises(UpstreamFailed, match="minimum"):
            await stub_upstream.adapter.quote(replace(REQUEST, slippage=share))
    else:
        await stub_upstream.adapter.quote(replace(REQUEST, slippage=share))
    assert stub_upstream.upstream.asked[0].query[exchange.slippage] == percent


@each_exchange
async def test_the_call_is_the_answers_own_and_asks_nothing_more(
    stub_upstream: StubUpstream, exchange: Exchange
) -> None:
    built = await stub_upstream.built()
    assert built == replace(exchange.transaction, data=stub_upstream.call())
    assert built.kind is CallKind.CALL
    assert len(stub_upstream.upstream.asked) == len(exchange.recordings)


@pytest.mark.parametrize("above", [None, 0, -1, 1])
@each_exchange
async def test_without_a_minimum_nothing_is_built(
    stub_upstream: StubUpstream, exchange: Exchange, above: int | None
) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    minimum = exchange.output + 1 if above == 1 else above
    with pytest.raises(RequestRejected, match="min_output_amount"):
        await stub_upstream.adapter.build(replace(quote, min_output_amount=minimum))
    assert len(stub_upstream.upstream.asked) == 1


@each_fixing
async def test_more_than_is_guaranteed_is_refused_to_the_unit(stub_upstream: StubUpstream, exchange: Exchange) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    assert (await stub_upstream.adapter.build(replace(quote, min_output_amount=exchange.minimum - 1))).data
    with pytest.raises(SlippageTooTight):
        await stub_upstream.adapter.build(replace(quote, min_output_amount=exchange.minimum + 1))


@each_fixing
async def test_the_call_is_read_again_when_it_is_built(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    with pytest.raises(UpstreamFailed, match="receiver"):
        await stub_upstream.adapter.build(replace(quote, request=replace(REQUEST, payout_address=STRANGER)))


@each_exchange
def test_what_is_supported(stub_upstream: StubUpstream) -> None:
    supports = stub_upstream.adapter.supports
    assert supports(REQUEST)
    assert supports(replace(REQUEST, taker=WALLET, payout_address=RECEIVER)), "the wallet itself"
    assert supports(replace(REQUEST, origin_token=ETHER))
    unknown, solana = replace(ETHEREUM, id=424242), replace(ETHEREUM, type=ChainType.SVM)
    refused = [
        replace(REQUEST, destination=unknown),
        replace(REQUEST, origin=unknown, destination=unknown),
        replace(REQUEST, origin=solana, destination=solana),
        replace(REQUEST, destination_token=WETH),
        replace(REQUEST, origin_token=ETHER, destination_token=WETH),
        replace(REQUEST, origin_token=WETH, destination_token=ETHER),
    ]
    assert not any(supports(request) for request in refused)


@each_exchange
async def test_what_is_not_supported_is_not_asked(stub_upstream: StubUpstream) -> None:
    with pytest.raises(NoRoute):
        await stub_upstream.adapter.quote(replace(REQUEST, destination_token=WETH))
    with pytest.raises(RequestRejected, match="positive"):
        await stub_upstream.adapter.quote(replace(REQUEST, amount=0))
    assert not stub_upstream.upstream.asked


@each_exchange
def test_it_says_who_it_is(stub_upstream: StubUpstream, exchange: Exchange) -> None:
    info = stub_upstream.adapter.info
    assert (info.key, info.name, info.capability) == (exchange.spec.key, exchange.name, Capability.EXCHANGE)
    assert info.chains == ((1,) if exchange.needs_node else tuple(sorted(exchange.spec.deployments)))
    assert info.scan_url is None
