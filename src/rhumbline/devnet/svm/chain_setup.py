"""Sets up the sandbox's Solana chain by transactions: mints, pools, token accounts, wallets for fees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from struct import pack

from solders.account import Account
from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.message import MessageV0
from solders.pubkey import Pubkey
from solders.system_program import CreateAccountParams, TransferParams, create_account, transfer
from solders.transaction import VersionedTransaction

from rhumbline.devnet.pool import Pool
from rhumbline.devnet.sandbox import SandboxToken
from rhumbline.devnet.svm.accounts import (
    FUNDED,
    INTEGRATOR_WALLET,
    OPERATOR,
    SERVICE_WALLET,
    SOLVER,
    keypair,
    named_keypair,
)
from rhumbline.devnet.svm.chain import SOL, SvmChain
from rhumbline.devnet.svm.plans import DECIMALS, HELD_USD, MINTS, POOLS, MintPlan, PoolPlan, raw_amount, reserves
from rhumbline.devnet.svm.pool_program import POOL_SIZE, PoolSide, make_pool, pool_authority
from rhumbline.devnet.svm.program_build import program
from rhumbline.devnet.svm.programs import (
    LIGHTHOUSE,
    TIP_ACCOUNTS,
    TIP_PROGRAM,
    TOKEN,
    TOKEN_2022,
    WRAPPED_SOL,
    token_account,
)
from rhumbline.devnet.svm.token_instructions import make_mint, make_token_account, mint_size, mint_to, sync_native

POOL_PROGRAM = named_keypair("pool program").pubkey()
POOL_KIND = "constant_product"
_LAMPORTS_HELD = 1_000_000 * SOL
_OPERATOR_HOLDS = 100_000_000 * SOL
_FEE_WALLET_HOLDS = SOL
_SOLVER_HELD_USD = 100_000_000
# As on every cluster the native mint has no mint authority, and its supply is not counted.
_NATIVE_MINT = pack("<I32sQB?I32s", 0, bytes(32), 0, 9, True, 0, bytes(32))


class SetUpFailed(Exception):
    """A transaction of the set-up failed: a fault of this code, not of the user."""


@dataclass(frozen=True, slots=True)
class FurnishedChain:
    """What is on the chain: tokens by symbol, contracts by name, pools."""

    tokens: Mapping[str, SandboxToken]
    contracts: Mapping[str, str]
    pools: tuple[Pool, ...]


@dataclass(frozen=True, slots=True)
class MintedToken:
    """A token on the chain: its mint, and the mint's token program."""

    mint: Pubkey
    program: Pubkey

    def account(self, owner: Pubkey) -> Pubkey:
        return token_account(owner, self.mint, self.program)


@cache
def token(symbol: str) -> MintedToken:
    """Return a token of the sandbox; raise KeyError for an unknown one."""
    if symbol == "WSOL":
        return MintedToken(WRAPPED_SOL, TOKEN)
    plan = {each.symbol: each for each in MINTS}[symbol]
    return MintedToken(named_keypair(f"mint {symbol}").pubkey(), TOKEN_2022 if plan.fee_points else TOKEN)


def pool_address(plan: PoolPlan) -> Pubkey:
    """Return the address of a planned pool."""
    return named_keypair(f"pool {plan.name}").pubkey()


def furnish(chain: SvmChain) -> FurnishedChain:
    """Set up a new chain, and let slots pass until that is finalized; raise SetUpFailed."""
    builder = _Builder(chain, keypair(OPERATOR))
    builder.begin()
    for mint in MINTS:
        builder.mint(mint)
    for pool in POOLS:
        builder.pool(pool)
    for index in FUNDED:
        builder.fund(keypair(index).pubkey(), _LAMPORTS_HELD, HELD_USD)
    builder.fund(keypair(SOLVER).pubkey(), _LAMPORTS_HELD, _SOLVER_HELD_USD)
    for index in (SERVICE_WALLET, INTEGRATOR_WALLET):
        builder.fund(keypair(index).pubkey(), _FEE_WALLET_HOLDS, 0)
    chain.advance(32)
    return FurnishedChain(
        {symbol: SandboxToken(str(token(symbol).mint), decimals) for symbol, decimals in DECIMALS.items()},
        {
            "pool_program": str(POOL_PROGRAM),
            "service_wallet": str(keypair(SERVICE_WALLET).pubkey()),
            "integrator_wallet": str(keypair(INTEGRATOR_WALLET).pubkey()),
        },
        tuple(Pool(POOL_KIND, str(pool_address(plan)), (plan.first, plan.second), plan.fee) for plan in POOLS),
    )


@dataclass(frozen=True, slots=True)
class _Builder:
    chain: SvmChain
    operator: Keypair

    def begin(self) -> None:
        self.chain.set_account(WRAPPED_SOL, Account(SOL, _NATIVE_MINT, TOKEN))
        self.chain.add_program(POOL_PROGRAM, program("pool"))
        self.chain.add_program(LIGHTHOUSE, program("lighthouse"))
        for address in TIP_ACCOUNTS:
            self.chain.set_account(address, Account(SOL, bytes(8), TIP_PROGRAM))
        self.chain.airdrop(self.operator.pubkey(), _OPERATOR_HOLDS)

    def mint(self, plan: MintPlan) -> None:
        key, owner = named_keypair(f"mint {plan.symbol}"), self.operator.pubkey()
        rent = self.chain.rent(mint_size(plan.fee_points))
        self.run(make_mint(owner, key.pubkey(), owner, plan.decimals, plan.fee_points, rent), key)

    def pool(self, plan: PoolPlan) -> None:
        key, owner = named_keypair(f"pool {plan.name}"), self.operator.pubkey()
        authority, _ = pool_authority(POOL_PROGRAM, key.pubkey())
        reserve = zip((plan.first, plan.second), reserves(plan), strict=True)
        self.run([call for symbol, amount in reserve for call in self._given(symbol, authority, amount)])
        first, second = (
            PoolSide(each.account(authority), each.mint, each.program)
            for each in (token(plan.first), token(plan.second))
        )
        space = CreateAccountParams(
            from_pubkey=owner, to_pubkey=key.pubkey(), lamports=self.chain.rent(POOL_SIZE), space=POOL_SIZE,
            owner=POOL_PROGRAM,
        )  # fmt: skip
        self.run([create_account(space), make_pool(POOL_PROGRAM, key.pubkey(), (first, second), plan.fee)], key)

    def fund(self, wallet: Pubkey, lamports: int, usd: int) -> None:
        """Give a wallet lamports, and an account of every token worth so many dollars."""
        gift = TransferParams(from_pubkey=self.operator.pubkey(), to_pubkey=wallet, lamports=lamports)
        given = (self._given(symbol, wallet, raw_amount(symbol, usd)) for symbol in DECIMALS)
        self.run([transfer(gift), *(call for calls in given for call in calls)])

    def run(self, calls: Sequence[Instruction], *signers: Keypair) -> None:
        message = MessageV0.try_compile(self.operator.pubkey(), list(calls), [], self.chain.blockhash())
        executed = self.chain.send(VersionedTransaction(message, [self.operator, *signers]))
        if executed.error is not None:
            raise SetUpFailed(f"{executed.error}: {executed.meta['logMessages']}")

    def _given(self, symbol: str, owner: Pubkey, amount: int) -> list[Instruction]:
        minted, payer = token(symbol), self.operator.pubkey()
        account = minted.account(owner)
        made = make_token_account(payer, owner, minted.mint, minted.program)
        if not amount:
            return [made]
        if symbol == "WSOL":
            wrapped = TransferParams(from_pubkey=payer, to_pubkey=account, lamports=amount)
            return [made, transfer(wrapped), sync_native(account)]
        return [made, mint_to(minted.mint, account, payer, amount, minted.program)]
