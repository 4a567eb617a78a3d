"""The payment that ``build`` makes, and every reason for which it makes none."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from rhumbline.adapters.near_intents.client import Route
from rhumbline.adapters.near_intents.deployments import DEPLOYMENTS, PRODUCTION_SIGNER
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.errors import NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import Quote
from rhumbline.domain.transaction import CallKind, EvmTransaction
from tests.adapters.bridging.replay import refused, token
from tests.adapters.near_intents.replay import (
    DEPOSIT,
    EXECUTOR,
    RECEIVER,
    SENDER,
    USDC,
    Replay,
    recorded,
    recording,
    replaying,
    request,
    signed,
)
from tests.adapters.near_intents.test_adapter import QUESTION

# The earlier of both ends, less the time to confirm on Ethereum.
EXPIRES = int(datetime(2026, 11, 22, 12, 20, tzinfo=UTC).timestamp())


def quoted(minimum: int | None = 248_376_875, output: int = 249_625_000, **changes: Any) -> Quote[Route]:
    assets = str(QUESTION["originAsset"]), str(QUESTION["destinationAsset"])
    route = Route(DEPLOYMENTS[1], DEPLOYMENTS[8453], *assets)
    return Quote("NEAR_INTENTS", request(**changes), output, route, min_output_amount=minimum)


@pytest.mark.parametrize("caller", [EXECUTOR, SENDER])
async def test_exactly_the_input_is_paid_to_the_deposit_address(caller: str) -> None:
    replay = Replay([*recorded("quote_reserved")])
    async with replaying(replay) as adapter:
        built = await adapter.build(quoted(taker=caller))
    assert replay.questions == [QUESTION | {"dry": False}]
    assert [path for _, path, _, _ in replay.asked if path != "/v0/quote"] == ["/v0/tokens"]
    paid = BridgeDeposit(USDC.address, 250_000_000, (DEPOSIT,))
    assert built == EvmTransaction(
        1, DEPOSIT, 0, b"", kind=CallKind.PAY, reference=DEPOSIT, expires_at=EXPIRES, deposit=paid
    )


async def test_the_wallet_itself_sends_the_native_asset() -> None:
    document = recording("quote_reserved")
    document["quoteRequest"] |= {"originAsset": "nep141:eth.omft.near"}
    replay = Replay([(200, document)])
    async with replaying(replay) as adapter:
        built = await adapter.build(quoted(origin_token=token(1, NATIVE_EVM, "ETH", 18), taker=SENDER))
    assert isinstance(built, EvmTransaction)
    assert (built.to, built.value, built.data, built.kind) == (DEPOSIT, 250_000_000, b"", CallKind.CALL)
    assert built.deposit == BridgeDeposit(NATIVE_EVM, 250_000_000, (DEPOSIT,))


async def test_a_price_that_fell_a_little_is_asked_again_with_less_slippage() -> None:
    replay = Replay([*recorded("quote_fallen", "quote_tighter")])
    async with replaying(replay) as adapter:
        built = await adapter.build(quoted())
    assert isinstance(built, EvmTransaction)
    assert [each["slippageTolerance"] for each in replay.questions] == [50, 48]
    assert built.to == "0x78731D3Ca6b7E34aC0F824c42a7cC18A495cabaB"


@pytest.mark.parametrize("minimum", [249_575_076, 249_625_000])
async def test_a_price_that_fell_below_the_minimum_is_no_transaction(minimum: int) -> None:
    document = recording("quote_fallen")
    document["quoteRequest"]["slippageTolerance"] = (249_625_000 - minimum) * 10_000 // 249_625_000
    document["quote"]["minAmountOut"] = document["quote"]["amountOut"]
    replay = Replay([(200, document)])
    await refused(replaying(replay), SlippageTooTight, lambda adapter: adapter.build(quoted(minimum)))
    assert len(replay.questions) == 1


async def test_a_price_that_keeps_falling_is_no_transaction() -> None:
    first, second = recording("quote_fallen"), recording("quote_tighter")
    second["quote"] |= {"amountOut": "249500000", "minAmountOut": "248302400"}
    async with replaying(Replay([(200, first), (200, second)])) as adapter:
        with pytest.raises(SlippageTooTight):
            await adapter.build(quoted())


@pytest.mark.parametrize("minimum", [None, 0, 249_625_001])
async def test_a_minimum_must_be_set(minimum: int | None) -> None:
    replay = Replay()
    await refused(replaying(replay), RequestRejected, lambda adapter: adapter.build(quoted(minimum)))
    assert not replay.asked


@pytest.mark.parametrize(
    "address",
    [
        None,
        "",
        "bc1q873cxltdc560dth6tpwqpehq9uvhxxcdgwnmnw",
        NATIVE_EVM,
        "0x" + "0" * 39 + "9",
        USDC.address,
        SENDER,
        RECEIVER,
        EXECUTOR,
        EXECUTOR.lower(),
    ],
)
async def test_a_deposit_address_that_is_none_is_refused(address: str | None) -> None:
    document = recording("quote_reserved")
    document["quote"]["depositAddress"] = address
    await refused(replaying(Replay([(200, document)])), UpstreamFailed, lambda adapter: adapter.build(quoted()))


@pytest.mark.parametrize("field", ["diamond", "executor", "wrapped_native"])
async def test_our_own_contracts_are_no_deposit_address_in_any_case(field: str) -> None:
    document = recording("quote_reserved")
    document["quote"]["depositAddress"] = EXECUTOR
    ours: dict[str, Any] = {field: EXECUTOR.lower()}
    origin = replace(request().origin, **ours)
    async with replaying(Replay([(200, document)])) as adapter:
        with pytest.raises(UpstreamFailed, match="belongs to somebody else"):
            await adapter.build(quoted(origin=origin, taker=SENDER))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("deadline", None),
        ("deadline", "2026-11-21T12:15:00.000Z"),
        ("timeWhenInactive", "2026-11-21T12:14:59.000Z"),
        ("depositMemo", "memo"),
    ],
)
async def test_an_address_that_ends_too_soon_or_needs_more_is_refused(name: str, value: str | None) -> None:
    document = recording("quote_reserved")
    document["quote"][name] = value
    await refused(replaying(Replay([(200, document)])), UpstreamFailed, lambda adapter: adapter.build(quoted()))


@pytest.mark.parametrize(
    ("entry", "name", "value"),
    [
        (1, "blockchain", "base"),
        (1, "decimals", 18),
        (1, "contractAddress", EXECUTOR.lower()),
        (1, "contractAddress", None),
        (3, "contractAddress", EXECUTOR.lower()),
        (3, "decimals", 8),
        (3, "decimals", "6"),
    ],
)
async def test_an_asset_that_means_another_token_now_is_refused(entry: int, name: str, value: object) -> None:
    listed = recording("tokens")
    listed[entry][name] = value
    async with replaying(Replay([*recorded("quote_reserved")], tokens=(200, listed))) as adapter:
        with pytest.raises(UpstreamFailed):
            await adapter.build(quoted())


async def test_an_asset_that_is_gone_is_no_route() -> None:
    listed = [each for each in recording("tokens") if each["blockchain"] != "base"]
    async with replaying(Replay([*recorded("quote_reserved")], tokens=(200, listed))) as adapter:
        with pytest.raises(NoRoute):
            await adapter.build(quoted())


@pytest.mark.parametrize("tokens", [(200, {}), (200, "a text"), (503, None)])
async def test_a_list_of_tokens_that_is_none_is_a_failure(tokens: tuple[int, Any]) -> None:
    async with replaying(Replay([*recorded("quote_reserved")], tokens=tokens)) as adapter:
        with pytest.raises(UpstreamFailed):
            await adapter.build(quoted())


async def test_without_the_signature_of_the_services_key_there_is_no_address() -> None:
    async with replaying(Replay([*recorded("quote_reserved")], signs=False), deployments=DEPLOYMENTS) as adapter:
        with pytest.raises(UpstreamFailed, match="signed"):
            await adapter.build(quoted())
    assert {place.signer for place in DEPLOYMENTS.values()} == {PRODUCTION_SIGNER}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("depositAddress", "0x78731D3Ca6b7E34aC0F824c42a7cC18A495cabaB"),
        ("deadline", "2026-11-24T12:34:59.000Z"),
        ("timeWhenInactive", "2026-11-23T12:35:00.000Z"),
        ("amountOut", "249625001"),
        ("minAmountOut", "248376876"),
        ("minAmountIn", "249999999"),
        ("refundFee", "0"),
        ("withdrawFee", "0"),
        ("amountInUsd", "250"),
        ("timeEstimate", 42.5),
    ],
)
async def test_a_quote_altered_after_it_was_signed_is_refused(name: str, value: object) -> None:
    document = signed(recording("quote_reserved"))
    document["quote"][name] = value
    async with replaying(Replay([(200, document)], signs=False)) as adapter:
        with pytest.raises(UpstreamFailed, match="signed"):
            await adapter.build(quoted())


OTHER = "0x000000000000000000000000000000000000dEaD"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("dry", True),
        ("swapType", "FLEX_INPUT"),
        ("swapType", "EXACT_OUTPUT"),
        ("slippageTolerance", 49),
        ("originAsset", "nep141:eth.omft.near"),
        ("destinationAsset", "nep141:base.omft.near"),
        ("depositType", "INTENTS"),
        ("recipientType", "INTENTS"),
        ("refundType", "INTENTS"),
        ("amount", "250000001"),
        ("refundTo", OTHER),
        ("recipient", OTHER),
        ("virtualChainRecipient", OTHER),
        ("virtualChainRefundRecipient", OTHER),
        ("customRecipientMsg", "msg"),
    ],
)
async def test_a_genuine_signature_over_another_question_is_no_signature(name: str, value: object) -> None:
    """A liar asks the service for itself, and hands us the signed answer with our question written over its own."""
    other = recording("quote_reserved")
    ours = dict(other["quoteRequest"])
    other["quoteRequest"][name] = value
    document = signed(other) | {"quoteRequest": ours}
    async with replaying(Replay([(200, document)], signs=False)) as adapter:
        with pytest.raises(UpstreamFailed, match="signed"):
            await adapter.build(quoted())


async def test_a_memo_that_was_signed_cannot_be_left_out() -> None:
    other = recording("quote_reserved")
    other["quote"]["depositMemo"] = "memo"
    document = signed(other)
    del document["quote"]["depositMemo"]
    async with replaying(Replay([(200, document)], signs=False)) as adapter:
        with pytest.raises(UpstreamFailed, match="signed"):
            await adapter.build(quoted())


@pytest.mark.parametrize("deadline", ["2026-11-21T12:34:59.000Z", "2026-11-24T12:35:01.000Z"])
async def test_an_address_made_for_another_deadline_is_refused(deadline: str) -> None:
    """The signature has the address's own end in place of the question's."""
    document = recording("quote_reserved")
    document["quote"]["deadline"] = deadline
    async with replaying(Replay([(200, document)])) as adapter:
        with pytest.raises(UpstreamFailed, match="deadline"):
            await adapter.build(quoted())


@pytest.mark.parametrize("timestamp", ["2026-11-21T11:54:59.000Z", "2026-11-21T12:05:01.000Z", "2026-11-21", "soon"])
async def test_a_quote_of_another_time_is_refused(timestamp: str) -> None:
    document = recording("quote_reserved") | {"timestamp": timestamp}
    await refused(replaying(Replay([(200, document)])), UpstreamFailed, lambda adapter: adapter.build(quoted()))


async def test_addresses_may_be_repeated_in_another_case_and_unread_words_may_be_any() -> None:
    document = recording("quote_reserved")
    document["quoteRequest"] |= {
        "refundTo": SENDER.lower(),
        "recipient": RECEIVER.lower(),
        "referral": "somebody",
        "quoteWaitingTimeMs": 3000,
    }
    async with replaying(Replay([(200, document)])) as adapter:
        built = await adapter.build(quoted())
    assert isinstance(built, EvmTransaction)
    assert built.to == DEPOSIT
