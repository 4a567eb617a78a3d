"""A deposit with a message: what is asked, what is built, and that the emulator takes it as the API does."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

import pytest

from rhumbline.adapters.across.calldata import decode, encode
from rhumbline.devnet.upstreams.emulator import Outcome
from rhumbline.domain.errors import NoRoute, RequestRejected
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.evm.abi import decode_args, topic
from rhumbline.gateways.nodes.evm.rpc import hex_bytes
from rhumbline.gateways.upstreams.upstream import UpstreamRefused
from tests.adapters.across.bridge_fixture import BridgeFixture, word
from tests.adapters.across.calling import AMOUNT, ID, IN_VAIN, PAID_OUT, SWAP_GAS, Wanted
from tests.adapters.across.stub_upstream import REQUEST, TO_SOLANA, StubUpstream
from tests.adapters.adapter_fixture import RECEIVER

NOBODY = "0x000000000000000000000000000000000000dEaD"


def to_the_receiver(fixture: BridgeFixture, symbol: str, text: bytes) -> QuoteRequest:
    request = fixture.request(("sbxa", symbol), ("sbxb", symbol), AMOUNT, direct=False)
    there = fixture.chains["sbxb"]
    assert there.receiver is not None
    return replace(request, payout_address=there.receiver, message=text)


async def test_a_bare_deposit_is_asked_for_with_the_message_and_its_recipient(stub_upstream: StubUpstream) -> None:
    """The Swap API makes messages of its own; it is not asked although there is a key."""
    request = replace(REQUEST, message=b"\x12\x34")
    quote = await stub_upstream.adapter.quote(request)
    (asked,) = stub_upstream.upstream.asked
    assert asked.path == "/api/suggested-fees"
    assert (asked.query["message"], asked.query["recipient"]) == ("0x1234", request.payout_address)
    assert quote.min_output_amount == quote.output_amount


def test_nothing_is_called_on_solana(stub_upstream: StubUpstream) -> None:
    assert stub_upstream.adapter.info.carries_messages
    assert stub_upstream.adapter.supports(TO_SOLANA)
    assert not stub_upstream.adapter.supports(replace(TO_SOLANA, message=b"\x01"))


async def test_the_deposit_carries_it_and_says_so(bridge_fixture: BridgeFixture) -> None:
    text = Wanted(minimum=1).message(bridge_fixture)
    request = to_the_receiver(bridge_fixture, "USDC", text)
    quote = await bridge_fixture.adapter.quote(request)
    plain = await bridge_fixture.adapter.quote(replace(request, message=b""))
    # Who fills it has to make the swap as well.
    assert quote.output_amount < plain.output_amount
    _, built = await bridge_fixture.built(quote)
    call = decode(built.data)
    assert (call.message, call.recipient) == (text, word(request.payout_address))
    told = built.destination_call
    assert told is not None
    assert (told.payee, told.token) == (request.payout_address, request.destination_token.address)
    assert (told.least, told.message) == (quote.output_amount, text)
    _, without = await bridge_fixture.built(plain)
    assert without.destination_call is None


async def test_a_message_that_the_receiver_would_refuse_is_not_quoted(bridge_fixture: BridgeFixture) -> None:
    with pytest.raises(RequestRejected):
        await bridge_fixture.adapter.quote(
            to_the_receiver(bridge_fixture, "USDC", Wanted(receiver=NOBODY).message(bridge_fixture))
        )


async def test_the_native_asset_reaches_no_contract(bridge_fixture: BridgeFixture) -> None:
    """A pool pays contracts the wrapped token, so that is what may be asked for with a message."""
    request = to_the_receiver(bridge_fixture, "ETH", b"\x01")
    with pytest.raises(NoRoute, match="would get the wrapped token"):
        await bridge_fixture.adapter.quote(request)


@pytest.mark.parametrize(
    ("changes", "param"),
    [
        ({"message": "0x123"}, "message"),
        ({"message": "0xzz"}, "message"),
        ({"recipient": RECEIVER}, "recipient"),
        ({"recipient": None}, "recipient"),
    ],
)
async def test_the_emulator_refuses_what_the_api_does(
    bridge_fixture: BridgeFixture, changes: dict[str, Any], param: str
) -> None:
    there = bridge_fixture.chains["sbxb"]
    query = {
        "inputToken": bridge_fixture.token("sbxa", "USDC"),
        "outputToken": bridge_fixture.token("sbxb", "USDC"),
        "originChainId": str(bridge_fixture.chains["sbxa"].id),
        "destinationChainId": str(there.id),
        "amount": str(AMOUNT),
        "recipient": there.receiver,
        "message": "0x" + Wanted(minimum=1).message(bridge_fixture).hex(),
        **changes,
    }
    sent = {name: value for name, value in query.items() if value is not None}
    with pytest.raises(UpstreamRefused) as caught:
        await bridge_fixture.adapter.context.http.get("/suggested-fees", sent)
    assert isinstance(caught.value.body, dict)
    assert (caught.value.body["code"], caught.value.body["param"]) == ("INVALID_PARAM", param)


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
    request = bridge_fixture.asked(amount=AMOUNT)
    _, built = await bridge_fixture.quoted(request)
    call = replace(
        decode(built.data),
        recipient=word(bridge_fixture.sandbox.evm_chains[1].contracts["receiver"]),
        output_amount=PAID_OUT,
        message=wanted,
    )
    await bridge_fixture.send("sbxa", request.origin_token.address, bridge_fixture.approval(built.to, AMOUNT))
    return await bridge_fixture.send("sbxa", built.to, encode(call))


async def outturn(bridge_fixture: BridgeFixture, wanted: bytes) -> Outturn:
    """Deposit, and wait for the relayer."""
    bridge_fixture.emulator.behaviour.outcome = Outcome.DELIVER
    rpc = bridge_fixture.rpcs["sbxb"]
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
    """For a receiver that is nobody nobody can fill it, so the deposit expires and goes back to its wallet."""
    bridge_fixture.emulator.behaviour.outcome = Outcome.DELIVER
    usdc = bridge_fixture.tokens[("sbxa", "USDC")]
    before = await bridge_fixture.balance(usdc, bridge_fixture.account)
    await deposit(bridge_fixture, Wanted(receiver=NOBODY).message(bridge_fixture))
    assert await bridge_fixture.balance(usdc, bridge_fixture.account) == before - AMOUNT
    for chain in ("sbxa", "sbxb"):
        await bridge_fixture.pass_time(chain, 24_000)
    async with asyncio.timeout(PATIENCE_S):
        while True:
            if await bridge_fixture.balance(usdc, bridge_fixture.account) == before:
                break
            await asyncio.sleep(0.1)
    assert await bridge_fixture.gained("USDC", bridge_fixture.sandbox.evm_chains[1].contracts["receiver"]) == 0
