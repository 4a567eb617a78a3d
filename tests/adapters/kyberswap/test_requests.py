"""What goes out is exactly what KyberSwap documents, and what comes back is read exactly."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.kyberswap import SPEC
from rhumbline.adapters.kyberswap.adapter import tolerance_bps
from rhumbline.domain.adapter import Capability
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import BelowMinimum, NoRoute, RequestRejected, SlippageTooTight
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.gateways.evm.address import checksummed
from tests.adapters.kyberswap.stub_upstream import (
    DEADLINE,
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

ROUTER = "0x6131B5fae19EA4f9D964eAc0408E4408b66337b5"
OUTPUT, MINIMUM = 2_345_678_900, 2_333_950_505


def exact(text: str) -> object:
    """JSON with its numbers as they are written."""
    return json.loads(text, parse_float=lambda digits: f"number {float(digits)!r}", parse_int=lambda d: f"number {d}")


async def test_the_request_for_a_route(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    (asked,) = stub_upstream.upstream.asked
    assert (asked.method, asked.path) == ("GET", "/ethereum/api/v1/routes")
    assert asked.query == {
        "tokenIn": WETH.address,
        "tokenOut": USDC.address,
        "amountIn": "1000000000000000000",
        "gasInclude": "true",
        "excludeRFQSources": "true",
        "origin": WALLET,
    }
    assert asked.headers["x-client-id"] == "rhumbline"
    assert (quote.output_amount, quote.gas_units, quote.min_output_amount, quote.native_fee) == (
        OUTPUT,
        231_000,
        None,
        0,
    )
    assert quote.adapter == "KYBERSWAP"


async def test_the_native_asset_goes_by_its_marker(stub_upstream: StubUpstream) -> None:
    with pytest.raises(Exception, match="another input token"):
        await stub_upstream.adapter.quote(replace(REQUEST, origin_token=ETHER))
    assert stub_upstream.upstream.asked[0].query["tokenIn"] == "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"


async def test_the_request_for_calldata(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    built = await stub_upstream.adapter.build(replace(quote, min_output_amount=MINIMUM))
    asked = stub_upstream.upstream.asked[1]
    assert (asked.method, asked.path, asked.query) == ("POST", "/ethereum/api/v1/route/build", {})
    assert asked.headers["x-client-id"] == "rhumbline"
    assert asked.headers["content-type"] == "application/json"
    routes = exact(stub_upstream.upstream.answers["/api/v1/routes"][1])
    assert isinstance(routes, dict)
    assert exact(asked.body) == {
        "routeSummary": routes["data"]["routeSummary"],
        "sender": EXECUTOR,
        "recipient": EXECUTOR,
        "origin": WALLET,
        "slippageTolerance": "number 50",
        "deadline": f"number {DEADLINE}",
        "enableGasEstimation": False,
    }
    assert '"priceLimit":1461300573427867316570072651998408279850435624081' in asked.body
    assert '"share":0.10' in asked.body
    data = bytes.fromhex(said("build.json")["data"]["data"][2:])
    assert built == EvmTransaction(1, ROUTER, 0, data, ROUTER)
    assert built.kind is CallKind.CALL


async def test_the_client_has_the_name_that_is_configured() -> None:
    assert dict(SPEC.headers({"client_id": "harbour"})) == {"X-Client-Id": "harbour"}
    assert SPEC.needs == ()
    assert SPEC.optional_credentials == ("client_id",)


@pytest.mark.parametrize("minimum", [None, 0, -1, OUTPUT + 1])
async def test_without_a_minimum_nothing_is_built(stub_upstream: StubUpstream, minimum: int | None) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    with pytest.raises(RequestRejected, match="min_output_amount"):
        await stub_upstream.adapter.build(replace(quote, min_output_amount=minimum))
    assert len(stub_upstream.upstream.asked) == 1


async def test_a_minimum_that_the_build_misses_is_refused(stub_upstream: StubUpstream) -> None:
    """To the unit; and the price's doing is told from the upstream's."""
    quote = await stub_upstream.adapter.quote(REQUEST)
    with pytest.raises(Exception, match="smaller minimum"):
        await stub_upstream.adapter.build(replace(quote, min_output_amount=MINIMUM + 1))
    moved = said("build.json")
    moved["data"]["amountOut"] = str(OUTPUT - 1)
    stub_upstream.upstream.says("/api/v1/route/build", moved)
    with pytest.raises(SlippageTooTight, match="moved"):
        await stub_upstream.adapter.build(replace(quote, min_output_amount=MINIMUM + 1))


async def test_an_output_of_nothing_is_for_too_small_an_amount(stub_upstream: StubUpstream) -> None:
    routes = said("routes.json")
    for nothing in ("0", "1"):
        routes["data"]["routeSummary"]["amountOut"] = nothing
        stub_upstream.upstream.says("/api/v1/routes", routes)
        with pytest.raises(BelowMinimum, match="nothing"):
            await stub_upstream.adapter.quote(REQUEST)
    with pytest.raises(RequestRejected, match="positive"):
        await stub_upstream.adapter.quote(replace(REQUEST, amount=0))


@given(st.integers(1, 2**120), st.data())
def test_the_tolerance_is_the_largest_that_keeps_the_minimum(output: int, data: st.DataObject) -> None:
    minimum = data.draw(st.integers(1, output))
    tolerance = tolerance_bps(output, minimum)
    assert 0 <= tolerance <= 2000
    assert output * (10_000 - tolerance) // 10_000 >= minimum
    if tolerance < 2000:
        assert output * (10_000 - tolerance - 1) // 10_000 < minimum or output < 10_000


@pytest.mark.parametrize(("minimum", "bps"), [(10_000, 0), (9_999, 1), (9_951, 49), (9_950, 50), (5_000, 2000)])
def test_the_tolerance_is_rounded_down(minimum: int, bps: int) -> None:
    assert tolerance_bps(10_000, minimum) == bps
    assert tolerance_bps(99_999, minimum * 10 - 1) == bps


def test_what_is_supported(stub_upstream: StubUpstream) -> None:
    supports = stub_upstream.adapter.supports
    assert supports(REQUEST)
    assert supports(replace(REQUEST, taker=WALLET, payout_address=RECEIVER)), "the wallet itself"
    assert supports(replace(REQUEST, origin_token=ETHER))
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
    assert not stub_upstream.upstream.asked


def test_it_says_who_it_is(stub_upstream: StubUpstream) -> None:
    info = stub_upstream.adapter.info
    assert (info.key, info.name, info.capability) == ("KYBERSWAP", "KyberSwap", Capability.EXCHANGE)
    assert info.chains == tuple(sorted(SPEC.deployments))
    assert info.scan_url is None


def test_the_built_in_data_is_well_formed() -> None:
    places = SPEC.deployments
    assert len({place.chain_name for place in places.values()}) == len(places)
    assert all(place.router == checksummed(place.router) for place in places.values())
