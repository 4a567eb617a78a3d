"""A set-up chain without a server, and what tests do on it: send, look, make accounts that nobody should accept."""

from dataclasses import dataclass, field

from solders.account import Account
from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.message import MessageV0
from solders.pubkey import Pubkey
from solders.system_program import CreateAccountParams, create_account
from solders.transaction import VersionedTransaction

from rhumbline.devnet.svm.accounts import OPERATOR, keypair
from rhumbline.devnet.svm.chain import SvmChain
from rhumbline.devnet.svm.chain_setup import POOL_PROGRAM, MintedToken, furnish, pool_address, token
from rhumbline.devnet.svm.ledger import Executed
from rhumbline.devnet.svm.plans import POOLS, PoolPlan
from rhumbline.devnet.svm.pool_program import OnchainPool, read_pool
from rhumbline.devnet.svm.token_instructions import make_token_account, mint_to
from rhumbline.devnet.svm.token_layouts import read_holding

STARTED = 1_800_000_000
PLAN = next(plan for plan in POOLS if (plan.first, plan.second) == ("USDC", "USDT"))
TAXED = next(plan for plan in POOLS if plan.second == "TAX")


@dataclass
class SetUpChain:
    """The chain with one wallet of the funded ones."""

    chain: SvmChain = field(default_factory=lambda: SvmChain(STARTED))
    user: Keypair = field(default_factory=lambda: keypair(0))

    def __post_init__(self) -> None:
        furnish(self.chain)

    def send(self, calls: list[Instruction], *signers: Keypair) -> Executed:
        by = signers or (self.user,)
        self.chain.advance()
        message = MessageV0.try_compile(by[0].pubkey(), calls, [], self.chain.blockhash())
        return self.chain.send(VersionedTransaction(message, list(by)))

    def done(self, calls: list[Instruction], *signers: Keypair) -> Executed:
        executed = self.send(calls, *signers)
        assert executed.error is None, executed.meta["logMessages"]
        return executed

    def pool(self, plan: PoolPlan) -> OnchainPool:
        account = self.chain.account(pool_address(plan))
        assert account is not None
        return read_pool(POOL_PROGRAM, pool_address(plan), account.data)

    def amount(self, account: Pubkey) -> int:
        holding = read_holding(self.chain.account(account))
        assert holding is not None
        return holding.amount

    def holding(self, owner: Pubkey, minted: MintedToken, amount: int = 0) -> Pubkey:
        """Make an owner's token account with so much."""
        operator, account = keypair(OPERATOR), minted.account(owner)
        calls = [make_token_account(operator.pubkey(), owner, minted.mint, minted.program)]
        if amount:
            calls.append(mint_to(minted.mint, account, operator.pubkey(), amount, minted.program))
        self.done(calls, operator)
        return account

    def blank(self, owner: Pubkey, size: int) -> Keypair:
        """Make an empty account of a program's."""
        key = Keypair()
        rent = self.chain.rent(size)
        params = CreateAccountParams(
            from_pubkey=self.user.pubkey(), to_pubkey=key.pubkey(), lamports=rent, space=size, owner=owner
        )
        self.done([create_account(params)], self.user, key)
        return key

    def copy(self, key: Pubkey, *, data: bytes | None = None, owner: Pubkey | None = None) -> Pubkey:
        """Put a copy of an account elsewhere, with another owner or other data."""
        account, copied = self.chain.account(key), Keypair().pubkey()
        assert account is not None
        kept = account.data if data is None else data
        self.chain.set_account(copied, Account(account.lamports, kept, owner or account.owner))
        return copied

    def put(self, account: Pubkey, amount: int) -> None:
        """Let a token account hold so much, whatever it held."""
        found = self.chain.account(account)
        assert found is not None
        data = found.data[:64] + amount.to_bytes(8, "little") + found.data[72:]
        self.chain.set_account(account, Account(found.lamports, data, found.owner))


def sides(plan: PoolPlan, *, turned: bool = False) -> tuple[MintedToken, MintedToken]:
    first, second = token(plan.first), token(plan.second)
    return (second, first) if turned else (first, second)
