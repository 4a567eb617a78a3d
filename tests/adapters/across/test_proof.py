"""How a transfer stands by what the chains prove, whatever strangers have the pools say."""

from dataclasses import replace
from typing import Any

import pytest

from rhumbline.devnet.evm.operator import Operator, encoded
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from tests.adapters.across.bridge_fixture import FILL, SLOW_FILL, STRANGER, BridgeFixture, RelayData, state, word
from tests.adapters.adapter_fixture import RECEIVER

NOBODY = bytes(32)
AFTER_DEADLINE = 24_000


async def worthless(who: Operator, bridge_fixture: BridgeFixture) -> str:
    """A token of the stranger's own: another WETH9's code, of which they can have as much as they like."""
    weth = await bridge_fixture.rpcs["sbxb"].code(bridge_fixture.token("sbxb", "WETH"))
    address = "0x00000000000000000000000000000000000Badc0"
    await bridge_fixture.rpcs["sbxb"].call("anvil_setCode", [address, "0x" + weth.hex()])
    await who.send(address, encoded("deposit()"), 10**18)
    return address


async def test_a_transfer_from_deposit_to_fill(bridge_fixture: BridgeFixture) -> None:
    transfer, relay = await bridge_fixture.deposited()
    pending = await bridge_fixture.adapter.status(transfer)
    assert (pending.state, pending.source) == (TransferState.BRIDGE_PENDING, StatusSource.ANALYTICS)
    assert (pending.substatus, pending.destination_tx_hash) == ("pending", None)
    filled_by = await bridge_fixture.fill(relay)
    arrived = await bridge_fixture.adapter.status(transfer)
    assert (arrived.state, arrived.source) == (TransferState.SUCCESS, StatusSource.ANALYTICS)
    assert arrived.destination_tx_hash == filled_by
    assert arrived.output_token == bridge_fixture.token("sbxb", "USDC")
    assert (arrived.output_amount, arrived.receiver) == (relay.output_amount, None)
    assert arrived.raw["depositId"] == str(relay.number)
    # The chains told it all.
    assert [asked for asked in bridge_fixture.emulator.requests if asked.path == "/deposit/status"] == []


async def test_a_forged_fill_is_not_believed(bridge_fixture: BridgeFixture) -> None:
    """A stranger fills our deposit ID on the real pool with one unit of a worthless token."""
    transfer, relay = await bridge_fixture.deposited()
    who = await bridge_fixture.stranger()
    token = await worthless(who, bridge_fixture)
    forgeries = [
        replace(relay, output_token=word(token), output_amount=1, exclusive_relayer=NOBODY, exclusivity=0),
        replace(relay, output_token=word(token), exclusivity=0, exclusive_relayer=NOBODY),
        replace(relay, recipient=word(STRANGER), output_token=word(token), output_amount=1,
                exclusive_relayer=NOBODY, exclusivity=0),
    ]  # fmt: skip
    emitted = [await bridge_fixture.fill(forged, who) for forged in forgeries]
    for adapter in (bridge_fixture.adapter, bridge_fixture.without_node("sbxa"), bridge_fixture.without_node("sbxb")):
        assert await state(bridge_fixture, transfer, adapter) is TransferState.BRIDGE_PENDING
    honest = await bridge_fixture.fill(relay)
    for adapter in (bridge_fixture.adapter, bridge_fixture.without_node("sbxa"), bridge_fixture.without_node("sbxb")):
        arrived = await adapter.status(transfer)
        assert arrived.state is TransferState.SUCCESS
        assert arrived.destination_tx_hash == honest
        assert arrived.destination_tx_hash not in emitted
    assert (await bridge_fixture.adapter.status(transfer)).output_amount == relay.output_amount


FIELDS: list[tuple[str, object]] = [
    ("depositor", word(STRANGER)),
    ("recipient", word(STRANGER)),
    ("input_token", word(STRANGER)),
    ("input_amount", 1),
    ("output_amount", 1),
    ("origin", 900_009),
    ("number", 999),
    ("exclusivity", 0),
]


@pytest.mark.parametrize(("field", "value"), FIELDS)
async def test_a_fill_that_differs_in_one_field_is_none(bridge_fixture: BridgeFixture, field: str, value: Any) -> None:
    transfer, relay = await bridge_fixture.deposited()
    await bridge_fixture.fill(replace(relay, **{field: value}))
    assert await state(bridge_fixture, transfer) is TransferState.BRIDGE_PENDING


async def test_a_fill_with_another_deadline_or_message_is_none(bridge_fixture: BridgeFixture) -> None:
    transfer, relay = await bridge_fixture.deposited()
    await bridge_fixture.fill(replace(relay, fill_deadline=relay.fill_deadline + 1))
    await bridge_fixture.fill(replace(relay, message=b"\x01"))
    assert await state(bridge_fixture, transfer) is TransferState.BRIDGE_PENDING


async def test_a_fill_told_by_another_contract_is_none(bridge_fixture: BridgeFixture) -> None:
    """Another pool of the same code, say of a stranger, fills the very same relay."""
    transfer, relay = await bridge_fixture.deposited()
    rpc = bridge_fixture.rpcs["sbxb"]
    pool = "0x000000000000000000000000000000000000Face"
    await rpc.call("anvil_setCode", [pool, "0x" + (await rpc.code(bridge_fixture.pool)).hex()])
    for slot in await _implementation(rpc, bridge_fixture.pool):
        await rpc.call("anvil_setStorageAt", [pool, *slot])
    payer = await bridge_fixture.relayer()
    token = bridge_fixture.token("sbxb", "USDC")
    await payer.send(token, encoded("approve(address,uint256)", pool, relay.output_amount))
    before = await bridge_fixture.gained("USDC", RECEIVER)
    await payer.send(pool, encoded(FILL, relay.values(), 1, word(payer.address)))
    assert await bridge_fixture.gained("USDC", RECEIVER, before) == relay.output_amount
    assert await state(bridge_fixture, transfer) is TransferState.BRIDGE_PENDING


async def _implementation(rpc: EvmRpc, pool: str) -> list[tuple[str, str]]:
    """The proxy's implementation slot (EIP-1967), and the lock that a fresh proxy has at zero."""
    slot = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"
    locks = [f"0x{number:064x}" for number in range(12)]
    return [(place, str(await rpc.call("eth_getStorageAt", [pool, place, "latest"]))) for place in (slot, *locks)]


async def test_a_slow_fill_that_was_requested(bridge_fixture: BridgeFixture) -> None:
    transfer, relay = await bridge_fixture.deposited()
    await bridge_fixture.pass_time("sbxb", 60)
    await bridge_fixture.send_fill(encoded(SLOW_FILL, relay.values()))
    status = await bridge_fixture.adapter.status(transfer)
    assert (status.state, status.substatus) == (TransferState.BRIDGE_PENDING, "slowFillRequested")


async def test_what_the_depositor_signed_for_is_what_counts(bridge_fixture: BridgeFixture) -> None:
    """A speed-up: less, to somebody else, with the depositor's signature; the fill says what was really paid, and to
    whom: the receiver that was asked for got nothing, and is not who it arrived at."""
    transfer, relay = await bridge_fixture.deposited()
    less = relay.output_amount - 5_000_000
    sent = await bridge_fixture.speed_up(relay, less, word(STRANGER))
    status = await bridge_fixture.adapter.status(transfer)
    assert (status.state, status.destination_tx_hash, status.output_amount) == (TransferState.SUCCESS, sent, less)
    assert str(status.raw["updatedRecipient"]).lower() == STRANGER.lower()
    assert status.receiver == checksummed(STRANGER)


async def test_an_expired_deposit_is_refunded(bridge_fixture: BridgeFixture) -> None:
    transfer, relay = await bridge_fixture.deposited()
    await bridge_fixture.pass_time("sbxb", AFTER_DEADLINE)
    await bridge_fixture.pass_time("sbxa", AFTER_DEADLINE)
    waiting = await bridge_fixture.adapter.status(transfer)
    assert (waiting.state, waiting.source) == (TransferState.REFUND_PENDING, StatusSource.ANALYTICS)
    assert waiting.substatus == "expired"
    refunded_by = await bridge_fixture.refund(
        bridge_fixture.account, bridge_fixture.token("sbxa", "USDC"), relay.input_amount
    )
    refunded = await bridge_fixture.adapter.status(transfer)
    assert (refunded.state, refunded.source) == (TransferState.REFUNDED, StatusSource.ANALYTICS)
    assert refunded.refund_tx_hash == refunded_by


async def test_a_refund_is_found_while_the_api_is_silent(bridge_fixture: BridgeFixture) -> None:
    transfer, relay = await bridge_fixture.deposited()
    usdc = bridge_fixture.token("sbxa", "USDC")
    # The pool has others' money too.
    await bridge_fixture.send(
        "sbxa", usdc, encoded("transfer(address,uint256)", bridge_fixture.pool, 3 * relay.input_amount)
    )
    # Not this deposit's: before the deadline, a smaller sum, somebody else.
    await bridge_fixture.refund(bridge_fixture.account, usdc, relay.input_amount)
    await bridge_fixture.pass_time("sbxb", AFTER_DEADLINE)
    await bridge_fixture.pass_time("sbxa", AFTER_DEADLINE)
    bridge_fixture.emulator.behaviour.failure = "unexpected"
    assert await state(bridge_fixture, transfer) is TransferState.REFUND_PENDING
    await bridge_fixture.refund(bridge_fixture.account, usdc, relay.input_amount - 1)
    await bridge_fixture.refund(STRANGER, usdc, relay.input_amount)
    assert await state(bridge_fixture, transfer) is TransferState.REFUND_PENDING
    refunded_by = await bridge_fixture.refund(bridge_fixture.account, usdc, relay.input_amount)
    refunded = await bridge_fixture.adapter.status(transfer)
    assert (refunded.state, refunded.source) == (TransferState.REFUNDED, StatusSource.ANALYTICS)
    assert refunded.refund_tx_hash == refunded_by


async def test_a_fill_that_came_in_time_counts_after_the_deadline(bridge_fixture: BridgeFixture) -> None:
    transfer, relay = await bridge_fixture.deposited()
    filled_by = await bridge_fixture.fill(relay)
    await bridge_fixture.pass_time("sbxb", AFTER_DEADLINE)
    assert (await bridge_fixture.adapter.status(transfer)).destination_tx_hash == filled_by


async def test_the_destination_confirms_first(bridge_fixture: BridgeFixture) -> None:
    transfer, relay = await bridge_fixture.deposited()
    number = bridge_fixture.chains["sbxb"].id
    careful = {
        **bridge_fixture.adapter.context.chains,
        number: replace(bridge_fixture.chains["sbxb"], confirmations=3),
    }
    adapter = bridge_fixture.with_parts(chains=careful)
    await bridge_fixture.fill(relay)
    for _ in range(3):
        assert await state(bridge_fixture, transfer, adapter) is TransferState.BRIDGE_PENDING
        await bridge_fixture.rpcs["sbxb"].call("evm_mine", [])
    assert await state(bridge_fixture, transfer, adapter) is TransferState.SUCCESS


async def test_a_node_of_the_origin_that_is_down_is_a_passing_failure(bridge_fixture: BridgeFixture) -> None:
    transfer, _ = await bridge_fixture.deposited()
    rpcs = dict(bridge_fixture.adapter.context.rpcs)
    number = bridge_fixture.chains["sbxa"].id
    rpcs[number] = EvmRpc("http://127.0.0.1:9", rpcs[number].http, "sbxa")
    with pytest.raises(UpstreamFailed, match="does not answer"):
        await bridge_fixture.with_parts(rpcs=rpcs).status(transfer)


async def test_a_node_of_the_destination_that_is_down_leaves_the_api(bridge_fixture: BridgeFixture) -> None:
    transfer, relay = await bridge_fixture.deposited()
    filled_by = await bridge_fixture.fill(relay)
    rpcs = dict(bridge_fixture.adapter.context.rpcs)
    number = bridge_fixture.chains["sbxb"].id
    rpcs[number] = EvmRpc("http://127.0.0.1:9", rpcs[number].http, "sbxb")
    status = await bridge_fixture.with_parts(rpcs=rpcs).status(transfer)
    assert (status.state, status.source) == (TransferState.SUCCESS, StatusSource.BRIDGE_API)
    assert (status.destination_tx_hash, status.output_amount) == (filled_by, None)


def test_every_field_of_a_relay_is_tried() -> None:
    tried = {field for field, _ in FIELDS} | {"exclusive_relayer", "output_token", "fill_deadline", "message"}
    assert tried == set(RelayData.__dataclass_fields__)
