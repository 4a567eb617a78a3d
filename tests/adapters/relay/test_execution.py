"""Deposits with the sandbox's Relay arrive on the other chain, or come back; swaps go through the contracts."""

from dataclasses import replace

import pytest

from rhumbline.devnet.upstreams.emulator import Lie, Outcome
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.fee import FeeType
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.evm.calldata import Function
from rhumbline.routing.evm.router_call import RouterOrder, router_call
from tests.adapters.bridging.deposits import deposited
from tests.adapters.bridging.desk import RECEIVER, Desk
from tests.adapters.relay.case import CASES

ONE = 10**18
PAIRS = [
    (("sbxa", "USDC"), ("sbxb", "USDC"), 250_000_000),
    (("sbxb", "USDT"), ("sbxa", "WETH"), 900_000_000),
    (("sbxa", "ETH"), ("sbxb", "ETH"), ONE // 10),
    (("sbxa", "ETH"), ("sbxb", "DAI"), ONE // 10),
    (("sbxa", "DAI"), ("sbxb", "USDC"), 900 * ONE),
    (("sbxb", "WETH"), ("sbxa", "ETH"), ONE // 10),
]
SWAPS = [("WETH", "USDC", ONE // 10), ("ETH", "DAI", ONE // 10), ("USDC", "ETH", 250_000_000)]
APPROVE = Function("approve(address,uint256)")
Pair = tuple[tuple[str, str], tuple[str, str], int]


@pytest.mark.parametrize(("origin", "destination", "amount"), PAIRS)
async def test_what_was_quoted_arrives(
    desk: Desk, origin: tuple[str, str], destination: tuple[str, str], amount: int
) -> None:
    token = desk.tokens[destination]
    before = await desk.balance(token, RECEIVER)
    quote, built = await desk.built(await desk.adapter.quote(desk.request(origin, destination, amount)))
    transfer = await desk.execute(quote, built)
    assert built.deposit is not None
    assert (await deposited(desk, origin[0], transfer.tx_hash, built.deposit) or 0) >= built.deposit.least > 0
    status = await desk.followed(transfer, TransferState.SUCCESS)
    assert await desk.balance(token, RECEIVER) - before == quote.output_amount >= (quote.min_output_amount or 0) > 0
    assert status.destination_tx_hash is not None
    assert {fee.type for fee in quote.fees} == {FeeType.RELAYER_GAS, FeeType.RELAYER_SERVICE}


@pytest.mark.parametrize(("origin", "destination", "amount"), [PAIRS[0], PAIRS[2], PAIRS[4]])
async def test_the_executor_may_call_and_the_wallet_has_the_refund(
    desk: Desk, origin: tuple[str, str], destination: tuple[str, str], amount: int
) -> None:
    desk.emulator.behaviour.outcome = Outcome.REFUND
    token = desk.tokens[origin]
    quote, built = await desk.built(await desk.adapter.quote(desk.request(origin, destination, amount, direct=False)))
    executor = quote.request.caller
    rpc = desk.rpcs[origin[0]]
    await rpc.call("anvil_impersonateAccount", [executor])
    await rpc.call("anvil_setBalance", [executor, hex(ONE)])
    if origin[1] != "ETH":
        give = Function("transfer(address,uint256)").encode(executor, amount)
        await desk.send(origin[0], token.address, give)
        await desk.send(origin[0], token.address, APPROVE.encode(built.spender, amount), sender=executor)
    refunded = desk.tokens[origin[0], "USDC"] if origin[1] == "DAI" else token
    before = await desk.balance(refunded, desk.account)
    tx_hash = await desk.send(origin[0], built.to, built.data, built.value, sender=executor)
    status = await desk.followed(desk.begun(quote, built, tx_hash), TransferState.REFUNDED)
    assert status.refund_tx_hash is not None
    assert await desk.balance(refunded, desk.account) > before
    if origin[1] != "ETH":
        assert await desk.balance(token, executor) == 0


@pytest.mark.parametrize(("origin", "destination", "amount"), SWAPS)
async def test_a_swap_goes_through_the_contracts(desk: Desk, origin: str, destination: str, amount: int) -> None:
    quote, built = await desk.built(await desk.adapter.quote(swap(desk, origin, destination, amount)))
    wrapped, token = routed(desk, quote, built), quote.request.destination_token
    if wrapped.spender is not None:
        allow = APPROVE.encode(wrapped.spender, amount)
        await desk.send("sbxa", quote.request.origin_token.address, allow)
    before = await desk.balance(token, RECEIVER)
    await desk.send("sbxa", wrapped.to, wrapped.data, wrapped.value)
    assert await desk.balance(token, RECEIVER) - before >= (quote.min_output_amount or 0) > 0
    assert await desk.balance(token, quote.request.caller) == 0


async def test_a_failure_is_told(desk: Desk) -> None:
    desk.emulator.behaviour.outcome = Outcome.FAIL
    quote, built = await desk.built(await desk.adapter.quote(desk.request(*PAIRS[0])))
    status = await desk.followed(await desk.execute(quote, built), TransferState.BRIDGE_FAILED)
    assert status.substatus == "SLIPPAGE"


async def test_before_and_after_the_deposit(desk: Desk) -> None:
    desk.emulator.behaviour.outcome = Outcome.NEVER
    quote, built = await desk.built(await desk.adapter.quote(desk.request(*PAIRS[2])))
    nothing = desk.begun(quote, built, "0x" + "77" * 32)
    assert (await desk.adapter.status(nothing)).substatus == "waiting"
    transfer = await desk.execute(quote, built)
    assert (await desk.followed(transfer, TransferState.BRIDGE_PENDING)).destination_tx_hash is None
    desk.emulator.behaviour.outcome = Outcome.DELIVER
    await desk.followed(transfer, TransferState.SUCCESS)
    # The same request, another transaction: what was told is about the first.
    assert (await desk.adapter.status(nothing)).state is TransferState.UNKNOWN


@pytest.mark.parametrize("word", sorted(CASES[0].statuses))
async def test_every_documented_status(desk: Desk, word: str) -> None:
    quote, built = await desk.built(await desk.adapter.quote(desk.request(*PAIRS[0])))
    desk.emulator.behaviour.status = word
    status = await desk.adapter.status(desk.begun(quote, built, "0x" + "77" * 32))
    assert status.state is CASES[0].statuses[word]


@pytest.mark.parametrize("lie", sorted(Lie))
@pytest.mark.parametrize("pair", [PAIRS[0], PAIRS[2], PAIRS[4]], ids=["token", "native", "swapped"])
async def test_lies_about_a_transfer_are_refused(desk: Desk, pair: Pair, lie: Lie) -> None:
    desk.emulator.behaviour.lie = lie
    with pytest.raises(UpstreamFailed):
        await desk.built(await desk.adapter.quote(desk.request(*pair)))


@pytest.mark.parametrize("lie", sorted(Lie))
@pytest.mark.parametrize(("origin", "destination", "amount"), SWAPS)
async def test_lies_about_a_swap_are_refused(desk: Desk, origin: str, destination: str, amount: int, lie: Lie) -> None:
    desk.emulator.behaviour.lie = lie
    with pytest.raises(UpstreamFailed):
        await desk.built(await desk.adapter.quote(swap(desk, origin, destination, amount)))


def swap(desk: Desk, origin: str, destination: str, amount: int) -> QuoteRequest:
    request = desk.request(("sbxa", origin), ("sbxa", destination), amount, direct=False)
    return replace(request, recipient=request.caller)


def routed(desk: Desk, quote: Quote[object], upstream: EvmTransaction) -> EvmTransaction:
    request = quote.request
    order = RouterOrder(
        bytes(32), request.origin, None, quote.adapter, RECEIVER, request.origin_token.address, request.amount,
        request.amount, request.destination_token.address, quote.min_output_amount or 0, request.deadline,
        quote.native_fee, (),
    )  # fmt: skip
    return router_call(order, upstream)
