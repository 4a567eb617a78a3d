"""What goes out is exactly what Across documents, and what comes back is read exactly."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.across import SPEC
from rhumbline.adapters.across.adapter import AcrossAdapter
from rhumbline.adapters.across.client import ERRORS, slippage_text
from rhumbline.adapters.across.deployments import DEPLOYMENTS
from rhumbline.domain import errors
from rhumbline.domain.adapter import Capability
from rhumbline.domain.fee import FeeType
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.gateways.evm.address import checksummed
from tests.adapters.across.stub_upstream import (
    CREDENTIALS,
    ETHER,
    ETHER_BASE,
    EXECUTOR,
    RECEIVER,
    REQUEST,
    SOL,
    SOLANA,
    TO_SOLANA,
    USDC,
    USDC_BASE,
    USDC_SVM,
    WALLET,
    WALLET_SVM,
    WETH,
    StubUpstream,
    said,
)

OUTPUT = 999_878_415
FEES = {"lp": 31_240, "capital": 78_000, "relayerGas": 12_345}


def as_read(quote: Quote[Any]) -> None:
    assert (quote.adapter, quote.output_amount, quote.min_output_amount) == ("ACROSS", OUTPUT, OUTPUT)
    assert (quote.seconds, quote.native_fee) == (4, 0)
    assert {item.type.value: item.amount for item in quote.fees} == FEES
    assert all(item.token == quote.request.origin_token for item in quote.fees)
    # Every part once: they are summed up.
    assert sum(FEES.values()) + OUTPUT == REQUEST.amount
    terms = quote.payload
    assert (terms.quote_timestamp, terms.fill_deadline, terms.exclusivity) == (1_795_000_000, 1_795_011_400, 12)
    assert quote.assured_output == quote.min_output_amount == quote.output_amount
    assert terms.exclusive_relayer == bytes(12) + b"\x44" * 20


async def test_the_request_to_the_swap_api(stub_upstream: StubUpstream) -> None:
    as_read(quote := await stub_upstream.adapter.quote(REQUEST))
    assert quote.payload.expires_at == 1_795_003_600
    (asked,) = stub_upstream.upstream.asked
    assert (asked.method, asked.path) == ("GET", "/api/swap/approval")
    assert asked.headers["authorization"] == "Bearer s3cret"
    assert asked.query == {
        "tradeType": "exactInput",
        "amount": "1000000000",
        "inputToken": USDC.address,
        "outputToken": USDC_BASE.address,
        "originChainId": "1",
        "destinationChainId": "8453",
        "depositor": WALLET,
        "recipient": RECEIVER,
        "refundAddress": WALLET,
        "refundOnOrigin": "true",
        "slippage": "0.0059",
        "skipOriginTxEstimation": "true",
        "skipChecks": "true",
        "strictTradeType": "true",
        "routingPreference": "across",
        "integratorId": "0xbeef",
    }


async def test_without_a_key_the_request_for_fees(stub_upstream: StubUpstream) -> None:
    as_read(quote := await stub_upstream.keyless.quote(REQUEST))
    assert quote.payload.expires_at is None
    (asked,) = stub_upstream.upstream.asked
    assert (asked.method, asked.path) == ("GET", "/api/suggested-fees")
    assert "authorization" not in asked.headers
    assert asked.query == {
        "inputToken": USDC.address,
        "outputToken": USDC_BASE.address,
        "originChainId": "1",
        "destinationChainId": "8453",
        "recipient": RECEIVER,
        "amount": "1000000000",
    }


@pytest.mark.parametrize("status", [401, 404])
async def test_a_swap_api_that_is_closed_to_us_is_fallen_back_from(stub_upstream: StubUpstream, status: int) -> None:
    stub_upstream.upstream.says("/swap/approval", {"message": "Unauthorized"}, status)
    as_read(await stub_upstream.adapter.quote(REQUEST))
    assert [asked.path for asked in stub_upstream.upstream.asked] == ["/api/swap/approval", "/api/suggested-fees"]


@pytest.mark.parametrize("status", [400, 403, 429, 500])
async def test_nothing_else_is_fallen_back_from(stub_upstream: StubUpstream, status: int) -> None:
    stub_upstream.upstream.says("/swap/approval", {"message": "no"}, status)
    with pytest.raises(errors.AdapterError):
        await stub_upstream.adapter.quote(REQUEST)
    assert len(stub_upstream.upstream.asked) == 1


async def test_solana_by_its_number_and_addresses(stub_upstream: StubUpstream) -> None:
    stub_upstream.upstream.says("/suggested-fees", said("suggested_fees_solana.json"))
    quote = await stub_upstream.keyless.quote(TO_SOLANA)
    assert stub_upstream.upstream.asked[0].query["destinationChainId"] == "34268394551451"
    assert stub_upstream.upstream.asked[0].query["recipient"] == WALLET_SVM
    assert stub_upstream.upstream.asked[0].query["outputToken"] == USDC_SVM.address
    assert quote.payload.exclusive_relayer == bytes(32)


async def test_tokens_of_other_decimals_are_declared(stub_upstream: StubUpstream) -> None:
    with pytest.raises(errors.UpstreamFailed, match="larger output"):
        await stub_upstream.keyless.quote(replace(REQUEST, destination_token=replace(USDC_BASE, decimals=5)))
    assert stub_upstream.upstream.asked[0].query["allowUnmatchedDecimals"] == "true"


async def test_the_native_asset_goes_in_as_the_wrapped_token(stub_upstream: StubUpstream) -> None:
    with pytest.raises(errors.UpstreamFailed, match="another input token"):
        await stub_upstream.adapter.quote(replace(REQUEST, origin_token=ETHER))
    assert stub_upstream.upstream.asked[0].query["inputToken"] == WETH.address


async def test_too_little_brings_the_true_minimum(stub_upstream: StubUpstream) -> None:
    for path in ("/swap/approval", "/suggested-fees"):
        stub_upstream.upstream.says(path, said("amount_too_low.json"), 400)
    for adapter in (stub_upstream.adapter, stub_upstream.keyless):
        with pytest.raises(errors.BelowMinimum) as caught:
            await adapter.quote(replace(REQUEST, amount=1000))
        assert caught.value.minimum == 512_345
    asked = stub_upstream.upstream.asked[-1]
    assert asked.path == "/api/limits"
    assert asked.query == {
        "inputToken": USDC.address,
        "outputToken": USDC_BASE.address,
        "originChainId": "1",
        "destinationChainId": "8453",
        "recipient": RECEIVER,
    }


async def test_a_minimum_that_would_not_explain_it_is_not_told(stub_upstream: StubUpstream) -> None:
    stub_upstream.upstream.says("/swap/approval", said("amount_too_low.json"), 400)
    with pytest.raises(errors.BelowMinimum) as caught:
        await stub_upstream.adapter.quote(REQUEST)
    assert caught.value.minimum is None
    stub_upstream.upstream.says("/limits", {"message": "down"}, 500)
    with pytest.raises(errors.BelowMinimum) as caught:
        await stub_upstream.adapter.quote(replace(REQUEST, amount=1000))
    assert caught.value.minimum is None


async def test_limits_in_the_answer_bind(stub_upstream: StubUpstream) -> None:
    with pytest.raises(errors.BelowMinimum) as caught:
        await stub_upstream.keyless.quote(replace(REQUEST, amount=512_344))
    assert caught.value.minimum == 512_345
    with pytest.raises(errors.NoRoute, match="above"):
        await stub_upstream.keyless.quote(replace(REQUEST, amount=3_000_000_000_001))
    stub_upstream.upstream.says("/suggested-fees", said("suggested_fees.json") | {"isAmountTooLow": True})
    with pytest.raises(errors.BelowMinimum) as caught:
        await stub_upstream.keyless.quote(REQUEST)
    # It is above what is said to be the least, which is thus not the reason.
    assert caught.value.minimum is None


def _meant(code: str) -> type[errors.AdapterError]:
    return {
        "AMOUNT_TOO_LOW": errors.BelowMinimum,
        "AMOUNT_TOO_HIGH": errors.NoRoute,
        "ROUTE_NOT_ENABLED": errors.NoRoute,
        "SWAP_LIQUIDITY_INSUFFICIENT": errors.NoRoute,
        "SWAP_QUOTE_UNAVAILABLE": errors.NoRoute,
        "SWAP_TYPE_NOT_GUARANTEED": errors.NoRoute,
        "SPONSORED_DONATION_BOX_FUNDS_INSUFFICIENT": errors.NoRoute,
        "MAX_BPS_TO_SPONSOR_TOO_HIGH": errors.NoRoute,
        "HYPERCORE_ACCOUNT_NOT_INITIALIZED": errors.NoRoute,
        "SWAP_SLIPPAGE_INSUFFICIENT": errors.SlippageTooTight,
        "SPONSORED_SWAP_SLIPPAGE_TOO_HIGH": errors.SlippageTooTight,
        "UPSTREAM_RPC_ERROR": errors.UpstreamFailed,
        "UPSTREAM_HTTP_ERROR": errors.UpstreamFailed,
        "UPSTREAM_GATEWAY_TIMEOUT": errors.UpstreamFailed,
        "UNEXPECTED_ERROR": errors.UpstreamFailed,
    }.get(code, errors.RequestRejected)


@pytest.mark.parametrize("code", sorted(code for code in ERRORS.meanings if code.isupper()))
async def test_every_code_has_its_meaning(stub_upstream: StubUpstream, code: str) -> None:
    status = 502 if _meant(code) is errors.UpstreamFailed else 400
    body = {"type": "AcrossApiError", "code": code, "status": status, "message": "what they say"}
    for path in ("/swap/approval", "/suggested-fees"):
        stub_upstream.upstream.says(path, body, status)
    for adapter in (stub_upstream.adapter, stub_upstream.keyless):
        with pytest.raises(errors.AdapterError) as caught:
            await adapter.quote(REQUEST)
        assert type(caught.value) is _meant(code)
        assert "what they say" not in caught.value.reason


async def test_what_has_no_code(stub_upstream: StubUpstream) -> None:
    unsupported = {"code": "INVALID_PARAM", "message": "Unsupported chain id: 8453", "param": "destinationChainId"}
    cases: list[tuple[int, dict[str, str], type[errors.AdapterError]]] = [
        (400, unsupported, errors.NoRoute),
        (400, {"code": "SOMETHING_NEW"}, errors.RequestRejected),
        (401, {"message": "Unauthorized"}, errors.CredentialsRejected),
        (403, {}, errors.CredentialsRejected),
        (404, {"message": "Unable to find tokenDetails for address: 0x"}, errors.NoRoute),
        (429, {}, errors.UpstreamFailed),
        (500, {"code": "INTERNAL_SERVER_ERROR"}, errors.UpstreamFailed),
    ]
    for status, body, meant in cases:
        stub_upstream.upstream.says("/suggested-fees", body, status)
        with pytest.raises(errors.AdapterError) as caught:
            await stub_upstream.keyless.quote(REQUEST)
        assert type(caught.value) is meant


def test_who_the_adapter_is(stub_upstream: StubUpstream) -> None:
    info = stub_upstream.adapter.info
    assert (info.key, info.capability) == ("ACROSS", Capability.BRIDGE)
    # Of the pools that are built in, those of chains that are known here.
    assert info.chains == (1, 8453, SOLANA.id)
    assert SPEC.headers({}) == {}
    assert "s3cret" not in repr(stub_upstream.adapter)


def test_addresses_are_in_their_form() -> None:
    for number, deployment in DEPLOYMENTS.items():
        if number != SOLANA.id:
            assert deployment.spoke_pool == checksummed(deployment.spoke_pool)
            assert deployment.chain_id == number


async def test_an_integrator_id_of_another_form_is_a_mistake(stub_upstream: StubUpstream) -> None:
    for mark in ("beef", "0xbee", "0xbeefbe", "0xzzzz", ""):
        parts = replace(stub_upstream.adapter.context, credentials=CREDENTIALS | {"integrator_id": mark})
        with pytest.raises(ValueError, match="four hex digits"):
            AcrossAdapter(parts)


REFUSED: list[Callable[[QuoteRequest], QuoteRequest]] = [
    lambda request: replace(request, destination=request.origin, destination_token=WETH),
    lambda request: replace(request, origin=SOLANA, origin_token=USDC_SVM),
    lambda request: replace(TO_SOLANA, destination_token=SOL),
    # There is no node of the destination to say what the receiver is.
    lambda request: replace(request, destination_token=ETHER_BASE),
    lambda request: replace(request, destination=replace(request.destination, id=77)),
    lambda request: replace(request, origin=replace(request.origin, id=10)),
    lambda request: replace(request, origin=replace(request.origin, wrapped_native=None), origin_token=ETHER),
]


@pytest.mark.parametrize("change", REFUSED)
async def test_what_is_not_served(stub_upstream: StubUpstream, change: Callable[[QuoteRequest], QuoteRequest]) -> None:
    request = change(REQUEST)
    assert not stub_upstream.adapter.supports(request)
    with pytest.raises(errors.NoRoute):
        await stub_upstream.adapter.quote(request)
    assert stub_upstream.upstream.asked == []


def test_what_is_served(stub_upstream: StubUpstream) -> None:
    for request in (REQUEST, TO_SOLANA, replace(REQUEST, origin_token=ETHER), replace(REQUEST, taker=WALLET)):
        assert stub_upstream.adapter.supports(request)
    assert REQUEST.taker == EXECUTOR


@given(st.fractions(min_value=0, max_value=1))
def test_slippage_is_rounded_down_and_bounded(slippage: Fraction) -> None:
    text = slippage_text(slippage)
    assert "e" not in text.lower()
    assert Fraction(text) <= min(slippage, Fraction(1, 2))
    assert min(slippage, Fraction(1, 2)) - Fraction(text) < Fraction(1, 10_000)
    assert len(text) <= 6


def test_fees_have_their_names() -> None:
    assert set(FEES) == {FeeType.LP.value, FeeType.CAPITAL.value, FeeType.RELAYER_GAS.value}
