"""The call that ``build`` hands out, and every other call that it refuses."""

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.symbiosis.calldata import DEPOSIT, UNWRAP, read_crossing
from rhumbline.domain.deposit import BridgeDeposit, LogPattern
from rhumbline.domain.errors import RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import Quote
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.gateways.evm.abi import MalformedAnswer, topic
from tests.adapters.bridging.replay import refused
from tests.adapters.symbiosis.calls import DEADLINE, ETHER, EXECUTOR, NOBODY, RECEIVER, UNWRAPPER, USDC, WALLET, Call
from tests.adapters.symbiosis.replay import ETHER as ETHEREUM_NATIVE
from tests.adapters.symbiosis.replay import ETHER_ARBITRUM, Replay, answered, recording, replaying, request

ENTRY = "0xB4769e9c5bE31199a25ecD1B0C6609183fa72521"
BROADCASTER = "0x67f9b3E561383493B3f874fEAE0c53c2cD23851D"


def quoted(minimum: int | None = 496_600_000, output: int = 499_100_000, **changes: Any) -> Quote[int]:
    return Quote("SYMBIOSIS", request(**changes), output, 300_000, min_output_amount=minimum)


def word(value: str | int) -> bytes:
    return (int(value, 16) if isinstance(value, str) else value).to_bytes(32)


LOCKED = BridgeDeposit(
    USDC,
    500_000_000,
    (Call.portal,),
    LogPattern(
        Call.portal,
        (
            topic("SynthesizeRequest(bytes32,address,uint256,address,address,uint256,address)"),
            word(WALLET),
            word(13863860),
            word(WALLET),
        ),
        {1: word(RECEIVER), 3: word(USDC)},
        amount_at=2,
    ),
)


def of_ether(call: Call = ETHER) -> Any:
    document = answered(call, value=str(call.amount))
    for name in ("tokenAmountOut", "tokenAmountOutMin"):
        document[name] |= {"address": "", "symbol": "ETH", "decimals": 18}
    return document


async def test_the_call_goes_to_the_entry_and_its_spender_is_approved() -> None:
    replay = Replay([(200, recording("quote"))])
    async with replaying(replay) as adapter:
        built = await adapter.build(quoted())
    assert built == EvmTransaction(
        1, ENTRY, 0, Call().encode(), ENTRY, kind=CallKind.CALL, expires_at=DEADLINE - 300, deposit=LOCKED
    )
    # 2,500,000 of 499,400,000 that the pool gives.
    assert replay.asked[0][2]["slippage"] == 50


@pytest.mark.parametrize("caller", [WALLET, EXECUTOR])
async def test_ether_is_wrapped_and_unwrapped(caller: str) -> None:
    asked: dict[str, Any] = {"origin_token": ETHEREUM_NATIVE, "destination_token": ETHER_ARBITRUM, "taker": caller}
    async with replaying(Replay([(200, of_ether())])) as adapter:
        built = await adapter.build(quoted(**asked))
    assert (built.to, built.value, built.spender) == (ENTRY, 500_000_000, None)
    # The portal gains the wrapped token.
    assert built.deposit is not None
    assert (built.deposit.token, built.deposit.least) == (ETHER.token, 500_000_000)
    assert built.deposit.log is not None
    assert built.deposit.log.words[3] == word(ETHER.token)


async def test_symbiosis_own_account_may_turn_it_back() -> None:
    call = Call(revertable=BROADCASTER, burn_revertable=BROADCASTER)
    async with replaying(Replay([(200, answered(call))])) as adapter:
        assert (await adapter.build(quoted())).data == call.encode()
        strict = {chain: replace(each, reverters=()) for chain, each in adapter.context.deployments.items()}
    async with replaying(Replay([(200, answered(call))]), strict) as adapter:
        with pytest.raises(UpstreamFailed, match="turn it back"):
            await adapter.build(quoted())


WRONG: dict[str, Any] = {
    "first_call": DEPOSIT.encode(),
    "second_call": b"\x01",
    "approved": (EXECUTOR, USDC),
    "first_router": EXECUTOR,
    "amount": 500_000_001,
    "native": True,
    "portal": EXECUTOR,
    "fee": 250_000_000,
    "locked": 499_999_999,
    "token": EXECUTOR,
    "to": EXECUTOR,
    "receive_side": EXECUTOR,
    "bridge": EXECUTOR,
    "caller": EXECUTOR,
    "chain": 42161,
    "swapped": (EXECUTOR, Call.burnt),
    "swapper": EXECUTOR,
    "burner": EXECUTOR,
    "burn_at": 132,
    "revertable": EXECUTOR,
    "calls": 2,
    "pool": EXECUTOR,
    "path": (Call.burnt, EXECUTOR),
    "swap_at": 36,
    "holder": EXECUTOR,
    "from_index": 1,
    "to_index": 12,
    "minimum": 300_000,
    "swap_to": EXECUTOR,
    "burn_fee": 496_900_000,
    "burn_caller": EXECUTOR,
    "burnt": EXECUTOR,
    "final_side": EXECUTOR,
    "final_call": UNWRAP.encode(1, RECEIVER),
    "burn_to": EXECUTOR,
    "burn_portal": EXECUTOR,
    "burn_bridge": EXECUTOR,
    "burn_revertable": EXECUTOR,
    "burn_chain": 56,
}
# What binds by another check: the deadline by the clock.
FREE = {"deadline"}
# What does nothing: a router without a call, guesses that are overwritten on chain, identifiers.
IDLE: dict[str, Any] = {
    "second_router": "0x" + "ff" * 20,
    "calls_guess": 2**256 - 1,
    "swap_guess": 2**256 - 1,
    "burn_guess": 2**256 - 1,
    "cross_id": b"\xff" * 32,
    "client": b"\xff" * 32,
    "final_at": 2**256 - 1,
}
EMPTY: dict[str, Any] = {
    name: bytes(32) if isinstance(value, bytes) else 0 if isinstance(value, int) else NOBODY
    for name, value in IDLE.items()
}
IDLE_BYTES = {
    place
    for place, (one, other) in enumerate(
        zip(replace(Call(), **EMPTY).encode(), replace(Call(), **IDLE).encode(), strict=True)
    )
    if one != other
}


def test_every_field_of_the_call_is_tried() -> None:
    assert WRONG.keys() | IDLE.keys() | FREE == {each.name for each in fields(Call)}


@pytest.mark.parametrize("field", WRONG)
async def test_a_call_that_differs_in_one_field_is_refused(field: str) -> None:
    call = replace(Call(), **{field: WRONG[field]})
    await refused(replaying(Replay([(200, answered(call))])), UpstreamFailed, lambda adapter: adapter.build(quoted()))


@pytest.mark.parametrize(
    "change",
    [
        {"first_call": b""},
        {"first_call": DEPOSIT.encode() + b"\x00"},
        {"first_router": EXECUTOR},
        {"approved": (USDC, ETHER.token)},
        {"native": False},
        {"final_side": EXECUTOR},
        {"final_call": UNWRAP.encode(1, EXECUTOR)},
        {"final_call": b"", "final_side": NOBODY},
        {"final_call": b"", "final_side": UNWRAPPER},
        {"final_at": 68},
    ],
)
async def test_a_call_with_ether_that_differs_is_refused(change: dict[str, Any]) -> None:
    async with replaying(Replay([(200, of_ether(replace(ETHER, **change)))])) as adapter:
        with pytest.raises(UpstreamFailed):
            await adapter.build(quoted(origin_token=ETHEREUM_NATIVE, destination_token=ETHER_ARBITRUM))


@given(place=st.integers(0, len(Call().encode()) - 1), change=st.integers(1, 255))
def test_no_byte_is_without_meaning(place: int, change: int) -> None:
    """A changed byte is refused, or read as another call, unless it is one of those that do nothing."""
    data = bytearray(Call().encode())
    data[place] ^= change
    try:
        read = read_crossing(bytes(data))
    except MalformedAnswer:
        return
    assert (read == read_crossing(Call().encode())) == (place in IDLE_BYTES)


async def test_what_does_nothing_may_be_anything() -> None:
    call = replace(Call(), **IDLE)
    async with replaying(Replay([(200, answered(call))])) as adapter:
        assert (await adapter.build(quoted())).data == call.encode()


async def test_trailing_bytes_are_refused() -> None:
    document = recording("quote")
    document["tx"]["data"] += "00"
    await refused(replaying(Replay([(200, document)])), UpstreamFailed, lambda adapter: adapter.build(quoted()))


async def test_a_price_that_fell_a_little_is_asked_again_with_less_slippage() -> None:
    first, second = answered(Call(minimum=496_850_000)), answered(Call(minimum=496_920_000))
    for document in (first, second):
        document["tokenAmountOut"]["amount"] = "499000000"
        document["tokenAmountOutMin"]["amount"] = "496000000"
    replay = Replay([(200, first), (200, second)])
    async with replaying(replay) as adapter:
        built = await adapter.build(quoted())
    assert built.data == Call(minimum=496_920_000).encode()
    assert [body["slippage"] for _, _, body in replay.asked] == [50, 48]


async def test_a_price_that_keeps_falling_is_no_transaction() -> None:
    worse = answered(Call(minimum=496_850_000))
    async with replaying(Replay([(200, worse), (200, worse)])) as adapter:
        with pytest.raises(SlippageTooTight):
            await adapter.build(quoted())


async def test_a_price_below_the_minimum_is_no_transaction() -> None:
    worse = answered(Call(minimum=480_000_000))
    worse["tokenAmountOut"]["amount"], worse["tokenAmountOutMin"]["amount"] = "490000000", "479700000"
    replay = Replay([(200, worse)])
    await refused(replaying(replay), SlippageTooTight, lambda adapter: adapter.build(quoted()))
    assert len(replay.asked) == 1


@pytest.mark.parametrize("minimum", [None, 0, 499_100_001])
async def test_a_minimum_must_be_set(minimum: int | None) -> None:
    replay = Replay()
    await refused(replaying(replay), RequestRejected, lambda adapter: adapter.build(quoted(minimum)))
    assert not replay.asked


async def test_a_minimum_closer_than_the_service_promises_is_not_asked_for() -> None:
    replay = Replay()
    await refused(replaying(replay), SlippageTooTight, lambda adapter: adapter.build(quoted(499_000_000)))
    assert not replay.asked


async def test_a_deadline_that_is_too_close_is_refused() -> None:
    async with replaying(Replay([(200, answered(Call(deadline=1_795_263_000 + 300)))])) as adapter:
        with pytest.raises(UpstreamFailed, match="deadline"):
            await adapter.build(quoted())


async def test_a_named_wallet_is_refunded_and_only_the_sender_may_turn_it_back() -> None:
    named = EXECUTOR
    replay = Replay([(200, answered(Call(caller=named)))])
    async with replaying(replay) as adapter:
        built = await adapter.build(quoted(refund_to=named))
    crossing = read_crossing(built.data)
    assert (crossing.refunded, crossing.revertable, crossing.burn.revertable) == (named, WALLET, WALLET)
    asked = replay.asked[0][2]
    assert (asked["from"], {each["address"] for each in asked["revertableAddresses"]}) == (named, {WALLET})
    # What refunds the sender is refused, and so is what the named wallet could turn back.
    for call in (Call(), Call(caller=named, revertable=named)):
        replay = Replay([(200, answered(call))] * 2)
        await refused(replaying(replay), UpstreamFailed, lambda adapter: adapter.build(quoted(refund_to=named)))
