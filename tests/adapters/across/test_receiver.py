"""Deposits with a message to our Receiver, filled by the sandbox's relayer through the real pools."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

import pytest

from rhumbline.adapters.across.calldata import decode, encode
from rhumbline.devnet.upstreams.emulator import Outcome
from rhumbline.gateways.evm.abi import decode_args, topic
from rhumbline.gateways.nodes.evm.rpc import hex_bytes
from tests.adapters.across.bridge_fixture import BridgeFixture, word
from tests.adapters.across.calling import AMOUNT, ID, IN_VAIN, PAID_OUT, SWAP_GAS, Wanted
from tests.adapters.bridging.adapter_fixture import RECEIVER

COMPLETED = topic("DestinationCompleted(bytes32,address,address,uint256,address,uint256)")
RECOVERED = topic("Recovered(bytes32,address,address,uint256,bytes)")
PATIENCE_S = 60


@dataclass(frozen=True)
class Outturn:
    """What happened on the second chain: the Receiver's events, and what the receiver has of either token."""

    topics: tuple[bytes, ...]
    data: bytes
    bridged: int
    bought: int


async def deposit(bridge_fixture: BridgeFixture, wanted: bytes) -> str:
    """Deposit to the Receiver as the adapter deposits to a wallet, with a message."""
    fixture = bridge_fixture.adapter_fixture
    request = fixture.request(("sbxa", "USDC"), ("sbxb", "USDC"), AMOUNT)
    _, built = await fixture.built(await bridge_fixture.adapter.quote(request))
    call = replace(
        decode(built.data),
        recipient=word(bridge_fixture.sandbox.evm_chains[1].contracts["receiver"]),
        output_amount=PAID_OUT,
        message=wanted,
    )
    await fixture.send("sbxa", request.origin_token.address, fixture.approval(built.to, AMOUNT))
    return await fixture.send("sbxa", built.to, encode(call))


async def outturn(bridge_fixture: BridgeFixture, wanted: bytes) -> Outturn:
    """Deposit, and wait for the relayer."""
    bridge_fixture.adapter_fixture.emulator.behaviour.outcome = Outcome.DELIVER
    rpc = bridge_fixture.adapter_fixture.rpcs["sbxb"]
    receiver = bridge_fixture.sandbox.evm_chains[1].contracts["receiver"]
    before = [await bridge_fixture.gained(symbol, RECEIVER) for symbol in ("USDC", "WBTC")]
    await deposit(bridge_fixture, wanted)
    logs: Any = []
    async with asyncio.timeout(PATIENCE_S):
        while not logs:
            await asyncio.sleep(0.1)
            logs = await rpc.call("eth_getLogs", [{"address": receiver, "fromBlock": "0x0", "toBlock": "latest"}])
    for symbol in ("USDC", "WBTC"):
        for ours in ("receiver", "executor"):
            assert await bridge_fixture.gained(symbol, bridge_fixture.sandbox.evm_chains[1].contracts[ours]) == 0
    (log,) = logs
    return Outturn(
        tuple(hex_bytes(each) for each in log["topics"]),
        hex_bytes(log["data"]),
        await bridge_fixture.gained("USDC", RECEIVER, before[0]),
        await bridge_fixture.gained("WBTC", RECEIVER, before[1]),
    )


async def test_the_destination_swap_is_made(bridge_fixture: BridgeFixture) -> None:
    arrived = await outturn(bridge_fixture, Wanted().message(bridge_fixture))
    # 999 USDC at 60,000 a WBTC, less the pools' fees.
    assert 1_600_000 < arrived.bought < 1_665_000
    assert arrived.bridged == 0
    assert arrived.topics == (COMPLETED, ID, word(RECEIVER))
    usdc, wbtc = (bridge_fixture.token("sbxb", symbol).lower() for symbol in ("USDC", "WBTC"))
    told = decode_args(["address", "uint256", "address", "uint256"], arrived.data)
    assert told == (usdc, PAID_OUT, wbtc, arrived.bought)


@pytest.mark.parametrize("swap_gas", [SWAP_GAS, 50_000])
async def test_a_destination_swap_that_fails_leaves_the_bridged_token(
    bridge_fixture: BridgeFixture, swap_gas: int
) -> None:
    """The pools give less than the minimum; or the message itself grants too little gas."""
    minimum = IN_VAIN if swap_gas == SWAP_GAS else 1
    arrived = await outturn(bridge_fixture, Wanted(minimum, swap_gas).message(bridge_fixture))
    assert (arrived.bridged, arrived.bought) == (PAID_OUT, 0)
    assert arrived.topics == (RECOVERED, ID, word(RECEIVER))
    token, amount, _ = decode_args(["address", "uint256", "bytes"], arrived.data)
    assert (token, amount) == (bridge_fixture.token("sbxb", "USDC").lower(), arrived.bridged)


async def test_a_message_that_the_receiver_refuses_is_refunded(bridge_fixture: BridgeFixture) -> None:
    """Without a minimum nobody can fill it, so the deposit expires and goes back to its wallet."""
    fixture = bridge_fixture.adapter_fixture
    fixture.emulator.behaviour.outcome = Outcome.DELIVER
    usdc = fixture.tokens[("sbxa", "USDC")]
    before = await fixture.balance(usdc, fixture.account)
    await deposit(bridge_fixture, Wanted(minimum=0).message(bridge_fixture))
    assert await fixture.balance(usdc, fixture.account) == before - AMOUNT
    for chain in ("sbxa", "sbxb"):
        await bridge_fixture.pass_time(chain, 24_000)
    async with asyncio.timeout(PATIENCE_S):
        while True:
            if await fixture.balance(usdc, fixture.account) == before:
                break
            await asyncio.sleep(0.1)
    assert await bridge_fixture.gained("USDC", bridge_fixture.sandbox.evm_chains[1].contracts["receiver"]) == 0
