"""Deposits with the sandbox's Relay arrive on the other chain, or come back; swaps go through the contracts."""

import pytest

from rhumbline.devnet.upstreams.emulator import Lie, Outcome
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.fee import FeeType
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.evm.calldata import Function
from tests.adapters.adapter_fixture import AdapterFixture
from tests.adapters.bridging.deposits import deposited

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
    adapter_fixture: AdapterFixture, origin: tuple[str, str], destination: tuple[str, str], amount: int
) -> None:
    arrived = await adapter_fixture.delivered(adapter_fixture.request(origin, destination, amount))
    quote, deposit = arrived.quote, arrived.transaction.deposit
    assert deposit is not None
    seen = await deposited(adapter_fixture, origin[0], arrived.transfer.tx_hash, deposit)
    assert (seen or 0) >= deposit.least > 0
    assert arrived.gained == quote.output_amount
    assert {fee.type for fee in quote.fees} == {FeeType.RELAYER_GAS, FeeType.RELAYER_SERVICE}


@pytest.mark.parametrize(("origin", "destination", "amount"), [PAIRS[0], PAIRS[2], PAIRS[4]])
async def test_the_executor_may_call_and_the_wallet_has_the_refund(
    adapter_fixture: AdapterFixture, origin: tuple[str, str], destination: tuple[str, str], amount: int
) -> None:
    adapter_fixture.emulator.behaviour.outcome = Outcome.REFUND
    token = adapter_fixture.tokens[origin]
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(origin, destination, amount, direct=False))
    executor = quote.request.taker
    rpc = adapter_fixture.rpcs[origin[0]]
    await rpc.call("anvil_impersonateAccount", [executor])
    await rpc.call("anvil_setBalance", [executor, hex(ONE)])
    if origin[1] != "ETH":
        give = Function("transfer(address,uint256)").encode(executor, amount)
        await adapter_fixture.send(origin[0], token.address, give)
        await adapter_fixture.send(origin[0], token.address, APPROVE.encode(built.spender, amount), sender=executor)
    refunded = adapter_fixture.tokens[origin[0], "USDC"] if origin[1] == "DAI" else token
    before = await adapter_fixture.balance(refunded, adapter_fixture.account)
    tx_hash = await adapter_fixture.send(origin[0], built.to, built.data, built.value, sender=executor)
    status = await adapter_fixture.followed(adapter_fixture.begun(quote, built, tx_hash), TransferState.REFUNDED)
    assert status.refund_tx_hash is not None
    assert await adapter_fixture.balance(refunded, adapter_fixture.account) > before
    if origin[1] != "ETH":
        assert await adapter_fixture.balance(token, executor) == 0


@pytest.mark.parametrize(("origin", "destination", "amount"), SWAPS)
async def test_a_swap_goes_through_the_contracts(
    adapter_fixture: AdapterFixture, origin: str, destination: str, amount: int
) -> None:
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(origin, destination, amount, direct=False))
    gained = await adapter_fixture.swapped(quote, adapter_fixture.routed(quote, built))
    assert gained >= (quote.min_output_amount or 0) > 0
    assert await adapter_fixture.balance(quote.request.destination_token, quote.request.taker) == 0


async def test_a_failure_is_told(adapter_fixture: AdapterFixture) -> None:
    adapter_fixture.emulator.behaviour.outcome = Outcome.FAIL
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(*PAIRS[0]))
    status = await adapter_fixture.followed(await adapter_fixture.execute(quote, built), TransferState.BRIDGE_FAILED)
    assert status.substatus == "SLIPPAGE"


async def test_before_and_after_the_deposit(adapter_fixture: AdapterFixture) -> None:
    adapter_fixture.emulator.behaviour.outcome = Outcome.NEVER
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(*PAIRS[2]))
    nothing = adapter_fixture.begun(quote, built, "0x" + "77" * 32)
    assert (await adapter_fixture.adapter.status(nothing)).substatus == "waiting"
    transfer = await adapter_fixture.execute(quote, built)
    assert (await adapter_fixture.followed(transfer, TransferState.BRIDGE_PENDING)).destination_tx_hash is None
    adapter_fixture.emulator.behaviour.outcome = Outcome.DELIVER
    await adapter_fixture.followed(transfer, TransferState.SUCCESS)
    # The same request, another transaction: what was told is about the first.
    assert (await adapter_fixture.adapter.status(nothing)).state is TransferState.UNKNOWN


@pytest.mark.parametrize("lie", sorted(Lie))
@pytest.mark.parametrize("pair", [PAIRS[0], PAIRS[2], PAIRS[4]], ids=["token", "native", "swapped"])
async def test_lies_about_a_transfer_are_refused(adapter_fixture: AdapterFixture, pair: Pair, lie: Lie) -> None:
    adapter_fixture.emulator.behaviour.lie = lie
    with pytest.raises(UpstreamFailed):
        await adapter_fixture.quoted(adapter_fixture.request(*pair))


@pytest.mark.parametrize("lie", sorted(Lie))
@pytest.mark.parametrize(("origin", "destination", "amount"), SWAPS)
async def test_lies_about_a_swap_are_refused(
    adapter_fixture: AdapterFixture, origin: str, destination: str, amount: int, lie: Lie
) -> None:
    adapter_fixture.emulator.behaviour.lie = lie
    with pytest.raises(UpstreamFailed):
        await adapter_fixture.quoted(adapter_fixture.request(origin, destination, amount, direct=False))
