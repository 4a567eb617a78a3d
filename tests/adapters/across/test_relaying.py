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
from rhumbline.gateways.evm.abi import selector
from rhumbline.gateways.evm.rpc import RpcError
from rhumbline.routing.evm.bridge_call import BridgeOrder, bridge_call
from tests.adapters.across.pier import Pier, word
from tests.adapters.across.shop import SOLANA, USDC_SVM, WALLET_SVM
from tests.adapters.bridging.desk import RECEIVER

AFTER_DEADLINE = 24_000


@pytest.mark.parametrize(("symbol", "amount"), [("USDC", 10**9), ("ETH", 10**18)])
async def test_the_relayer_delivers(pier: Pier, symbol: str, amount: int) -> None:
    pier.desk.emulator.behaviour.outcome = Outcome.DELIVER
    before = await pier.gained(symbol, RECEIVER)
    transfer, relay = await pier.deposited(symbol, amount)
    arrived = await pier.desk.followed(transfer, TransferState.SUCCESS)
    assert (arrived.source, arrived.output_amount) == (StatusSource.ANALYTICS, relay.output_amount)
    assert await pier.gained(symbol, RECEIVER, before) == relay.output_amount


async def test_what_the_relayer_leaves_alone_expires_and_is_refunded(pier: Pier) -> None:
    pier.desk.emulator.behaviour.outcome = Outcome.NEVER
    transfer, relay = await pier.deposited()
    usdc = pier.desk.tokens[("sbxa", "USDC")]
    before = await pier.desk.balance(usdc, pier.desk.account)
    for chain in ("sbxa", "sbxb"):
        await pier.pass_time(chain, AFTER_DEADLINE)
    refunded = await pier.desk.followed(transfer, TransferState.REFUNDED)
    assert refunded.source is StatusSource.ANALYTICS
    assert refunded.refund_tx_hash is not None
    assert await pier.desk.balance(usdc, pier.desk.account) == before + relay.input_amount


async def test_an_exclusive_relayer_is_first(pier: Pier) -> None:
    """Exclusivity is passed on as quoted: a stranger with the right relay comes too early,
    and after it has to pay as anybody."""
    _, relay = await pier.deposited()
    thief = await pier.stranger()
    too_early = selector("NotExclusiveRelayer()")
    for late, first in ((0, True), (1, False)):
        with pytest.raises(RpcError) as caught:
            await pier.try_fill(relay, thief, relay.exclusivity + late)
        assert (caught.value.data == too_early) is first


@pytest.mark.parametrize(("symbol", "amount"), [("USDC", 10**9), ("ETH", 10**18)])
async def test_through_the_service_s_contracts(pier: Pier, symbol: str, amount: int) -> None:
    """The Executor deposits for the wallet, to whom a refund would go; our event comes after the pool's."""
    pier.desk.emulator.behaviour.outcome = Outcome.DELIVER
    request = pier.desk.request(("sbxa", symbol), ("sbxb", symbol), amount, direct=False)
    assert pier.adapter.supports(request)
    quote, upstream = await pier.desk.built(await pier.adapter.quote(request))
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
        await pier.desk.send("sbxa", request.origin_token.address, approve)
    before = await pier.gained(symbol, RECEIVER)
    tx_hash = await pier.desk.send("sbxa", call.to, call.data, call.value)
    (relay,) = await pier.relays(tx_hash)
    assert relay.depositor == word(pier.desk.account)
    receipt: Any = await pier.desk.rpcs["sbxa"].call("eth_getTransactionReceipt", [tx_hash])
    ours = [log for log in receipt["logs"] if log["address"].lower() == call.to.lower()]
    transfer = replace(pier.desk.begun(quote, upstream, tx_hash), log_index=int(ours[-1]["logIndex"], 16))
    arrived = await pier.desk.followed(transfer, TransferState.SUCCESS)
    assert arrived.output_amount == quote.output_amount == await pier.gained(symbol, RECEIVER, before)


def to_solana(pier: Pier) -> tuple[AcrossAdapter, QuoteRequest]:
    """The sandbox's first chain and Solana, of which there is no node."""
    parts = pier.adapter.parts
    adapter = pier.with_parts(
        chains={**parts.chains, SOLANA.id: SOLANA},
        deployments={**parts.deployments, SOLANA.id: DEPLOYMENTS[SOLANA.id]},
    )
    request = pier.desk.request(("sbxa", "USDC"), ("sbxb", "USDC"), 10**9)
    return adapter, replace(
        request, destination=SOLANA, destination_token=USDC_SVM, receiver=WALLET_SVM, recipient=WALLET_SVM
    )


async def test_a_deposit_for_solana(pier: Pier) -> None:
    adapter, request = to_solana(pier)
    assert adapter.supports(request)
    terms = await pier.adapter.quote(pier.desk.request(("sbxa", "USDC"), ("sbxb", "USDC"), 10**9))
    quote = replace(terms, request=request)
    built = await adapter.build(quote)
    assert built.data[:4].hex() == "ad5425c6"
    call = decode(built.data)
    assert (call.depositor, call.destination) == (word(pier.desk.account), 34_268_394_551_451)
    assert len(call.recipient) == 32
    transfer = await pier.desk.execute(quote, built)
    (relay,) = await pier.relays(transfer.tx_hash)
    assert (relay.recipient, relay.output_token) == (call.recipient, call.output_token)
    waiting = await adapter.status(transfer)
    assert (waiting.state, waiting.source) == (TransferState.BRIDGE_PENDING, StatusSource.BRIDGE_API)
    other = await adapter.status(replace(transfer, receiver=USDC_SVM.address))
    assert other.state is TransferState.UNKNOWN
    pier.desk.emulator.behaviour.status = "filled"
    assert (await adapter.status(transfer)).state is TransferState.SUCCESS
