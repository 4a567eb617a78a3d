"""Mayan's calls made by the Executor: the Forwarder takes its caller's money; refunds and receiver are others'."""

import pytest

from rhumbline.adapters.mayan.kinds.order import Kind
from rhumbline.devnet.upstreams.emulator import Outcome
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.quote import Quote
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.routing.evm.bridge_call import BridgeOrder, bridge_call
from tests.adapters.bridging.adapter_fixture import RECEIVER, AdapterFixture
from tests.adapters.mayan.test_execution import PAIRS, Place, of_kind


async def _sent(adapter_fixture: AdapterFixture, quote: Quote[object], built: EvmTransaction) -> Transfer:
    """The wallet's one transaction: the Diamond takes the input, the Executor makes Mayan's call."""
    request = quote.request
    order = BridgeOrder(
        id=b"\x07" * 32, chain=request.origin, destination=request.destination, integrator=None, adapter=quote.adapter,
        receiver=request.receiver, input_token=request.origin_token.address, amount=request.amount, net=request.amount,
        sent=request.amount if built.input_taken is None else built.input_taken,
        output_token=request.destination_token.address,
        expected_output=quote.output_amount, min_output=quote.min_output_amount or 0, refund_to=request.sender,
        reference=built.reference, deadline=request.deadline, native_fee=quote.native_fee, charges=(),
    )  # fmt: skip
    call = bridge_call(order, built)
    if call.spender is not None:
        data = encode_call("approve(address,uint256)", ["address", "uint256"], [call.spender, request.amount])
        await adapter_fixture.send(request.origin.key, request.origin_token.address, data)
    tx_hash = await adapter_fixture.send(request.origin.key, call.to, call.data, call.value)
    return adapter_fixture.begun(quote, built, tx_hash)


@pytest.mark.parametrize(("kind", "origin", "destination", "amount"), PAIRS)
async def test_what_was_quoted_arrives(
    adapter_fixture: AdapterFixture, kind: Kind, origin: Place, destination: Place, amount: int
) -> None:
    adapter_fixture = of_kind(adapter_fixture, kind)
    token, paid = adapter_fixture.tokens[destination], adapter_fixture.tokens[origin]
    before, had = (
        await adapter_fixture.balance(token, RECEIVER),
        await adapter_fixture.balance(paid, adapter_fixture.account),
    )
    request = adapter_fixture.request(origin, destination, amount, direct=False)
    quote, built = await adapter_fixture.quoted(request)
    transfer = await _sent(adapter_fixture, quote, built)
    await adapter_fixture.followed(transfer, TransferState.SUCCESS)
    gained = await adapter_fixture.balance(token, RECEIVER) - before
    assert quote.min_output_amount is not None
    assert gained >= quote.min_output_amount
    # What Mayan does not take came back, and the contracts keep nothing.
    if paid.address != NATIVE_EVM:
        assert had - await adapter_fixture.balance(paid, adapter_fixture.account) == (
            amount if built.input_taken is None else built.input_taken
        )
    executor = request.origin.executor
    assert executor is not None
    assert await adapter_fixture.balance(paid, executor) == 0


async def test_a_refund_goes_to_the_wallet_and_not_to_the_executor(adapter_fixture: AdapterFixture) -> None:
    adapter_fixture = of_kind(adapter_fixture, Kind.SWIFT)
    adapter_fixture.emulator.behaviour.outcome = Outcome.REFUND
    request = adapter_fixture.request(("sbxa", "USDC"), ("sbxb", "USDC"), 250_000_000, direct=False)
    quote, built = await adapter_fixture.quoted(request)
    before = await adapter_fixture.balance(request.origin_token, adapter_fixture.account)
    await adapter_fixture.followed(await _sent(adapter_fixture, quote, built), TransferState.REFUNDED)
    assert await adapter_fixture.balance(request.origin_token, adapter_fixture.account) == before
