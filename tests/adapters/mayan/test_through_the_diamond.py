"""Mayan's calls made by the Executor: the Forwarder takes its caller's money; refunds and receiver are others'."""

import pytest

from rhumbline.adapters.mayan.terms import Kind
from rhumbline.devnet.upstreams.emulator import Outcome
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.quote import Quote
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.routing.evm.bridge_call import BridgeOrder, bridge_call
from tests.adapters.bridging.desk import RECEIVER, Desk
from tests.adapters.mayan.test_execution import PAIRS, Place, of_kind


async def _sent(desk: Desk, quote: Quote[object], built: EvmTransaction) -> Transfer:
    """The wallet's one transaction: the Diamond takes the input, the Executor makes Mayan's call."""
    request = quote.request
    order = BridgeOrder(
        id=b"\x07" * 32, chain=request.origin, destination=request.destination, integrator=None, adapter=quote.adapter,
        receiver=request.receiver, input_token=request.origin_token.address, amount=request.amount, net=request.amount,
        sent=request.amount if built.takes is None else built.takes, output_token=request.destination_token.address,
        expected_output=quote.output_amount, min_output=quote.min_output_amount or 0, refund_to=request.sender,
        reference=built.reference, deadline=request.deadline, native_fee=quote.native_fee, charges=(),
    )  # fmt: skip
    call = bridge_call(order, built)
    if call.spender is not None:
        data = encode_call("approve(address,uint256)", ["address", "uint256"], [call.spender, request.amount])
        await desk.send(request.origin.key, request.origin_token.address, data)
    tx_hash = await desk.send(request.origin.key, call.to, call.data, call.value)
    return desk.begun(quote, built, tx_hash)


@pytest.mark.parametrize(("kind", "origin", "destination", "amount"), PAIRS)
async def test_what_was_quoted_arrives(desk: Desk, kind: Kind, origin: Place, destination: Place, amount: int) -> None:
    desk = of_kind(desk, kind)
    token, paid = desk.tokens[destination], desk.tokens[origin]
    before, had = await desk.balance(token, RECEIVER), await desk.balance(paid, desk.account)
    request = desk.request(origin, destination, amount, direct=False)
    quote, built = await desk.built(await desk.adapter.quote(request))
    transfer = await _sent(desk, quote, built)
    await desk.followed(transfer, TransferState.SUCCESS)
    gained = await desk.balance(token, RECEIVER) - before
    assert quote.min_output_amount is not None
    assert gained >= quote.min_output_amount
    # What Mayan does not take came back, and the contracts keep nothing.
    if paid.address != NATIVE_EVM:
        assert had - await desk.balance(paid, desk.account) == (amount if built.takes is None else built.takes)
    executor = request.origin.executor
    assert executor is not None
    assert await desk.balance(paid, executor) == 0


async def test_a_refund_goes_to_the_wallet_and_not_to_the_executor(desk: Desk) -> None:
    desk = of_kind(desk, Kind.SWIFT)
    desk.emulator.behaviour.outcome = Outcome.REFUND
    request = desk.request(("sbxa", "USDC"), ("sbxb", "USDC"), 250_000_000, direct=False)
    quote, built = await desk.built(await desk.adapter.quote(request))
    before = await desk.balance(request.origin_token, desk.account)
    await desk.followed(await _sent(desk, quote, built), TransferState.REFUNDED)
    assert await desk.balance(request.origin_token, desk.account) == before
