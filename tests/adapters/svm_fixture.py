"""The sandbox's Solana chain alone, in this process, and what becomes of a draft there.

`open_solana` gives a world for emulators; a fixture of any scope may hold it open. `executed` compiles a draft as it
is, without the service's fees and tracking, signs, sends, and tells what came of it.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from solders.keypair import Keypair
from solders.message import from_bytes_versioned

from rhumbline.devnet.sandbox import Sandbox, SandboxToken
from rhumbline.devnet.svm.accounts import keypair
from rhumbline.devnet.svm.chains import running_solana
from rhumbline.devnet.svm.plans import CHAIN_ID, CHAIN_KEY, CHAIN_NAME
from rhumbline.devnet.svm.wallet import signed_by
from rhumbline.devnet.upstreams.svm_node import SvmNode
from rhumbline.devnet.upstreams.world import World, running_world
from rhumbline.domain.chain import NATIVE_SVM, Chain, ChainType
from rhumbline.domain.svm import SvmDraft, SvmSealed
from rhumbline.domain.token import Token
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.gateways.svm.compute_budget import MOST_UNITS, ComputeBudget
from rhumbline.gateways.svm.messages import compile_v0, serialise, signer_count


@dataclass(frozen=True)
class Solana:
    """The chain with a world of its own."""

    world: World

    @property
    def node(self) -> SvmNode:
        return self.world.svm(CHAIN_ID)

    @property
    def chain(self) -> Chain:
        """The chain as adapters know it."""
        native = Token(CHAIN_ID, NATIVE_SVM, "SOL", 9, "Solana")
        return Chain(
            CHAIN_ID, CHAIN_KEY, CHAIN_NAME, ChainType.SVM, native, mainnet=False,
            wrapped_native=self._described("WSOL").address,
        )  # fmt: skip

    def token(self, symbol: str) -> Token:
        """Return a token by its symbol, SOL for the native asset."""
        if symbol == "SOL":
            return self.chain.native
        described = self._described(symbol)
        return Token(CHAIN_ID, described.address, symbol, described.decimals, symbol)

    def wallet(self, index: int = 0) -> str:
        """Return the address of a sandbox's account: the first eight have SOL and every token, 40 and 41 nothing."""
        return str(keypair(index).pubkey())

    def _described(self, symbol: str) -> SandboxToken:
        return self.world.chain(CHAIN_ID).tokens[symbol]


@asynccontextmanager
async def open_solana() -> AsyncIterator[Solana]:
    async with running_solana() as running:
        local = running.local
        async with running_world(Sandbox(local.chains, local.accounts, local.empty)) as world:
            yield Solana(world)


@dataclass(frozen=True)
class Executed:
    """A transaction as the node tells of it, and what it changed."""

    transaction: ExecutedTransaction

    def gained(self, owner: str, token: str = NATIVE_SVM) -> int:
        """What a wallet has more of a token, in all accounts of it that the transaction names; or of lamports.

        The network's fee is not taken off the payer's.
        """
        done = self.transaction
        if token == NATIVE_SVM:
            paid = done.fee if owner == done.message.payer else 0
            return done.balances_after[owner] - done.balances_before[owner] + paid
        before, after = (
            sum(each.amount for each in held if (each.owner, each.mint) == (owner, token))
            for held in (done.tokens_before, done.tokens_after)
        )
        return after - before


async def executed(rpc: SvmRpc, draft: SvmDraft, signer_index: int = 0) -> Executed:
    """Execute a draft for a sandbox's account.

    Raise SvmRpcError where it fails: its ``error`` and ``logs`` say why, and nothing was executed.
    """
    payer = keypair(signer_index)
    budget = ComputeBudget(units=draft.compute_limit or MOST_UNITS, heap=draft.heap_frame)
    tables = await SvmState(rpc).tables(draft.tables) if draft.tables else ()
    blockhash = await rpc.latest_blockhash()
    instructions = (*budget.instructions(), *draft.instructions)
    message = compile_v0(str(payer.pubkey()), instructions, tables, blockhash.value)
    signers = [payer, *(Keypair.from_bytes(key) for key in draft.co_signers)]
    signatures = {str(key.pubkey()): bytes(key.sign_message(message)) for key in signers}
    return await _sent(rpc, serialise(message, _signers(message), signatures))


async def executed_sealed(rpc: SvmRpc, sealed: SvmSealed, signer_index: int = 0) -> Executed:
    """Execute what others have signed in part; errors as of `executed`."""
    transaction = serialise(sealed.message, _signers(sealed.message), sealed.signatures)
    return await _sent(rpc, signed_by(keypair(signer_index), transaction))


def _signers(message: bytes) -> list[str]:
    return [str(key) for key in from_bytes_versioned(message).account_keys[: signer_count(message)]]


async def _sent(rpc: SvmRpc, transaction: bytes) -> Executed:
    signature = await rpc.send(transaction)
    await rpc.call("sandbox_advanceSlots", [1])
    found = await rpc.transaction(signature)
    assert found is not None, "a slot later it is confirmed"
    assert found.error is None, (found.error, found.logs)
    return Executed(found)
