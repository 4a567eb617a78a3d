"""What somebody gained by a transaction, whatever goes to and fro between its wallet and its token accounts."""

from solders.keypair import Keypair
from solders.pubkey import Pubkey

from rhumbline.devnet.svm.chain import SOL
from rhumbline.devnet.svm.chain_setup import POOL_PROGRAM, pool_address, token
from rhumbline.devnet.svm.plans import POOLS
from rhumbline.devnet.svm.pool_program import read_pool
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.gateways.svm.instructions import (
    CloseAccount,
    CreateTokenAccount,
    SystemTransfer,
    TokenTransfer,
    wrap_sol,
)
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from rhumbline.tracking.svm.balances import burnt, gained, joint_gain
from tests.tracking.svm.solana_orders import SENDER, STRANGER, USDC, USDC_MINT, USER, SolanaOrders, budget, words

WSOL = token("WSOL")
_PLAN = next(plan for plan in POOLS if (plan.first, plan.second, plan.fee) == ("WSOL", "USDC", 500))


async def done(
    solana: SolanaOrders, *calls: SvmInstruction, signers: tuple[Keypair, ...] = (USER,)
) -> ExecutedTransaction:
    executed = await solana.rpc.transaction(await solana.send(*calls, signers=signers))
    assert executed is not None
    assert executed.error is None, executed.logs
    return executed


def swap(solana: SolanaOrders, amount: int, *, turned: bool) -> SvmInstruction:
    account = solana.chain.account(pool_address(_PLAN))
    assert account is not None
    pool = read_pool(POOL_PROGRAM, pool_address(_PLAN), account.data)
    sol, dollars = WSOL.account(USER.pubkey()), USDC.account(USER.pubkey())
    source, destination = (dollars, sol) if turned else (sol, dollars)
    return words(pool.swap(USER.pubkey(), source, destination, amount, 1, turned=turned))


def wrapped_account() -> str:
    return str(WSOL.account(USER.pubkey()))


def pool_gave(executed: ExecutedTransaction) -> int:
    vaults = [each.account for each in executed.tokens_after if each.owner not in (SENDER, None)]
    return -joint_gain(executed, vaults, WRAPPED_SOL)


async def test_native_that_is_unwrapped_beside_what_lay_there_counts_once(solana: SolanaOrders) -> None:
    """The wallet's account of wrapped SOL held something before, and is closed with it: rent and all come home."""
    close = CloseAccount(SPL, wrapped_account(), SENDER, SENDER).encode()
    executed = await done(solana, *budget(), swap(solana, 1_000_000, turned=True), close)
    assert pool_gave(executed) > 0
    assert gained(executed, SENDER, NATIVE_SVM, USDC_MINT) == pool_gave(executed)
    assert gained(executed, SENDER, USDC_MINT) == -1_000_000


async def test_native_that_is_wrapped_is_not_spent_until_it_is_traded(solana: SolanaOrders) -> None:
    executed = await done(solana, *wrap_sol(SENDER, wrapped_account(), SOL), swap(solana, SOL // 2, turned=False))
    assert gained(executed, SENDER, NATIVE_SVM, USDC_MINT) == -(SOL // 2)
    assert gained(executed, SENDER, USDC_MINT) > 0


async def test_wrapping_and_unwrapping_are_trades_too(solana: SolanaOrders) -> None:
    wrapping = await done(solana, *wrap_sol(SENDER, wrapped_account(), SOL))
    assert gained(wrapping, SENDER, NATIVE_SVM, WRAPPED_SOL) == -SOL
    assert gained(wrapping, SENDER, WRAPPED_SOL, NATIVE_SVM) == SOL
    unwrapping = await done(solana, CloseAccount(SPL, wrapped_account(), SENDER, SENDER).encode())
    held = -gained(unwrapping, SENDER, WRAPPED_SOL, NATIVE_SVM)
    assert held > SOL
    assert gained(unwrapping, SENDER, NATIVE_SVM, WRAPPED_SOL) == held


async def test_an_account_s_rent_is_nobody_s_gain(solana: SolanaOrders) -> None:
    """It is the owner's own money; that of another's account is the other's."""
    mint, fresh = str(token("DAI").mint), Keypair()
    owner = str(fresh.pubkey())
    executed = await done(solana, CreateTokenAccount.of(SENDER, owner, mint, SPL).encode())
    rent = gained(executed, owner, NATIVE_SVM)
    assert rent > 0
    assert gained(executed, SENDER, NATIVE_SVM) == -rent
    assert gained(executed, owner, mint) == 0


async def test_who_pays_the_fee_has_lost_nothing_by_it(solana: SolanaOrders) -> None:
    other = str(STRANGER.pubkey())
    executed = await done(solana, *budget(), SystemTransfer(SENDER, other, 7 * SOL).encode())
    assert executed.fee > 5000
    assert (gained(executed, SENDER, NATIVE_SVM), gained(executed, other, NATIVE_SVM)) == (-7 * SOL, 7 * SOL)


async def test_what_is_burnt_is_gone_for_everybody(solana: SolanaOrders) -> None:
    account = str(USDC.account(USER.pubkey()))
    roles = (AccountRole(account, writable=True), AccountRole(USDC_MINT, writable=True), AccountRole(SENDER, True))
    burning = SvmInstruction(SPL, roles, bytes([8]) + (1234).to_bytes(8, "little"))
    other = str(USDC.account(Pubkey.from_string(str(STRANGER.pubkey()))))
    moving = TokenTransfer(SPL, account, other, SENDER, 500, USDC_MINT, 6).encode()
    executed = await done(solana, burning, moving)
    assert (burnt(executed, USDC_MINT), joint_gain(executed, [other], USDC_MINT)) == (1234, 500)
    assert joint_gain(executed, [other], str(token("USDT").mint)) == 0
