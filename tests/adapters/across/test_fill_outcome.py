"""How transfers with a destination call stand: by the pinned Receiver's own event in the fill's transaction alone."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from rhumbline.adapters.across.transfer_status import StatusLookup
from rhumbline.devnet.upstreams.emulator import Outcome
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transfer import TransferStatus
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from tests.adapters.across.bridge_fixture import STRANGER, BridgeFixture, RelayData, state, word
from tests.adapters.across.calling import IN_VAIN, PAID_OUT, Wanted, fill_together, payee, started
from tests.adapters.adapter_fixture import RECEIVER

AFTER_DEADLINE = 24_000
LITTLE = 10**6


def arrived(status: TransferStatus) -> tuple[object, ...]:
    return status.state, status.source, status.destination_tx_hash, status.output_token, status.output_amount


async def test_from_deposit_to_swap(bridge_fixture: BridgeFixture) -> None:
    bridge_fixture.emulator.behaviour.outcome = Outcome.NEVER
    before = await bridge_fixture.gained("WBTC", RECEIVER)
    transfer, _ = await started(bridge_fixture, Wanted())
    assert await state(bridge_fixture, transfer) is TransferState.BRIDGE_PENDING
    bridge_fixture.emulator.behaviour.outcome = Outcome.DELIVER
    status = await bridge_fixture.followed(transfer, TransferState.SUCCESS, TransferState.RECOVERED)
    gained = await bridge_fixture.gained("WBTC", RECEIVER, before)
    assert (status.state, status.source) == (TransferState.SUCCESS, StatusSource.ANALYTICS)
    assert (status.output_token, status.output_amount) == (bridge_fixture.token("sbxb", "WBTC"), gained)
    assert (status.receiver, status.raw["destinationCall"]) == (None, "completed")
    # The chains told it all.
    assert [ask for ask in bridge_fixture.emulator.requests if ask.path == "/deposit/status"] == []


async def test_a_swap_that_fails_has_recovered_the_bridged_tokens(bridge_fixture: BridgeFixture) -> None:
    before = await bridge_fixture.gained("USDC", RECEIVER)
    transfer, relay = await started(bridge_fixture, Wanted(IN_VAIN))
    sent = await bridge_fixture.fill(relay)
    status = await bridge_fixture.adapter.status(transfer)
    usdc = bridge_fixture.token("sbxb", "USDC")
    assert arrived(status) == (TransferState.RECOVERED, StatusSource.ANALYTICS, sent, usdc, PAID_OUT)
    assert (status.receiver, status.raw["destinationCall"]) == (None, "recovered")
    assert await bridge_fixture.gained("USDC", RECEIVER, before) == PAID_OUT


async def test_what_nobody_fills_is_refunded(bridge_fixture: BridgeFixture) -> None:
    transfer, relay = await started(bridge_fixture, Wanted())
    for chain in ("sbxa", "sbxb"):
        await bridge_fixture.pass_time(chain, AFTER_DEADLINE)
    assert await state(bridge_fixture, transfer) is TransferState.REFUND_PENDING
    usdc = bridge_fixture.token("sbxa", "USDC")
    sent = await bridge_fixture.refund(bridge_fixture.account, usdc, relay.input_amount)
    status = await bridge_fixture.adapter.status(transfer)
    assert (status.state, status.refund_tx_hash) == (TransferState.REFUNDED, sent)


CHANGES: dict[str, Callable[[DestinationCall], DestinationCall | None]] = {
    "none": lambda call: None,
    "payee": lambda call: replace(call, payee=STRANGER),
    "token": lambda call: replace(call, token=STRANGER),
    "more": lambda call: replace(call, least=PAID_OUT + 1),
    "message": lambda call: replace(call, message=call.message[:-1] + b"\x01"),
    "no message": lambda call: replace(call, message=b""),
}


async def test_a_deposit_is_what_was_handed_out_or_none(bridge_fixture: BridgeFixture) -> None:
    transfer, relay = await started(bridge_fixture, Wanted())
    await bridge_fixture.fill(relay)
    call = transfer.destination_call
    assert call is not None
    assert await state(bridge_fixture, transfer) is TransferState.SUCCESS
    for name, change in CHANGES.items():
        other = replace(transfer, destination_call=change(call))
        assert await state(bridge_fixture, other) is TransferState.UNKNOWN, name
    less = replace(transfer, destination_call=replace(call, least=call.least - 1))
    assert await state(bridge_fixture, less) is TransferState.SUCCESS


async def test_a_plain_deposit_is_none_with_a_call(bridge_fixture: BridgeFixture) -> None:
    transfer, relay = await bridge_fixture.deposited()
    call = DestinationCall(RECEIVER, transfer.output_token, relay.output_amount, Wanted().message(bridge_fixture))
    assert await state(bridge_fixture, transfer) is TransferState.BRIDGE_PENDING
    assert await state(bridge_fixture, replace(transfer, destination_call=call)) is TransferState.UNKNOWN


def strangers(bridge_fixture: BridgeFixture, relay: RelayData, wanted: Wanted, number: int) -> RelayData:
    """A relay that nobody deposited, for a message that says it is our order's; anybody can fill it."""
    wanted = replace(wanted, amount=LITTLE)
    message = wanted.message(bridge_fixture)
    return replace(relay, number=number, output_amount=LITTLE, depositor=word(STRANGER), message=message)


@pytest.mark.parametrize("ours_fails", [True, False])
async def test_the_same_order_several_times_in_one_transaction(bridge_fixture: BridgeFixture, ours_fails: bool) -> None:
    """Strangers' fills before and after ours end in the other way, under the same ID and for the same receiver."""
    ours, theirs = (Wanted(IN_VAIN), Wanted()) if ours_fails else (Wanted(), Wanted(IN_VAIN))
    before = [await bridge_fixture.gained(symbol, RECEIVER) for symbol in ("USDC", "WBTC")]
    transfer, relay = await started(bridge_fixture, ours)
    around = [strangers(bridge_fixture, relay, theirs, number) for number in (7_001, 7_002)]
    sent = await fill_together(bridge_fixture, around[0], relay, around[1])
    status = await bridge_fixture.adapter.status(transfer)
    usdc, wbtc = (bridge_fixture.token("sbxb", symbol) for symbol in ("USDC", "WBTC"))
    if ours_fails:
        assert arrived(status) == (TransferState.RECOVERED, StatusSource.ANALYTICS, sent, usdc, PAID_OUT)
        assert await bridge_fixture.gained("WBTC", RECEIVER, before[1]) > 0
    else:
        gained = await bridge_fixture.gained("WBTC", RECEIVER, before[1])
        assert arrived(status) == (TransferState.SUCCESS, StatusSource.ANALYTICS, sent, wbtc, gained)
        assert await bridge_fixture.gained("USDC", RECEIVER, before[0]) == 2 * LITTLE


async def test_an_event_of_another_fill_ends_nothing(bridge_fixture: BridgeFixture) -> None:
    """In a transaction of its own, before ours is filled and after."""
    transfer, relay = await started(bridge_fixture, Wanted(IN_VAIN))
    await bridge_fixture.fill(strangers(bridge_fixture, relay, Wanted(), 7_001))
    assert await state(bridge_fixture, transfer) is TransferState.BRIDGE_PENDING
    await bridge_fixture.fill(relay)
    await bridge_fixture.fill(strangers(bridge_fixture, relay, Wanted(), 7_002))
    assert await state(bridge_fixture, transfer) is TransferState.RECOVERED


async def test_a_depositor_who_signs_the_call_away(bridge_fixture: BridgeFixture) -> None:
    """Whoever is paid the bridged tokens instead is who got them, and nothing was completed."""
    usdc = bridge_fixture.token("sbxb", "USDC")
    transfer, relay = await started(bridge_fixture, Wanted())
    sent = await bridge_fixture.speed_up(relay, PAID_OUT - 1, word(STRANGER))
    status = await bridge_fixture.adapter.status(transfer)
    assert arrived(status) == (TransferState.RECOVERED, StatusSource.ANALYTICS, sent, usdc, PAID_OUT - 1)
    assert status.receiver == checksummed(STRANGER)


async def test_a_depositor_who_has_the_tokens_paid_to_the_receiver(bridge_fixture: BridgeFixture) -> None:
    transfer, relay = await started(bridge_fixture, Wanted())
    await bridge_fixture.speed_up(relay, PAID_OUT, word(RECEIVER))
    status = await bridge_fixture.adapter.status(transfer)
    assert (status.state, status.output_amount, status.receiver) == (TransferState.RECOVERED, PAID_OUT, None)


@pytest.mark.parametrize("instead", [Wanted(receiver=STRANGER), Wanted(id=bytes(31) + b"\x08")])
async def test_a_depositor_who_signs_another_message(bridge_fixture: BridgeFixture, instead: Wanted) -> None:
    """It is another order's: of ours it is proved that its tokens were paid to the Receiver, and no more."""
    transfer, relay = await started(bridge_fixture, Wanted())
    ours = payee(bridge_fixture)
    await bridge_fixture.speed_up(relay, PAID_OUT, word(ours), instead.message(bridge_fixture))
    status = await bridge_fixture.adapter.status(transfer)
    assert (status.state, status.output_amount, status.receiver) == (TransferState.RECOVERED, PAID_OUT, ours)


async def test_a_depositor_who_takes_less(bridge_fixture: BridgeFixture) -> None:
    """The same call with less: what the Receiver measured is what counts."""
    before = await bridge_fixture.gained("WBTC", RECEIVER)
    transfer, relay = await started(bridge_fixture, Wanted())
    less = Wanted(amount=PAID_OUT // 2)
    await bridge_fixture.speed_up(relay, PAID_OUT // 2, word(payee(bridge_fixture)), less.message(bridge_fixture))
    status = await bridge_fixture.adapter.status(transfer)
    gained = await bridge_fixture.gained("WBTC", RECEIVER, before)
    assert (status.state, status.output_amount) == (TransferState.SUCCESS, gained)


async def test_a_fill_whose_event_is_not_found_ends_nothing(bridge_fixture: BridgeFixture) -> None:
    transfer, relay = await started(bridge_fixture, Wanted())
    await bridge_fixture.fill(relay)
    status = await StatusLookup(bridge_fixture.adapter.context, transfer, search_s=0).status()
    assert (status.state, status.source) == (TransferState.BRIDGE_PENDING, StatusSource.ANALYTICS)
    assert (status.substatus, status.output_amount) == ("filled", None)
    assert await state(bridge_fixture, transfer) is TransferState.SUCCESS


@pytest.mark.parametrize("said", ["filled", "slowFilled"])
async def test_the_api_ends_nothing_that_a_node_can_show(bridge_fixture: BridgeFixture, said: str) -> None:
    """With the destination's node out of order its words are waited out; without one they are what there is."""
    transfer, _ = await started(bridge_fixture, Wanted())
    bridge_fixture.emulator.behaviour.status = said
    assert await state(bridge_fixture, transfer) is TransferState.BRIDGE_PENDING
    rpcs = dict(bridge_fixture.adapter.context.rpcs)
    number = bridge_fixture.chains["sbxb"].id
    rpcs[number] = EvmRpc("http://127.0.0.1:9", rpcs[number].http, "sbxb")
    waiting = await bridge_fixture.with_parts(rpcs=rpcs).status(transfer)
    assert (waiting.state, waiting.source) == (TransferState.BRIDGE_PENDING, StatusSource.BRIDGE_API)
    told = await bridge_fixture.without_node("sbxb").status(transfer)
    assert (told.state, told.source, told.output_amount) == (TransferState.SUCCESS, StatusSource.BRIDGE_API, None)
