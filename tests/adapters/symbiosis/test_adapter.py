"""What is asked of Symbiosis, what is read of its answer, and what its refusals mean."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.symbiosis.adapter import SymbiosisAdapter
from rhumbline.adapters.symbiosis.client import tolerance_for
from rhumbline.domain import errors
from rhumbline.domain.amount import less_bps
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import QuoteRequest
from tests.adapters.bridging.replay import refused, token
from tests.adapters.symbiosis.calls import EXECUTOR, RECEIVER, WALLET, Call
from tests.adapters.symbiosis.replay import (
    CHAINS,
    ETHER,
    ETHER_ARBITRUM,
    SVM,
    USDC_ARBITRUM,
    USDC_ETHEREUM,
    Replay,
    recording,
    replaying,
    request,
)

QUESTION = {
    "tokenAmountIn": {
        "chainId": 1,
        "address": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
        "decimals": 6,
        "symbol": "USDC",
        "amount": "500000000",
    },
    "tokenOut": {
        "chainId": 42161,
        "address": "0xaf88d065e77c8cC2239327C5EDb3A432268e5831",
        "decimals": 6,
        "symbol": "USDC",
    },
    "from": WALLET,
    "to": RECEIVER,
    "slippage": 50,
    "revertableAddresses": [{"chainId": 1, "address": WALLET}, {"chainId": 42161, "address": WALLET}],
    "disabledProviders": "chainflip-bridge,thorchain-bridge,changelly",
}


async def test_the_wallet_asks_whoever_calls() -> None:
    replay = Replay([(200, recording("quote"))])
    async with replaying(replay) as adapter:
        quote = await adapter.quote(request())
    assert replay.asked == [("POST", "/v2/quote", QUESTION)]
    assert (quote.output_amount, quote.min_output_amount) == (499_100_000, None)
    assert (quote.seconds, quote.native_fee) == (38, 0)
    assert quote.fees == (
        FeeItem(FeeType.RELAYER_SERVICE, 250_000, USDC_ETHEREUM),
        FeeItem(FeeType.RELAYER, 300_000, USDC_ARBITRUM),
    )


@pytest.mark.parametrize("told", [-1, 10**9, -(10**9), 10**79])
async def test_an_estimate_that_cannot_be_meant_is_none(told: int) -> None:
    async with replaying(Replay([(200, recording("quote") | {"estimatedTime": told})])) as adapter:
        assert (await adapter.quote(request())).seconds is None


def test_the_recorded_call_is_the_one_that_tests_change() -> None:
    assert recording("quote")["tx"]["data"] == "0x" + Call().encode().hex()


@pytest.mark.parametrize(
    ("slippage", "asked"),
    [(Fraction(50999, 10_000_000), 50), (Fraction(21, 10_000), 21), (Fraction(3, 10), 1000)],
)
async def test_slippage_is_in_basis_points_the_stricter(slippage: Fraction, asked: int) -> None:
    replay = Replay([(200, recording("quote"))])
    async with replaying(replay) as adapter:
        await adapter.quote(request(slippage=slippage))
    assert replay.asked[0][2]["slippage"] == asked


async def test_less_slippage_than_the_service_knows_is_not_asked_for() -> None:
    replay = Replay()
    async with replaying(replay) as adapter:
        with pytest.raises(errors.SlippageTooTight):
            await adapter.quote(request(slippage=Fraction(19, 10_000)))
    assert not replay.asked


async def test_slippage_that_the_fees_eat_up_is_too_tight() -> None:
    """A minimum of 0.2 % below what arrives is less than that below what the pool gives."""
    async with replaying(Replay([(200, recording("quote"))])) as adapter:
        with pytest.raises(errors.SlippageTooTight):
            await adapter.quote(request(slippage=Fraction(20, 10_000)))


@given(output=st.integers(1, 2**200), share=st.fractions(0, 1), fee=st.integers(0, 2**64))
def test_the_slippage_asked_for_guarantees_the_minimum(output: int, share: Fraction, fee: int) -> None:
    minimum = int(output * share)
    tolerance = tolerance_for(output, minimum, fee)
    assert less_bps(output + fee, tolerance) - fee >= minimum
    assert less_bps(output + fee, tolerance + 1) - fee < minimum


SUPPORTED = {
    "a token through the contracts": request(),
    "a token by the wallet itself": request(taker=WALLET),
    "ether to ether": request(origin_token=ETHER, destination_token=ETHER_ARBITRUM),
    "two tokens of a pool": request(
        origin_token=token(1, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", "WETH", 18),
        destination=CHAINS[137],
        destination_token=token(137, "0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619", "WETH", 18),
    ),
}
REFUSED = {
    "tokens of two pools": request(destination_token=ETHER_ARBITRUM),
    "a token that needs a swap": request(origin_token=token(1, EXECUTOR, "X", 18)),
    "a destination token that needs a swap": request(destination_token=token(42161, EXECUTOR, "X", 18)),
    "a native asset that does not cross": request(
        origin_token=ETHER, destination=CHAINS[137], destination_token=token(137, "0x" + "0" * 40, "POL", 18)
    ),
    "one chain": request(destination=CHAINS[1], destination_token=ETHER),
    "a chain that is not served": request(destination=CHAINS[5]),
    "to Solana": request(destination=CHAINS[SVM], destination_token=token(SVM, NATIVE_SVM, "SOL", 9)),
    "paid to somebody in between": request(payout_address=EXECUTOR),
    "no EVM receiver": request(receiver=NATIVE_SVM, payout_address=NATIVE_SVM),
}


@pytest.mark.parametrize("asked", SUPPORTED.values(), ids=SUPPORTED)
async def test_supports(asked: QuoteRequest) -> None:
    async with replaying(Replay()) as adapter:
        assert adapter.supports(asked)


@pytest.mark.parametrize("asked", REFUSED.values(), ids=REFUSED)
async def test_does_not_support_and_asks_nothing(asked: QuoteRequest) -> None:
    replay = Replay()
    async with replaying(replay) as adapter:
        assert not adapter.supports(asked)
        with pytest.raises(errors.NoRoute):
            await adapter.quote(asked)
    assert not replay.asked


async def test_a_native_destination_needs_somebody_who_unwraps() -> None:
    async with replaying(Replay()) as adapter:
        known = dict(adapter.context.deployments)
        known[42161] = replace(known[42161], unwrapper="")
        asked = request(origin_token=ETHER, destination_token=ETHER_ARBITRUM)
        assert not SymbiosisAdapter(replace(adapter.context, deployments=known)).supports(asked)


@pytest.mark.parametrize(
    ("status", "message", "error"),
    [
        (400, "[AmountTooLowError] Amount $0.01 less than minAmount $5", errors.BelowMinimum),
        (400, "[AmountLessThanFeeError] Amount 0.1 USDC less than fee 0.2 USDC", errors.BelowMinimum),
        (400, "Amount is too low to cover fees", errors.BelowMinimum),
        (400, "[AmountTooHighError] Amount is too high", errors.NoRoute),
        (400, "Amount too high, max available is $87443", errors.NoRoute),
        (400, "[SlippageTooLowError] Slippage cannot be less than 0.2%", errors.SlippageTooTight),
        (400, "[SlippageTooHighError] Slippage cannot be more than 10%", errors.RequestRejected),
        (400, "[PriceImpactTooHighError] Price impact too high", errors.NoRoute),
        (400, "[UnsupportedPairError] Not supported", errors.NoRoute),
        (400, "Build transaction error [[NoRouteError] No route, [NoTransitTokenError] None]", errors.NoRoute),
        (400, "[NoRepresentationFoundError] None", errors.NoRoute),
        (400, "This swap is not available", errors.NoRoute),
        (400, "[InvalidAddressError] The to address is invalid", errors.RequestRejected),
        (400, "Something new", errors.RequestRejected),
        (400, None, errors.RequestRejected),
        (422, "Invalid body", errors.RequestRejected),
        (403, "Forbidden", errors.CredentialsRejected),
        (404, "Not found", errors.RequestRejected),
        (429, "Too many requests", errors.UpstreamFailed),
        (500, "Internal server error", errors.UpstreamFailed),
        (500, "[AmountTooLowError] Amount $0.01 less than minAmount $5", errors.BelowMinimum),
        (500, "[NoRouteError] No route", errors.NoRoute),
        (503, "The service is not available", errors.UpstreamFailed),
        (200, "This swap is not available", errors.UpstreamFailed),
    ],
)
async def test_what_a_refusal_means(status: int, message: str | None, error: type[errors.AdapterError]) -> None:
    async with replaying(Replay([(status, {"code": status, "message": message})])) as adapter:
        with pytest.raises(error) as raised:
            await adapter.quote(request())
    assert type(raised.value) is error


@pytest.mark.parametrize(
    ("path", "value", "error"),
    [
        (("type",), "tron", errors.NoRoute),
        (("kind",), "onchain-swap", errors.NoRoute),
        (("tx", "chainId"), 56, errors.UpstreamFailed),
        (("tx", "to"), EXECUTOR, errors.UpstreamFailed),
        (("tx", "to"), "0xf621Fb08BBE51aF70e7E0F4EA63496894166Ff7F", errors.UpstreamFailed),
        (("tx", "value"), "1", errors.UpstreamFailed),
        (("tx", "data"), "0x", errors.UpstreamFailed),
        (("tx", "data"), "0xa11b1198", errors.UpstreamFailed),
        (("tx", "data"), "data", errors.UpstreamFailed),
        (("approveTo",), EXECUTOR, errors.UpstreamFailed),
        (("approveTo",), None, errors.UpstreamFailed),
        (("tokenAmountOut", "chainId"), 1, errors.UpstreamFailed),
        (("tokenAmountOut", "address"), "", errors.UpstreamFailed),
        (("tokenAmountOut", "amount"), "496599999", errors.UpstreamFailed),
        (("tokenAmountOut", "amount"), 499.1, errors.UpstreamFailed),
        (("tokenAmountOutMin", "amount"), "499100001", errors.UpstreamFailed),
        (("tokenAmountOutMin", "address"), EXECUTOR, errors.UpstreamFailed),
    ],
)
async def test_another_answer_is_refused(path: tuple[str, ...], value: Any, error: type[errors.AdapterError]) -> None:
    document = recording("quote")
    part = document
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    await refused(replaying(Replay([(200, document)])), error, lambda adapter: adapter.quote(request()))


async def test_the_older_entry_has_a_spender_of_its_own() -> None:
    document = recording("quote")
    document["tx"]["to"] = "0xf621Fb08BBE51aF70e7E0F4EA63496894166Ff7F"
    document["approveTo"] = "0xfCEF2Fe72413b65d3F393d278A714caD87512bcd"
    async with replaying(Replay([(200, document)])) as adapter:
        assert (await adapter.quote(request())).output_amount == 499_100_000
