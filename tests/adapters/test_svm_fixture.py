"""Drafts are executed as they are, and what they changed is told."""

from collections.abc import AsyncIterator
from struct import pack

import pytest
from solders.keypair import Keypair

from rhumbline.devnet.upstreams.svm_market import SvmTrade
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.svm import AccountRole, SvmDraft, SvmInstruction, SvmSealed
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from rhumbline.gateways.svm.instructions import SystemTransfer
from rhumbline.gateways.svm.messages import compile_v0
from tests.adapters.svm_fixture import Solana, executed, executed_sealed, open_solana

VENDOR = str(Keypair.from_seed(b"a vendor's program, at an addres").pubkey())
FRIEND = Keypair.from_seed(b"somebody else who signs beside i")


@pytest.fixture(scope="module")
async def solana() -> AsyncIterator[Solana]:
    async with open_solana() as opened:
        await opened.node.install_program(VENDOR, "aggregator")
        yield opened


async def swap(solana: Solana, above: int) -> tuple[SvmDraft, SvmTrade]:
    usdt, dai = (solana.token(symbol).address for symbol in ("USDT", "DAI"))
    trade = await solana.world.market.quote(solana.chain.id, usdt, dai, 10**6)
    assert isinstance(trade, SvmTrade)
    user = solana.wallet(1)
    heads = (AccountRole(user, signer=True, writable=True), AccountRole(trade.account(user, dai), writable=True))
    data = pack("<BQQ", len(trade.legs), 10**6, trade.amount_out + above)
    call = SvmInstruction(VENDOR, heads + trade.steps(user), data)
    return SvmDraft(solana.chain.id, VENDOR, (call,), frozenset({VENDOR}), compute_limit=400_000), trade


async def test_a_swap(solana: Solana) -> None:
    draft, trade = await swap(solana, 0)
    done = await executed(solana.node.rpc, draft, 1)
    assert done.gained(solana.wallet(1), solana.token("DAI").address) == trade.amount_out
    assert done.gained(solana.wallet(1), solana.token("USDT").address) == -(10**6)
    assert done.gained(solana.wallet(1)) == 0


async def test_what_fails_says_why(solana: Solana) -> None:
    draft, _ = await swap(solana, 1)
    with pytest.raises(SvmRpcError, match="0x6") as raised:
        await executed(solana.node.rpc, draft, 1)
    assert raised.value.logs


async def test_who_else_signs(solana: Solana) -> None:
    friend = str(FRIEND.pubkey())
    calls = (
        SystemTransfer(solana.wallet(2), friend, 10**9).encode(),
        SystemTransfer(friend, solana.wallet(41), 10**8).encode(),
    )
    draft = SvmDraft(solana.chain.id, calls[0].program, calls, frozenset(), co_signers=(bytes(FRIEND),))
    done = await executed(solana.node.rpc, draft, 2)
    assert (done.gained(friend), done.gained(solana.wallet(41), NATIVE_SVM)) == (9 * 10**8, 10**8)
    assert done.gained(solana.wallet(2)) == -(10**9)


async def test_what_others_signed_is_sent_as_it_is(solana: Solana) -> None:
    friend = str(FRIEND.pubkey())
    await solana.node.pay(NATIVE_SVM, friend, 10**9)
    call = SystemTransfer(friend, solana.wallet(40), 10**8).encode()
    blockhash = await solana.node.rpc.latest_blockhash()
    message = compile_v0(solana.wallet(3), [call], [], blockhash.value)
    signatures = {friend: bytes(FRIEND.sign_message(message))}
    sealed = SvmSealed(solana.chain.id, call.program, message, signatures, frozenset())
    done = await executed_sealed(solana.node.rpc, sealed, 3)
    assert done.gained(solana.wallet(40)) == 10**8
