"""What emulators stand on where a chain is Solana's: payments, programs, transactions as they come."""

import asyncio
from base64 import b64encode

import pytest
from solders.keypair import Keypair

from rhumbline.devnet.evm.operator import SetUpError
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.svm.wallet import balance_of
from rhumbline.devnet.upstreams.svm_node import SvmNode
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.gateways.svm.instructions import CreateTokenAccount, SystemTransfer
from rhumbline.gateways.svm.programs import SPL
from tests.sandbox_fixture import LoopThread, on_sandbox_loop

CHAIN = 900_003
SOL = 10**9
RECEIVER = str(Keypair.from_seed(b"somebody who has nothing so far.").pubkey())


@pytest.fixture
def node(restored_sandbox: Sandbox, world: World) -> SvmNode:
    return world.svm(CHAIN)


@on_sandbox_loop
async def test_the_solver_pays_sol_and_every_token(node: SvmNode) -> None:
    assert await balance_of(node.rpc, NATIVE_SVM, RECEIVER) == 0
    await node.pay(NATIVE_SVM, RECEIVER, SOL)
    assert await balance_of(node.rpc, NATIVE_SVM, RECEIVER) == SOL
    for symbol, token in node.chain.tokens.items():
        await node.pay(token.address, RECEIVER, 1000)
        # The mint of TAX keeps one percent of every transfer.
        assert await balance_of(node.rpc, token.address, RECEIVER) == (990 if symbol == "TAX" else 1000)


def test_a_payment_that_fails_says_so(node: SvmNode, sandbox_loop: LoopThread) -> None:
    with pytest.raises(SetUpError, match=r"sbxs: .*rent"):
        sandbox_loop.run(node.pay(NATIVE_SVM, RECEIVER, 1))
    with pytest.raises(SetUpError, match="is no token"):
        sandbox_loop.run(node.pay(node.solver, RECEIVER, 1))


@on_sandbox_loop
async def test_accounts_that_are_there_are_not_made_again(node: SvmNode) -> None:
    token = node.chain.tokens["USDC"].address
    accounts = [CreateTokenAccount.of(node.solver, owner, token, SPL) for owner in (node.solver, RECEIVER)]
    made = await node.missing(accounts)
    assert made == [accounts[1].encode()]
    await node.send(made)
    assert await node.missing(accounts) == []


@on_sandbox_loop
async def test_a_program_lies_where_it_was_put_and_runs(node: SvmNode) -> None:
    address = str(Keypair.from_seed(b"a program at a vendor's address.").pubkey())
    await node.install_program(address, "aggregator")
    account = await node.rpc.account(address)
    assert account is not None
    assert account.executable
    with pytest.raises(FileNotFoundError):
        await node.install_program(address, "no such program")
    await node.store(address[:-1] + "1", address, b"what lies there")
    stored = await node.rpc.account(address[:-1] + "1")
    assert stored is not None
    assert (stored.owner, stored.data) == (address, b"what lies there")


@pytest.mark.parametrize("content", [{}, {"lamports": -1, "owner": NATIVE_SVM}, {"lamports": 1, "owner": "x"}])
def test_what_is_no_account_is_refused(node: SvmNode, sandbox_loop: LoopThread, content: dict[str, object]) -> None:
    with pytest.raises(Exception, match=r"Invalid param|expected"):
        sandbox_loop.run(node.rpc.call("sandbox_setAccount", [RECEIVER, content]))
    with pytest.raises(Exception, match=r"Invalid param|expected"):
        sandbox_loop.run(node.rpc.call("sandbox_setProgram", [RECEIVER, b64encode(b"x").decode() + "?"]))


@on_sandbox_loop
async def test_transactions_come_as_they_are_executed(node: SvmNode) -> None:
    seen: list[ExecutedTransaction] = []
    enough = asyncio.Event()

    async def watch() -> None:
        async for each in node.transactions(RECEIVER):
            seen.append(each)
            if len(seen) == 2:
                enough.set()

    await node.pay(NATIVE_SVM, RECEIVER, SOL)
    watching = asyncio.create_task(watch())
    await asyncio.sleep(0.05)
    sent = [await node.pay(NATIVE_SVM, RECEIVER, SOL + number) for number in range(2)]
    async with asyncio.timeout(20):
        await enough.wait()
    watching.cancel()
    assert [each.signature for each in seen] == sent
    assert seen[0].balances_after[RECEIVER] - seen[0].balances_before[RECEIVER] == SOL
    assert await node.stands(sent[0])
    assert not await node.stands(str(Keypair().sign_message(b"never sent")))


@on_sandbox_loop
async def test_what_somebody_else_signs_goes_in_too(node: SvmNode) -> None:
    other = Keypair.from_seed(b"somebody who signs beside the so")
    await node.pay(NATIVE_SVM, str(other.pubkey()), SOL)
    await node.send([SystemTransfer(str(other.pubkey()), RECEIVER, SOL // 2).encode()], other)
    assert await balance_of(node.rpc, NATIVE_SVM, RECEIVER) == SOL // 2
