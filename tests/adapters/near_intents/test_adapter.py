"""What is asked of 1Click for a price, what is read of its answer, and what its refusals mean."""

import time
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.near_intents.client import tolerance_for
from rhumbline.domain import errors
from rhumbline.domain.amount import BASIS_POINTS, less_bps
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import QuoteRequest
from tests.adapters.bridging.replay import refused, token
from tests.adapters.near_intents.replay import (
    CHAINS,
    EXECUTOR,
    RECEIVER,
    SENDER,
    USDC,
    USDC_BASE,
    Replay,
    recorded,
    recording,
    replaying,
    request,
    signed,
)

QUESTION = {
    "dry": True,
    "depositMode": "SIMPLE",
    "swapType": "EXACT_INPUT",
    "slippageTolerance": 50,
    "originAsset": "nep141:eth-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48.omft.near",
    "depositType": "ORIGIN_CHAIN",
    "destinationAsset": "nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near",
    "amount": "250000000",
    "refundTo": SENDER,
    "refundType": "ORIGIN_CHAIN",
    "recipient": RECEIVER,
    "recipientType": "DESTINATION_CHAIN",
    "deadline": "2026-11-21T12:35:00.000Z",
}
SOLANA = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"


async def test_a_price_is_asked_without_reserving_an_address() -> None:
    replay = Replay([*recorded("quote_dry")])
    async with replaying(replay, {"jwt": "a.jwt.of-ours"}) as adapter:
        quote = await adapter.quote(request())
    ((method, path, headers, body),) = replay.asked
    assert (method, path, body) == ("POST", "/v0/quote", QUESTION)
    assert headers["Authorization"] == "Bearer a.jwt.of-ours"
    assert quote.output_amount == 249_625_000
    assert quote.min_output_amount == 248_376_875
    assert quote.assured_output == 249_625_000
    assert quote.seconds == 42
    assert quote.native_fee == 0
    assert quote.fees == (
        FeeItem(FeeType.RELAYER_SERVICE, 250_000, USDC),
        FeeItem(FeeType.RELAYER_GAS, 25_000, USDC_BASE),
    )


async def test_no_key_no_header() -> None:
    replay = Replay([*recorded("quote_dry")])
    async with replaying(replay) as adapter:
        await adapter.quote(request())
    assert "Authorization" not in replay.asked[0][2]


async def test_slippage_is_rounded_down_to_the_stricter_basis_point() -> None:
    replay = Replay([*recorded("quote_dry")])
    async with replaying(replay) as adapter:
        await adapter.quote(request(slippage=Fraction(50999, 10_000_000)))
    assert replay.questions[0]["slippageTolerance"] == 50


@given(output=st.integers(1, 2**200), share=st.fractions(0, 1))
def test_the_slippage_asked_for_guarantees_the_minimum(output: int, share: Fraction) -> None:
    minimum = int(output * share)
    tolerance = tolerance_for(output, minimum)
    assert 0 <= tolerance <= BASIS_POINTS
    assert less_bps(output, tolerance) >= minimum
    assert less_bps(output, tolerance + 1) < minimum


ETH, BASE_ETH = token(1, NATIVE_EVM, "ETH", 18), token(8453, NATIVE_EVM, "ETH", 18)
SUPPORTED = {
    "a token through the contracts": request(),
    "a token by the wallet itself": request(taker=SENDER),
    "to the native asset": request(destination_token=BASE_ETH),
    "the native asset by the wallet itself": request(origin_token=ETH, taker=SENDER),
    "to Solana": request(
        destination=CHAINS[1000000001],
        destination_token=token(1000000001, NATIVE_SVM, "SOL", 9),
        receiver=SOLANA,
        payout_address=SOLANA,
    ),
}
REFUSED = {
    "the native asset through the contracts": request(origin_token=ETH),
    "one chain": request(destination=CHAINS[1], destination_token=ETH),
    "a token that is not served": request(origin_token=replace(USDC, address=EXECUTOR)),
    "a destination token that is not served": request(destination_token=replace(USDC_BASE, address=EXECUTOR)),
    "a chain that is not served": request(destination=CHAINS[5]),
    "from Solana": request(origin=CHAINS[1000000001], origin_token=token(1000000001, NATIVE_SVM, "SOL", 9)),
    "paid to somebody in between": request(payout_address=EXECUTOR),
    "an EVM receiver on Solana": request(
        destination=CHAINS[1000000001], destination_token=token(1000000001, NATIVE_SVM, "SOL", 9)
    ),
    "a Solana receiver on an EVM chain": request(receiver=SOLANA, payout_address=SOLANA),
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


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (400, {"message": "tokenIn is not valid"}, errors.NoRoute),
        (400, {"message": "tokenOut is not valid"}, errors.NoRoute),
        (400, {"message": "No liquidity available"}, errors.NoRoute),
        (400, {"message": "Failed to get quote"}, errors.NoRoute),
        (400, {"message": "recipient is not valid"}, errors.RequestRejected),
        (400, {"message": "refundTo is not valid"}, errors.RequestRejected),
        (400, {"message": ["amount should not be empty"]}, errors.RequestRejected),
        (401, {"message": "JWT is invalid"}, errors.CredentialsRejected),
        (403, {"message": "Forbidden"}, errors.CredentialsRejected),
        (429, {"message": "Too many requests"}, errors.UpstreamFailed),
        (500, {"message": "Internal server error"}, errors.UpstreamFailed),
        (503, None, errors.UpstreamFailed),
        (200, {"message": "no liquidity available"}, errors.UpstreamFailed),
        (200, [], errors.UpstreamFailed),
    ],
)
async def test_what_a_refusal_means(status: int, body: object, error: type[errors.AdapterError]) -> None:
    async with replaying(Replay([(status, body)])) as adapter:
        with pytest.raises(error) as raised:
            await adapter.quote(request())
    assert type(raised.value) is error


@pytest.mark.parametrize(
    ("message", "minimum"),
    [
        ("Amount is too low for bridge, try at least 2725340", 2_725_340),
        ("Amount is too low for bridge", None),
        ("Amount is too low for bridge, try at least " + "9" * 78, None),
        ("Temporary swap limits: minimum swap amount is $1,000", None),
    ],
)
async def test_the_minimum_is_told(message: str, minimum: int | None) -> None:
    async with replaying(Replay([(400, {"message": message})])) as adapter:
        with pytest.raises(errors.BelowMinimum) as raised:
            await adapter.quote(request())
    assert raised.value.minimum == minimum


@pytest.mark.parametrize("status", [422, 500])
async def test_the_minimum_is_told_under_any_status(status: int) -> None:
    message = "Amount is too low for bridge, try at least 2725340"
    async with replaying(Replay([(status, {"message": message})])) as adapter:
        with pytest.raises(errors.BelowMinimum) as raised:
            await adapter.quote(request())
    assert raised.value.minimum == 2_725_340


async def test_a_refusal_without_end_is_read_in_no_time() -> None:
    """A million times "too low": a search that begins anew at each would take hours, and nobody else a turn."""
    async with replaying(Replay([(400, {"message": "too low" * 400_000})])) as adapter:
        began = time.process_time()
        with pytest.raises(errors.BelowMinimum):
            await adapter.quote(request())
    assert time.process_time() - began < 5


OTHER = "0x000000000000000000000000000000000000dEaD"


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        ("quoteRequest", "dry", False),
        ("quoteRequest", "swapType", "FLEX_INPUT"),
        ("quoteRequest", "slippageTolerance", 51),
        ("quoteRequest", "originAsset", "nep141:eth.omft.near"),
        ("quoteRequest", "destinationAsset", "nep141:base.omft.near"),
        ("quoteRequest", "depositType", "INTENTS"),
        ("quoteRequest", "recipientType", "INTENTS"),
        ("quoteRequest", "refundType", "INTENTS"),
        ("quoteRequest", "amount", "250000001"),
        ("quoteRequest", "refundTo", OTHER),
        ("quoteRequest", "recipient", OTHER),
        ("quoteRequest", "deadline", "2026-11-21T12:36:00.000Z"),
        ("quoteRequest", "deadline", "2026-11-21T12:35:00.000"),
        ("quoteRequest", "virtualChainRecipient", OTHER),
        ("quoteRequest", "customRecipientMsg", "msg"),
        ("quote", "amountIn", "249999999"),
        ("quote", "minAmountIn", "250000001"),
        ("quote", "minAmountOut", "248376874"),
        ("quote", "minAmountOut", "249625001"),
        ("quote", "amountOut", "0"),
        ("quote", "amountOut", 1.5),
        ("quote", "amountOut", "-249625000"),
        ("quote", "depositMemo", "memo"),
        ("quote", "virtualChainRefundRecipient", OTHER),
    ],
)
async def test_an_answer_to_another_question_is_refused(part: str, name: str, value: object) -> None:
    document = recording("quote_dry")
    document[part][name] = value
    await refused(replaying(Replay([(200, document)])), errors.UpstreamFailed, lambda adapter: adapter.quote(request()))


@pytest.mark.parametrize("fee", [-50, -0.001, 100.001, 101, 10_000, 10_001, "1e5", "many"])
async def test_a_fee_is_a_share_of_the_input(fee: object) -> None:
    document = recording("quote_dry")
    document["quoteRequest"]["appFees"] = [{"recipient": "somebody.near", "fee": fee}]
    await refused(replaying(Replay([(200, document)])), errors.UpstreamFailed, lambda adapter: adapter.quote(request()))


@pytest.mark.parametrize(("fee", "amount", "kept"), [
    (0, 250_000_000, None),
    (100, 250_000_000, 2_500_000),
    (0.5, 250_000_000, 12_500),
    # More digits than a Decimal keeps of itself.
    (100, 10**60 + 100, 10**58 + 1),
    (1, 10**60 + 9_999, 10**56),
])  # fmt: skip
async def test_a_fee_is_exact(fee: float, amount: int, kept: int | None) -> None:
    document = recording("quote_dry")
    document["quoteRequest"] |= {"amount": str(amount), "appFees": [{"recipient": "somebody.near", "fee": fee}]}
    document["quote"] |= {"amountIn": str(amount), "minAmountIn": str(amount), "withdrawFee": None}
    async with replaying(Replay([(200, document)])) as adapter:
        fees = (await adapter.quote(request(amount=amount))).fees
    assert fees == (() if kept is None else (FeeItem(FeeType.RELAYER_SERVICE, kept, USDC),))


@pytest.mark.parametrize(("told", "seconds"), [
    (0, 0), (41.2, 42), (7 * 24 * 3600, 7 * 24 * 3600), (7 * 24 * 3600 + 1, None), (-5, None), (-0.5, None),
    (1e70, None),
])  # fmt: skip
async def test_an_estimate_of_more_than_a_week_is_none(told: float, seconds: int | None) -> None:
    document = recording("quote_dry")
    document["quote"]["timeEstimate"] = told
    async with replaying(Replay([(200, document)])) as adapter:
        assert (await adapter.quote(request())).seconds == seconds


@pytest.mark.parametrize("signature", ["", "ed25519:", "ed25519:3yVRcYG", "secp256k1:" + "1" * 64])
async def test_what_is_no_signature_signs_nothing(signature: str) -> None:
    document = recording("quote_dry") | {"signature": signature}
    async with replaying(Replay([(200, document)], signs=False)) as adapter:
        with pytest.raises(errors.UpstreamFailed, match="signed"):
            await adapter.quote(request())


@pytest.mark.parametrize(("name", "value"), [("amountOut", "249625001"), ("minAmountOut", "248376876")])
async def test_a_better_price_than_was_signed_is_refused(name: str, value: str) -> None:
    document = signed(recording("quote_dry"))
    document["quote"][name] = value
    async with replaying(Replay([(200, document)], signs=False)) as adapter:
        with pytest.raises(errors.UpstreamFailed, match="signed"):
            await adapter.quote(request())


@pytest.mark.parametrize(("name", "value"), [("amount", "350000000"), ("deadline", "2026-11-22T12:35:00.000Z")])
async def test_a_price_signed_for_another_question_is_refused(name: str, value: str) -> None:
    other = recording("quote_dry")
    ours = dict(other["quoteRequest"])
    other["quoteRequest"][name] = value
    document = signed(other) | {"quoteRequest": ours}
    async with replaying(Replay([(200, document)], signs=False)) as adapter:
        with pytest.raises(errors.UpstreamFailed, match="signed"):
            await adapter.quote(request())
