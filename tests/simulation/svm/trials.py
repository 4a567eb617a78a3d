"""Transactions tried on the sandbox's Solana chain, and the same ones really executed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.message import from_bytes_versioned
from solders.pubkey import Pubkey
from solders.transaction import VersionedTransaction

from rhumbline.devnet.svm.accounts import keypair
from rhumbline.devnet.svm.chain_setup import POOL_PROGRAM, pool_address, token
from rhumbline.devnet.svm.chains import RunningSolana
from rhumbline.devnet.svm.plans import POOLS, PoolPlan
from rhumbline.devnet.svm.pool_program import OnchainPool, read_pool
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.simulation import Simulation
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.svm.compute_budget import ComputeBudget
from rhumbline.gateways.svm.decompiler import decompile_message
from rhumbline.gateways.svm.instructions import CloseAccount, CreateTokenAccount, wrap_sol
from rhumbline.gateways.svm.messages import compile_v0, serialise
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from rhumbline.simulation.svm.runtime import SvmSimulator
from rhumbline.simulation.svm.task import SvmSimulationTask

SOL = 10**9
USER, FRIEND, THIEF, POOR = keypair(0), keypair(1), keypair(2), keypair(40)
USDC, USDT, DAI, TAX, WETH = (str(token(symbol).mint) for symbol in ("USDC", "USDT", "DAI", "TAX", "WETH"))
STABLE = next(plan for plan in POOLS if (plan.first, plan.second) == ("USDC", "USDT"))
TAXED = next(plan for plan in POOLS if plan.second == "TAX")
WRAPPED = next(plan for plan in POOLS if (plan.first, plan.second, plan.fee) == ("WSOL", "USDC", 3000))
PRICE = ComputeBudget(400_000, 70_000)
"""A budget whose priority fee is 28,000 lamports."""
FEE = 5_000 + 28_000


def name(who: Keypair) -> str:
    return str(who.pubkey())


def account(who: Keypair, symbol: str) -> str:
    return str(token(symbol).account(who.pubkey()))


def create(payer: Keypair, owner: Keypair, symbol: str) -> SvmInstruction:
    minted = token(symbol)
    return CreateTokenAccount.of(name(payer), name(owner), str(minted.mint), str(minted.program)).encode()


def wrap(who: Keypair, lamports: int) -> list[SvmInstruction]:
    return [create(who, who, "WSOL"), *wrap_sol(name(who), account(who, "WSOL"), lamports)]


def unwrap(who: Keypair, to: Keypair | None = None) -> SvmInstruction:
    return CloseAccount(SPL, account(who, "WSOL"), name(to or who), name(who)).encode()


def in_words(call: Instruction) -> SvmInstruction:
    roles = tuple(AccountRole(str(each.pubkey), each.is_signer, each.is_writable) for each in call.accounts)
    return SvmInstruction(str(call.program_id), roles, call.data)


@dataclass
class Trials:
    """The chain, a node of it, and the simulator on that node."""

    solana: RunningSolana
    rpc: SvmRpc
    simulator: SvmSimulator

    def swap(
        self, plan: PoolPlan, amount: int, *, by: Keypair = USER, to: Keypair | None = None, turned: bool = False
    ) -> SvmInstruction:
        """Return the call of a pool by a wallet; ``to`` gains, by default the same."""
        given, wanted = (plan.second, plan.first) if turned else (plan.first, plan.second)
        source, target = token(given).account(by.pubkey()), token(wanted).account((to or by).pubkey())
        return in_words(self._pool(plan).swap(by.pubkey(), source, target, amount, 1, turned=turned))

    def task(self, calls: Sequence[SvmInstruction], *, by: Keypair = USER, **said: Any) -> SvmSimulationTask:
        """Return the task of a swap of 1,000 USDC into USDT, but for what is said, in these calls."""
        chain = self.solana.server.chain
        instructions = [*PRICE.instructions(), *calls]
        message = compile_v0(name(by), instructions, [], str(chain.blockhash()))
        read = decompile_message(message)
        facts: dict[str, Any] = {
            "chain_id": 900003, "sender": name(by), "receiver": name(by), "input_token": USDC,
            "input_amount": 1000 * 10**6, "output_token": USDT, "advertised_output": 999 * 10**6,
            "min_output": 990 * 10**6, "transaction": serialise(message, read.signers, {}),
            "writable": tuple(role.address for role in read.accounts if role.writable),
            "signatures": len(read.signers),
        }  # fmt: skip
        return SvmSimulationTask(**{**facts, **said})

    async def tried(self, calls: Sequence[SvmInstruction], *, by: Keypair = USER, **said: Any) -> Simulation:
        return await self.simulator.simulate(self.task(calls, by=by, **said))

    def execute(self, calls: Sequence[SvmInstruction], *signers: Keypair, budget: ComputeBudget = PRICE) -> None:
        """Really do it, by the first of the signers, or by the user."""
        chain, by = self.solana.server.chain, signers or (USER,)
        chain.advance()
        message = compile_v0(name(by[0]), [*budget.instructions(), *calls], [], str(chain.blockhash()))
        done = chain.send(VersionedTransaction(from_bytes_versioned(message), list(by)))
        assert done.error is None, done.meta["logMessages"]

    def lamports(self, who: Keypair | str) -> int:
        found = self.solana.server.chain.account(Pubkey.from_string(who) if isinstance(who, str) else who.pubkey())
        return 0 if found is None else found.lamports

    async def amount(self, address: str) -> int:
        """Return what a token account holds, as the node counts it."""
        answer: Any = await self.rpc.call("getTokenAccountBalance", [address])
        return int(answer["value"]["amount"])

    def _pool(self, plan: PoolPlan) -> OnchainPool:
        found = self.solana.server.chain.account(pool_address(plan))
        assert found is not None
        return read_pool(POOL_PROGRAM, pool_address(plan), found.data)


NATIVE_IN: Mapping[str, Any] = {
    "input_token": NATIVE_SVM, "input_amount": 2 * SOL, "output_token": USDC, "advertised_output": 299 * 10**6,
    "min_output": 1,
}  # fmt: skip
NATIVE_OUT: Mapping[str, Any] = {"output_token": NATIVE_SVM, "advertised_output": 6 * SOL, "min_output": 1}
WRAPPED_MINT = WRAPPED_SOL
