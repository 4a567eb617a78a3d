"""With the sandbox's own relayer: delivered, left alone, expired and refunded; and deposits for Solana."""

from dataclasses import replace
from typing import Any

import pytest

from rhumbline.adapters.across.adapter import AcrossAdapter
from rhumbline.adapters.across.calldata import decode
from rhumbline.adapters.across.deployments import DEPLOYMENTS
from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.upstreams.emulator import Outcome
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.evm.abi import selector
from rhumbline.gateways.nodes.evm.rpc import RpcError
from rhumbline.routing.evm.bridge_call import BridgeOrder, bridge_call
from tests.adapters.across.bridge_fixture import BridgeFixture, word
from tests.adapters.across.stub_upstream import SOLANA, USDC_SVM, WALLET_SVM
from tests.adapters.bridging.adapter_fixture import RECEIVER

AFTER_DEADLINE = 24_000


@pytest.mark.parametrize(("symbol", "amount"), [("USDC", 10**9), ("ETH", 10**18)])
async def test_the_relayer_delivers(bridge_fixture: BridgeFixture, symbol: str, amount: int) -> None:
    bridge_fixture.adapter_fixture.emulator.behaviour.outcome = Outcome.DELIVER
    before = await bridge_fixture.gained(symbol, RECEIVER)
    transfer, relay = await bridge_fixture.deposited(symbol, amount)
    arrived = await bridge_fixture.adapter_fixture.followed(transfer, TransferState.SUCCESS)
    assert (arrived.source, arrived.output_amount) == (StatusSource.ANALYTICS, relay.output_amount)
    assert await bridge_fixture.gained(symbol, RECEIVER, before) == relay.output_amount


async def test_what_the_relayer_leaves_alone_expires_and_is_refunded(bridge_fixture: BridgeFixture) -> None:
    bridge_fixture.adapter_fixture.emulator.behaviour.outcome = Outcome.NEVER
    transfer, relay = await bridge_fixture.deposited()
    usdc = bridge_fixture.adapter_fixture.tokens[("sbxa", "USDC")]
    before = await bridge_fixture.adapter_fixture.balance(usdc, bridge_fixture.adapter_fixture.account)
    for chain in ("sbxa", "sbxb"):
        await bridge_fixture.pass_time(chain, AFTER_DEADLINE)
    refunded = await bridge_fixture.adapter_fixture.followed(transfer, TransferState.REFUNDED)
    assert refunded.source is StatusSource.ANALYTICS
    assert refunded.refund_tx_hash is not None
    assert (
        await bridge_fixture.adapter_fixture.balance(usdc, bridge_fixture.adapter_fixture.account)
        == before + relay.input_amount
    )


async def test_an_exclusive_relayer_is_first(bridge_fixture: BridgeFixture) -> None:
    """Exclusivity is passed on as quoted: a stranger with the right relay comes too early,
    and after it has to pay as anybody."""
    _, relay = await bridge_fixture.deposited()
    thief = await bridge_fixture.stranger()
    too_early = selector("NotExclusiveRelayer()")
    for late, first in ((0, True), (1, False)):
        with pytest.raises(RpcError) as caught:
            await bridge_fixture.try_fill(relay, thief, relay.exclusivity + late)
        assert (caught.value.data == too_early) is first


@pytest.mark.parametrize(("symbol", "amount"), [("USDC", 10**9), ("ETH", 10**18)])
async def test_through_the_service_s_contracts(bridge_fixture: BridgeFixture, symbol: str, amount: int) -> None:
    """The Executor deposits for the wallet, to whom a refund would go; our event comes after the pool's."""
    bridge_fixture.adapter_fixture.emulator.behaviour.outcome = Outcome.DELIVER
    request = bridge_fixture.adapter_fixture.request(("sbxa", symbol), ("sbxb", symbol), amount, direct=False)
    assert bridge_fixture.adapter.supports(request)
    quote, upstream = await bridge_fixture.adapter_fixture.built(await bridge_fixture.adapter.quote(request))
    order = BridgeOrder(
        id=bytes(31) + b"\x01", chain=request.origin, destination=request.destination, integrator=None,
        adapter=quote.adapter, receiver=RECEIVER, input_token=request.origin_token.address, amount=amount, net=amount,
        sent=amount, output_token=request.destination_token.address, expected_output=quote.output_amount,
        min_output=quote.output_amount, refund_to=request.sender, reference=upstream.reference,
        deadline=request.deadline, native_fee=quote.native_fee, charges=(),
    )  # fmt: skip
    call = bridge_call(order, upstream)
    if call.spender is not None:
        approve = encoded("approve(address,uint256)", call.spender, amount)
        await bridge_fixture.adapter_fixture.send("sbxa", request.origin_token.address, approve)
    before = await bridge_fixture.gained(symbol, RECEIVER)
    tx_hash = await bridge_fixture.adapter_fixture.send("sbxa", call.to, call.data, call.value)
    (relay,) = await bridge_fixture.relays(tx_hash)
    assert relay.depositor == word(bridge_fixture.adapter_fixture.account)
    receipt: Any = await bridge_fixture.adapter_fixture.rpcs["sbxa"].call("eth_getTransactionReceipt", [tx_hash])
    ours = [log for log in receipt["logs"] if log["address"].lower() == call.to.lower()]
    transfer = replace(
        bridge_fixture.adapter_fixture.begun(quote, upstream, tx_hash), log_index=int(ours[-1]["logIndex"], 16)
    )
    arrived = await bridge_fixture.adapter_fixture.followed(transfer, TransferState.SUCCESS)
    assert arrived.output_amount == quote.output_amount == await bridge_fixture.gained(symbol, RECEIVER, before)


def to_solana(bridge_fixture: BridgeFixture) -> tuple[AcrossAdapter, QuoteRequest]:
    """The sandbox's first chain and Solana, of which there is no node."""
    context = bridge_fixture.adapter.context
    adapter = bridge_fixture.with_parts(
        chains={**context.chains, SOLANA.id: SOLANA},
        deployments={**context.deployments, SOLANA.id: DEPLOYMENTS[SOLANA.id]},
    )
    request = bridge_fixture.adapter_fixture.request(("sbxa", "USDC"), ("sbxb", "USDC"), 10**9)
    return adapter, replace(
        request, destination=SOLANA, destination_token=USDC_SVM, receiver=WALLET_SVM, payout_address=WALLET_SVM
    )


async def test_a_deposit_for_solana(bridge_fixture: BridgeFixture) -> None:
    adapter, request = to_solana(bridge_fixture)
    assert adapter.supports(request)
    terms = await bridge_fixture.adapter.quote(
        bridge_fixture.adapter_fixture.request(("sbxa", "USDC"), ("sbxb", "USDC"), 10**9)
    )
    quote = replace(terms, request=request)
    built = await adapter.build(quote)
    assert isinstance(built, EvmTransaction)
    assert built.data[:4].hex() == "ad5425c6"
    call = decode(built.data)
    assert (call.depositor, call.destination) == (word(bridge_fixture.adapter_fixture.account), 34_268_394_551_451)
    assert len(call.recipient) == 32
    transfer = await bridge_fixture.adapter_fixture.execute(quote, built)
    (relay,) = await bridge_fixture.relays(transfer.tx_hash)
    assert (relay.recipient, relay.output_token) == (call.recipient, call.output_token)
    waiting = await adapter.status(transfer)
    assert (waiting.state, waiting.source) == (TransferState.BRIDGE_PENDING, StatusSource.BRIDGE_API)
    other = await adapter.status(replace(transfer, receiver=USDC_SVM.address))
    assert other.state is TransferState.UNKNOWN
    bridge_fixture.adapter_fixture.emulator.behaviour.status = "filled"
    assert (await adapter.status(transfer)).state is TransferState.SUCCESS
