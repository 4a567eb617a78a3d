"""Deposits are really made and really paid on the other chain, given back, or left alone, as the emulator was told."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count

import aiohttp
import pytest
from solders.keypair import Keypair

from rhumbline.devnet.evm.accounts import sandbox_account
from rhumbline.devnet.evm.nodes import go_back
from rhumbline.devnet.evm.operator import Operator, SetUpError, encoded, unlocked
from rhumbline.devnet.evm.wallet import balance_of
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.svm.wallet import balance_of as solana_balance
from rhumbline.devnet.upstreams.behaviour import Behaviour, Lie, Outcome
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.solver import Dealing, Deposit, DepositState, Payment, Solver, Terms
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import NATIVE_EVM
from tests.devnet.upstreams.sample_upstream import ENTRY, KEY, STRANGER, SampleUpstream, crossing
from tests.sandbox_fixture import on_sandbox_loop

A, B, SOLANA = 900_001, 900_002, 900_003
WALLET_THERE = str(Keypair.from_seed(b"who is paid on Solana by solvers").pubkey())
RECEIVER = "0x00000000000000000000000000000000000cafe2"
DEADLINE_S = 20
references = (f"0x{number:064x}" for number in count(1))


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    end = asyncio.get_running_loop().time() + DEADLINE_S
    while not await condition():
        assert asyncio.get_running_loop().time() < end, "in vain"
        await asyncio.sleep(0.01)


async def wallet(world: World, chain_id: int, token: str) -> Operator:
    account = await unlocked(world.rpc(chain_id), sandbox_account(1).address, 10**22)
    if token != NATIVE_EVM:
        # USDT refuses to change one allowance for another.
        for allowed in (0, 2**255):
            await account.send(token, encoded("approve(address,uint256)", ENTRY, allowed))
    return account


async def deposited(
    sample: SampleUpstream, token: str, amount: int, terms: tuple[int, str, str, int], origin: int = A
) -> tuple[str, Dealing]:
    """Make a deposit and wait until the solver has seen it."""
    reference = next(references)
    account = await wallet(sample.world, origin, token)
    data = crossing(reference, token, amount, terms)
    await account.send(ENTRY, data, amount if token == NATIVE_EVM else 0)

    async def seen() -> bool:
        return reference in sample.solver.deposits

    await until(seen)
    return reference, sample.solver.deposits[reference]


async def settled(dealing: Dealing) -> DepositState:
    async def done() -> bool:
        return dealing.state is not DepositState.PENDING

    await until(done)
    return dealing.state


@pytest.mark.parametrize("symbol", ["ETH", "USDC", "USDT"])
@pytest.mark.parametrize("origin", [A, B])
@on_sandbox_loop
async def test_deliver(
    restored_sandbox: Sandbox, sample: SampleUpstream, world: World, symbol: str, origin: int
) -> None:
    destination = B if origin == A else A
    paid, wanted = (
        NATIVE_EVM if symbol == "ETH" else world.chain(chain).tokens[symbol].address for chain in (origin, destination)
    )
    before = await balance_of(world.rpc(destination), wanted, RECEIVER)
    held = await balance_of(world.rpc(origin), paid, ENTRY)
    reference, dealing = await deposited(sample, paid, 10**6, (destination, wanted, RECEIVER, 990_000), origin)
    assert await settled(dealing) is DepositState.FILLED
    assert await balance_of(world.rpc(destination), wanted, RECEIVER) - before == 990_000
    assert await balance_of(world.rpc(origin), paid, ENTRY) - held == 10**6
    receipt = await world.rpc(destination).call("eth_getTransactionReceipt", [dealing.fill_tx])
    assert isinstance(receipt, dict)
    assert sample.solver.of_transaction(dealing.deposit.tx_hash) is dealing
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{sample.url}/status?reference={reference}") as said,
    ):
        assert await said.json() == {"status": "filled", "fill": dealing.fill_tx}


@on_sandbox_loop
async def test_never_holds_for_as_long_as_it_is_said(
    restored_sandbox: Sandbox, sample: SampleUpstream, world: World
) -> None:
    usdc = [world.chain(chain).tokens["USDC"].address for chain in (A, B)]
    sample.behaviour = Behaviour(outcome=Outcome.NEVER)
    _, left = await deposited(sample, usdc[0], 10**6, (B, usdc[1], RECEIVER, 5))
    sample.behaviour = Behaviour(outcome=Outcome.LATE, delay_s=3600)
    _, late = await deposited(sample, usdc[0], 10**6, (B, usdc[1], RECEIVER, 5))
    assert (left.state, late.state) == (DepositState.PENDING, DepositState.PENDING)
    sample.behaviour = Behaviour(outcome=Outcome.LATE, delay_s=0.1)
    assert await settled(late) is DepositState.FILLED
    assert await settled(left) is DepositState.FILLED


@pytest.mark.parametrize("symbol", ["ETH", "DAI"])
@on_sandbox_loop
async def test_refund(restored_sandbox: Sandbox, sample: SampleUpstream, world: World, symbol: str) -> None:
    token = NATIVE_EVM if symbol == "ETH" else world.chain(A).tokens[symbol].address
    sample.behaviour = Behaviour(outcome=Outcome.REFUND)
    _, dealing = await deposited(sample, token, 10**6, (B, NATIVE_EVM, RECEIVER, 5))
    owner = sandbox_account(1).address
    assert await settled(dealing) is DepositState.REFUNDED
    assert dealing.fill_tx is None
    block = await world.rpc(A).call("eth_getTransactionByHash", [dealing.refund_tx])
    assert isinstance(block, dict)
    number = int(str(block["blockNumber"]), 16)
    before, after = [await _balance_at(world, token, owner, number + step) for step in (-1, 0)]
    assert after - before == 10**6
    assert await balance_of(world.rpc(B), NATIVE_EVM, RECEIVER) == 0


async def _balance_at(world: World, token: str, owner: str, block: int) -> int:
    if token == NATIVE_EVM:
        return int(str(await world.rpc(A).call("eth_getBalance", [owner, hex(block)])), 16)
    return int.from_bytes(await world.rpc(A).eth_call(token, encoded("balanceOf(address)", owner), hex(block)))


@on_sandbox_loop
async def test_fail_pays_nobody(restored_sandbox: Sandbox, sample: SampleUpstream, world: World) -> None:
    sample.behaviour = Behaviour(outcome=Outcome.FAIL)
    _, dealing = await deposited(sample, NATIVE_EVM, 10**6, (B, NATIVE_EVM, RECEIVER, 5))
    assert await settled(dealing) is DepositState.FAILED
    sample.behaviour = Behaviour()
    _, unknown = await deposited(sample, NATIVE_EVM, 10**6, (77, NATIVE_EVM, RECEIVER, 5))
    assert await settled(unknown) is DepositState.FAILED
    assert "chain 77" in unknown.why
    _, unpayable = await deposited(sample, NATIVE_EVM, 10**6, (B, NATIVE_EVM, world.chain(B).contracts["diamond"], 5))
    assert await settled(unpayable) is DepositState.FAILED
    assert "reverted" in unpayable.why
    _, fine = await deposited(sample, NATIVE_EVM, 10**6, (B, NATIVE_EVM, RECEIVER, 5))
    assert await settled(fine) is DepositState.FILLED, "a failure ends nothing but its deposit"


@on_sandbox_loop
async def test_a_deposit_that_was_set_back_is_not_paid(
    restored_sandbox: Sandbox, sample: SampleUpstream, world: World
) -> None:
    sample.behaviour = Behaviour(outcome=Outcome.NEVER)
    mark = await world.rpc(A).call("evm_snapshot")
    _, dealing = await deposited(sample, NATIVE_EVM, 10**6, (B, NATIVE_EVM, RECEIVER, 5))
    await go_back(world.rpc(A), mark)
    sample.behaviour = Behaviour()
    assert await settled(dealing) is DepositState.FAILED
    _, again = await deposited(sample, NATIVE_EVM, 2 * 10**6, (B, NATIVE_EVM, RECEIVER, 6))
    assert await settled(again) is DepositState.FILLED, "blocks with numbers that were there before are seen"


@on_sandbox_loop
async def test_of_two_solvers_of_one_bridge_one_works(
    restored_sandbox: Sandbox, sample: SampleUpstream, world: World
) -> None:
    async with running_emulators(world, (SampleUpstream,)) as others:
        other = others["SAMPLE"]
        assert isinstance(other, SampleUpstream)
        _, dealing = await deposited(other, NATIVE_EVM, 10**6, (B, NATIVE_EVM, RECEIVER, 7))
        assert await settled(dealing) is DepositState.FILLED
    reference, dealing = await deposited(sample, NATIVE_EVM, 10**6, (B, NATIVE_EVM, RECEIVER, 7))
    assert await settled(dealing) is DepositState.FILLED
    assert other.solver.deposits.keys().isdisjoint(sample.solver.deposits)
    assert reference not in other.solver.deposits
    assert await balance_of(world.rpc(B), NATIVE_EVM, RECEIVER) == 14


async def _swapped(sample: SampleUpstream, sold: str, bought: str, lie: Lie | None = None) -> tuple[int, int]:
    """Ask for a swap and send it; what was promised, and what the receiver gained."""
    sample.behaviour = Behaviour(lie=lie)
    amount = 10**15 if sold == NATIVE_EVM else 10**6
    body = {"chain": A, "sold": sold, "bought": bought, "amount": str(amount), "receiver": RECEIVER}
    async with (
        aiohttp.ClientSession() as session,
        session.post(sample.url + "/swap", json=body, headers={"x-key": KEY}) as response,
    ):
        said = await response.json()
    account = await wallet(sample.world, A, sold)
    before = await balance_of(sample.world.rpc(A), bought, RECEIVER)
    transaction = said["transaction"]
    await account.send(transaction["to"], bytes.fromhex(transaction["data"][2:]), int(transaction["value"]))
    return int(said["out"]), await balance_of(sample.world.rpc(A), bought, RECEIVER) - before


@pytest.mark.parametrize(("sold", "bought"), [("USDC", "DAI"), ("ETH", "USDT"), ("USDT", "ETH"), ("USDT", "WBTC")])
@on_sandbox_loop
async def test_settlement_code_swaps_by_the_pools(
    restored_sandbox: Sandbox, sample: SampleUpstream, world: World, sold: str, bought: str
) -> None:
    tokens = [NATIVE_EVM if symbol == "ETH" else world.chain(A).tokens[symbol].address for symbol in (sold, bought)]
    promised, gained = await _swapped(sample, tokens[0], tokens[1])
    assert promised == gained > 0
    left = [await balance_of(world.rpc(A), token, ENTRY) for token in tokens]
    promised, gained = await _swapped(sample, tokens[0], tokens[1])
    assert promised == gained > 0, "and again: no allowance is left that USDT would stumble over"
    assert [await balance_of(world.rpc(A), token, ENTRY) for token in tokens] == left


@on_sandbox_loop
async def test_a_lie_is_told_and_executes(restored_sandbox: Sandbox, sample: SampleUpstream, world: World) -> None:
    usdc, dai = (world.chain(A).tokens[symbol].address for symbol in ("USDC", "DAI"))
    promised, gained = await _swapped(sample, usdc, dai, Lie.OTHER_RECEIVER)
    assert gained == 0
    assert await balance_of(world.rpc(A), dai, STRANGER) == promised


@on_sandbox_loop
async def test_settlement_code_refuses_a_wrong_value_and_a_missed_minimum(
    restored_sandbox: Sandbox, sample: SampleUpstream, world: World
) -> None:
    usdc = world.chain(A).tokens["USDC"].address
    swap = "swap(address,uint256,address,uint256,address,uint256,bytes)"
    account, now = await wallet(world, A, usdc), await world.block_time(A)
    calls = [
        (swap, (usdc, 1000, usdc, 1001, RECEIVER, now + 600, b""), 0),
        (swap, (usdc, 1000, usdc, 1000, RECEIVER, now + 600, b""), 1),
        (swap, (NATIVE_EVM, 1000, NATIVE_EVM, 1000, RECEIVER, now + 600, b""), 999),
        (swap, (usdc, 1000, usdc, 1000, RECEIVER, now - 1, b""), 0),
    ]
    for signature, values, value in calls:
        with pytest.raises(SetUpError):
            await account.send(ENTRY, encoded(signature, *values), value)
    await account.send(ENTRY, encoded(swap, usdc, 1000, usdc, 1000, RECEIVER, now + 600, b""))


@on_sandbox_loop
async def test_pays_and_refunds_on_solana(restored_sandbox: Sandbox, sample: SampleUpstream, world: World) -> None:
    """A deposit from there that an emulator found itself, paid here; and one from here, paid there."""
    node = world.svm(SOLANA)
    usdc, here = node.chain.tokens["USDC"].address, world.chain(A).tokens["USDC"].address

    async def there(deposit: Deposit) -> Payment:
        return Payment(SOLANA, usdc, WALLET_THERE, 7_000, WALLET_THERE)

    async def back(deposit: Deposit) -> Payment:
        return Payment(A, here, RECEIVER, 5_000, WALLET_THERE)

    async def dealt(terms: Terms, behaviour: Behaviour, tx_hash: str) -> Dealing:
        solver = Solver(world, {}, terms, lambda: behaviour)
        running = asyncio.create_task(solver.run())
        solver.take(Deposit(SOLANA, node.solver, tx_hash, node.solver, usdc, 6_000, b"", tx_hash))
        dealing = solver.of_transaction(tx_hash)
        assert dealing is not None
        await settled(dealing)
        running.cancel()
        return dealing

    tx_hash = await node.pay(usdc, WALLET_THERE, 1)
    assert (await dealt(there, Behaviour(), tx_hash)).state is DepositState.FILLED
    assert await solana_balance(node.rpc, usdc, WALLET_THERE) == 7_001
    refunded = await dealt(back, Behaviour(outcome=Outcome.REFUND), tx_hash)
    assert (refunded.state, await solana_balance(node.rpc, usdc, WALLET_THERE)) == (DepositState.REFUNDED, 13_001)
    assert await node.stands(str(refunded.refund_tx))
    before = await balance_of(world.rpc(A), here, RECEIVER)
    assert (await dealt(back, Behaviour(), tx_hash)).state is DepositState.FILLED
    assert await balance_of(world.rpc(A), here, RECEIVER) - before == 5_000
    gone = await dealt(back, Behaviour(), str(Keypair().sign_message(b"never sent")))
    assert (gone.state, gone.why) == (DepositState.FAILED, "the deposit is no longer on its chain")
