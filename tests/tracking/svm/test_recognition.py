"""What a wallet puts beside what it was handed: it unmakes no record, and is in none of its amounts."""

from dataclasses import replace

import pytest
from solders.account import Account
from solders.keypair import Keypair
from solders.pubkey import Pubkey
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.domain.tracking import RecordAmount, StatusSource, TransactionRecord, TransferState
from rhumbline.gateways.svm.fingerprint import fingerprint, parts_of
from rhumbline.gateways.svm.instructions import CloseAccount, CreateTokenAccount, SystemTransfer, TokenTransfer
from rhumbline.gateways.svm.lighthouse import holds_lamports
from rhumbline.gateways.svm.programs import MEMO, SPL
from rhumbline.tracking.issued_transactions import IssuedTransactions
from tests.tracking.conftest import kept
from tests.tracking.svm.conftest import catch_up, chain_indexer, keep
from tests.tracking.svm.solana_orders import (
    AMOUNT,
    OWN_FEE,
    SENDER,
    SERVICE_FEE,
    STRANGER,
    USDC,
    USDC_MINT,
    USDT,
    USDT_MINT,
    USER,
    Order,
    SolanaOrders,
    budget,
)
from tests.tracking.svm.test_balances import swap as swap_sol
from tests.tracking.svm.test_balances import wrapped_account

OTHER = str(STRANGER.pubkey())
TIP = SystemTransfer(SENDER, OTHER, 5_000_000).encode()
MEMOED = SvmInstruction(MEMO, (), b"lunch")
NEWCOMER = "SysvarRent111111111111111111111111111111111"


def pays(coin: str, payer: Keypair, to: Keypair, amount: int) -> SvmInstruction:
    source, destination = ((USDC if coin == USDC_MINT else USDT).account(each.pubkey()) for each in (payer, to))
    return TokenTransfer(SPL, str(source), str(destination), str(payer.pubkey()), amount, coin, 6).encode()


async def recorded(solana: SolanaOrders, engine: AsyncEngine) -> TransactionRecord:
    await catch_up(chain_indexer(solana, engine))
    [record] = await kept(engine)
    return record


async def brought_alone(solana: SolanaOrders, order: Order) -> int:
    """What the order brings where nothing is put beside it; afterwards nothing of it has happened."""
    mark = solana.chain.snapshot()
    executed = await solana.rpc.transaction(await solana.send(*order.calls))
    assert executed is not None
    solana.chain.restore(mark)
    before, after = (
        next(each.amount for each in told if (each.owner, each.mint) == (SENDER, USDT_MINT))
        for told in (executed.tokens_before, executed.tokens_after)
    )
    return after - before


ADDED = {
    "a tip and a memo": ((TIP, MEMOED), (USER,)),
    "tokens of the output sent on": ((pays(USDT_MINT, USER, STRANGER, 700_000),), (USER,)),
    "tokens of the output from elsewhere": ((pays(USDT_MINT, STRANGER, USER, 700_000),), (USER, STRANGER)),
    "tokens of the input from elsewhere": ((pays(USDC_MINT, STRANGER, USER, 700_000),), (USER, STRANGER)),
    "the same fee once more": ((pays(USDC_MINT, USER, USER, 1),), (USER,)),
    "an account for somebody": ((CreateTokenAccount.of(SENDER, NEWCOMER, USDT_MINT, SPL).encode(),), (USER,)),
}


@pytest.mark.parametrize(("name", "first"), tuple(zip(ADDED, [True, False] * 3, strict=True)))
async def test_what_a_wallet_adds_unmakes_no_record_and_moves_no_amount(
    solana: SolanaOrders, store_engine: AsyncEngine, name: str, *, first: bool
) -> None:
    added, signers = ADDED[name]
    order = solana.swap()
    await keep(store_engine, order)
    alone = await brought_alone(solana, order)
    calls = (*budget(), *added, *order.calls) if first else (*budget(), *order.calls, *added)
    signature = await solana.send(*calls, signers=signers)
    record = await recorded(solana, store_engine)
    assert (record.origin_tx_hash, record.status) == (signature, TransferState.SUCCESS)
    assert (record.input, record.output) == (RecordAmount(USDC_MINT, AMOUNT), RecordAmount(USDT_MINT, alone))
    assert record.service_fee == RecordAmount(USDC_MINT, SERVICE_FEE)
    assert record.integrator_fee == RecordAmount(USDC_MINT, OWN_FEE)


async def test_a_tip_is_not_taken_off_the_sol_that_a_swap_brings(
    solana: SolanaOrders, store_engine: AsyncEngine
) -> None:
    order = solana.swap(output_token=NATIVE_SVM, min_output=1)
    tracking = order.calls[-1]
    close = CloseAccount(SPL, wrapped_account(), SENDER, SENDER).encode()
    calls = (swap_sol(solana, 1_000_000, turned=True), close, tracking)
    await IssuedTransactions(store_engine).keep(replace(order.issued, data=fingerprint(calls), parts=parts_of(calls)))
    mark = solana.chain.snapshot()
    await solana.send(*calls)
    alone = (await recorded(solana, store_engine)).output
    solana.chain.restore(mark)
    await solana.send(TIP, *calls)
    await catch_up(chain_indexer(solana, store_engine))
    assert alone is not None
    assert [record.output for record in await kept(store_engine)] == [alone, alone]


@pytest.mark.parametrize("wallet", ["leaves", "strips", "rewrites", "adds to"])
async def test_what_a_wallet_does_to_our_assertions_unmakes_no_record(
    solana: SolanaOrders, store_engine: AsyncEngine, wallet: str
) -> None:
    order = solana.swap()
    ours, others = holds_lamports(SENDER, 1), holds_lamports(OTHER, 1)
    handed_out = (*order.calls, ours)
    parts, digest = parts_of(handed_out), fingerprint(handed_out)
    await IssuedTransactions(store_engine).keep(replace(order.issued, data=digest, parts=parts))
    at_the_end = {"leaves": (ours,), "strips": (), "rewrites": (others,), "adds to": (ours, others)}[wallet]
    signature = await solana.send(*budget(), TIP, *order.calls, *at_the_end)
    record = await recorded(solana, store_engine)
    assert (record.origin_tx_hash, record.status) == (signature, TransferState.SUCCESS)
    assert record.service_fee == RecordAmount(USDC_MINT, SERVICE_FEE)


@pytest.mark.parametrize("change", ["approval", "order", "twice the ID", "a foreign call", "of before"])
async def test_what_is_no_addition_of_a_wallet_s_makes_no_record(
    solana: SolanaOrders, store_engine: AsyncEngine, change: str
) -> None:
    order, again = solana.swap(), solana.swap(nonce=1)
    service, own, swap, tracking = order.calls
    # A build of the version before has no parts, and nothing may be added to it.
    await IssuedTransactions(store_engine).keep(
        replace(order.issued, parts=b"") if change == "of before" else order.issued
    )
    leave = SvmInstruction(
        SPL, (AccountRole(str(USDC.account(USER.pubkey())), writable=True), AccountRole(OTHER),
              AccountRole(SENDER, signer=True)), b"\x04" + (5).to_bytes(8, "little"),
    )  # fmt: skip
    calls = {
        "approval": (*order.calls, leave),
        "order": (own, MEMOED, service, swap, tracking),
        "twice the ID": (*order.calls, again.calls[-1]),
        "a foreign call": (*order.calls, swap_sol(solana, 1_000_000, turned=True)),
        "of before": (*order.calls, MEMOED),
    }[change]
    executed = await solana.rpc.transaction(await solana.send(*calls))
    assert executed is not None
    assert executed.error is None, executed.logs
    await catch_up(chain_indexer(solana, store_engine))
    assert await kept(store_engine) == []


def prepared(solana: SolanaOrders, owner: Pubkey) -> str:
    """An account of the output's mint that somebody has made for an owner: it is not the associated one."""
    own = solana.chain.account(USDT.account(owner))
    assert own is not None
    key = Keypair.from_seed(bytes(range(32))).pubkey()
    empty = own.data[:64] + bytes(8) + own.data[72:]
    solana.chain.set_account(key, Account(own.lamports, empty, own.owner))
    return str(key)


@pytest.mark.parametrize("dust", [0, 899_999])
async def test_a_swap_whose_output_goes_elsewhere_is_no_success(
    solana: SolanaOrders, store_engine: AsyncEngine, dust: int
) -> None:
    """An account that somebody made in the wallet's name is not its own; what is less than the minimum is no output."""
    order = solana.swap()
    service, own, _, tracking = order.calls
    elsewhere = prepared(solana, USER.pubkey())
    at, account = str(USDT.account(USER.pubkey())), order.calls[2]
    diverted = replace(
        account,
        accounts=tuple(replace(role, address=elsewhere) if role.address == at else role for role in account.accounts),
    )
    gift = (pays(USDT_MINT, STRANGER, USER, dust),) if dust else ()
    calls = (service, own, diverted, *gift, tracking)
    await IssuedTransactions(store_engine).keep(replace(order.issued, data=fingerprint(calls), parts=parts_of(calls)))
    executed = await solana.rpc.transaction(await solana.send(*calls, signers=(USER, STRANGER) if dust else (USER,)))
    assert executed is not None
    assert executed.error is None, executed.logs
    record = await recorded(solana, store_engine)
    assert (record.status, record.status_source) == (TransferState.UNKNOWN, StatusSource.ANALYTICS)
    assert record.substatus == ("OUTPUT_BELOW_MINIMUM" if dust else "OUTPUT_MISSING")
    assert record.output == (RecordAmount(USDT_MINT, dust) if dust else None)
    # What left the wallet is told all the same.
    assert record.input == RecordAmount(USDC_MINT, AMOUNT)
    assert record.integrator_fee == RecordAmount(USDC_MINT, OWN_FEE)
