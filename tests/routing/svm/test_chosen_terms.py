"""Priority, tip and fee payer: what is asked for is in the transaction, is paid by whom it was said, and no more is."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from solders.account import Account
from solders.keypair import Keypair
from solders.message import to_bytes_versioned
from solders.pubkey import Pubkey
from solders.transaction import VersionedTransaction

from rhumbline.devnet.svm.accounts import EMPTY, FUNDED, keypair
from rhumbline.devnet.svm.chain_setup import POOL_PROGRAM, token
from rhumbline.domain.errors import InvalidRequest, RhumblineError
from rhumbline.domain.fee import FeeType
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.solana_terms import Priority, SolanaTerms
from rhumbline.domain.svm import AccountRole, LookupTable, SvmInstruction
from rhumbline.domain.transaction import SvmTransaction
from rhumbline.gateways.nodes.svm.answers import PriorityFee
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.gateways.svm.address import program_address
from rhumbline.gateways.svm.compute_budget import LAMPORTS_PER_SIGNATURE, MOST_UNITS, ComputeBudget, read_budget
from rhumbline.gateways.svm.decompiler import decompile
from rhumbline.gateways.svm.instructions import CreateTokenAccount, SystemTransfer, TokenTransfer, decode
from rhumbline.gateways.svm.jito import TIP_ACCOUNTS, TIP_PROGRAM, without_tip_accounts
from rhumbline.gateways.svm.lighthouse import LIGHTHOUSE
from rhumbline.gateways.svm.messages import LARGEST, compile_v0, serialise
from rhumbline.gateways.svm.programs import SPL
from rhumbline.gateways.svm.tracking_instruction import read_tracking, reference_key
from rhumbline.routing.svm.network_price import UnitPrices, price_within
from tests.routing.svm.pool_venue import PROGRAM, AddingVenue
from tests.routing.svm.quote_fixture import KEY, SENDER, SERVICE, SvmQuotes
from tests.routing.svm.sealing_venue import SealingVenue

USDC, SOL = 10**6, 10**9
SPONSOR = keypair(FUNDED[7])
PAYER = str(SPONSOR.pubkey())
GASLESS = keypair(EMPTY[1])
WALLET = str(GASLESS.pubkey())
TIP = 25_000


def terms(**choices: Any) -> dict[str, Any]:
    return {"solana": SolanaTerms(**choices)}


def data_of(answer: RouteAnswer) -> bytes:
    assert isinstance(answer.transaction, SvmTransaction)
    return answer.transaction.data


async def execute(quotes: SvmQuotes, answer: RouteAnswer, *signers: Keypair) -> ExecutedTransaction:
    """Sign by all of them, each in its place, and execute."""
    unsigned = VersionedTransaction.from_bytes(data_of(answer))
    message = to_bytes_versioned(unsigned.message)
    keys = {key.pubkey(): key for key in signers}
    count = unsigned.message.header.num_required_signatures
    signed = [keys[each].sign_message(message) for each in unsigned.message.account_keys[:count]]
    quotes.running.server.chain.advance()
    signature = await quotes.rpc.send(bytes(VersionedTransaction.populate(unsigned.message, signed)), preflight=False)
    quotes.running.server.chain.advance()
    executed = await quotes.rpc.transaction(signature)
    assert executed is not None
    return executed


async def give(quotes: SvmQuotes, symbol: str, amount: int, owner: str = WALLET) -> None:
    """Give a wallet tokens and not a lamport: its account is made and paid for by another."""
    minted, chain = token(symbol), quotes.running.server.chain
    mint, program = str(minted.mint), str(minted.program)
    made = CreateTokenAccount.of(PAYER, owner, mint, program)
    source = str(minted.account(SPONSOR.pubkey()))
    paid = TokenTransfer(program, source, made.account, PAYER, amount, mint, 6)
    message = compile_v0(PAYER, [made.encode(), paid.encode()], [], str(chain.blockhash()))
    chain.advance()
    signature = bytes(SPONSOR.sign_message(message))
    await quotes.rpc.send(serialise(message, [PAYER], {PAYER: signature}), preflight=False)
    chain.advance()


def priority_fee(answer: RouteAnswer) -> int:
    return read_budget(decompile(data_of(answer)).instructions).priority_fee()


def gas_items(answer: RouteAnswer) -> list[tuple[int, str | None]]:
    return [(item.amount, item.paid_by) for item in answer.fees.items if item.type is FeeType.GAS]


@given(st.integers(0, 100_000_000), st.integers(1, MOST_UNITS))
def test_a_priority_fee_is_never_above_what_was_said(lamports: int, units: int) -> None:
    price = price_within(lamports, units)
    fee = ComputeBudget(units, price).priority_fee()
    assert fee <= lamports
    # Nor is it lower than the unit's price, whole µlamports, forces it to be.
    assert ComputeBudget(units, price + 1).priority_fee() > lamports or fee == lamports


def test_levels_are_percentiles_of_what_was_paid() -> None:
    paid = [PriorityFee(slot=number, micro_lamports=number * 1_000) for number in range(100)]
    prices = UnitPrices(least=1, most=10**6)
    assert [prices.chosen(paid, level) for level in Priority] == [25_000, 75_000, 95_000]
    assert prices.chosen(paid) == prices.chosen(paid, Priority.MEDIUM)
    dear = [PriorityFee(slot=1, micro_lamports=10**9)]
    assert [UnitPrices().chosen(dear, level) for level in Priority] == [10**6, 10**6, 10**7]
    assert [UnitPrices().chosen((), level) for level in Priority] == [10_000] * 3


def test_tip_accounts_are_the_programs_own() -> None:
    assert {program_address([f"TIP_ACCOUNT_{n}".encode()], TIP_PROGRAM) for n in range(8)} == set(TIP_ACCOUNTS)
    table = LookupTable(PROGRAM, {0: SENDER, 1: TIP_ACCOUNTS[3]})
    assert without_tip_accounts([table]) == (LookupTable(PROGRAM, {0: SENDER}),)


@pytest.mark.parametrize("lamports", [0, 1, 4_999, 123_456])
async def test_a_number_is_the_most_that_the_priority_fee_is(quotes: SvmQuotes, lamports: int) -> None:
    answer = await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC, **terms(priority=lamports)))
    fee = priority_fee(answer)
    # The limit is about 60,000 units, so the price is exact to a lamport.
    assert lamports - 1 <= fee <= lamports
    assert answer.solana is not None
    assert (answer.solana.priority_fee, answer.solana.network_fee) == (fee, LAMPORTS_PER_SIGNATURE + fee)
    assert gas_items(answer)[0] == (LAMPORTS_PER_SIGNATURE + fee, None)
    executed = await execute(quotes, answer, keypair(0))
    assert (executed.error, executed.fee) == (None, LAMPORTS_PER_SIGNATURE + fee)


async def test_without_choices_nothing_is_said_of_them(quotes: SvmQuotes) -> None:
    answer = await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    assert answer.solana is None
    assert all(item.paid_by is None for item in answer.fees.items)


@pytest.mark.parametrize("asked", [("USDC", "USDT", 1000 * USDC), ("SOL", "USDC", SOL)])
async def test_a_tip_is_paid_last_and_counted(quotes: SvmQuotes, asked: tuple[Any, ...]) -> None:
    answer = await quotes.service.answer(quotes.ask(*asked, **terms(jito_tip=TIP)))
    assert answer.solana is not None
    assert answer.solana.tip_account in TIP_ACCOUNTS
    known = [decode(each) for each in decompile(data_of(answer)).instructions if each.program != LIGHTHOUSE]
    assert known[-2] == SystemTransfer(SENDER, answer.solana.tip_account, TIP)
    assert isinstance(known[-1], SystemTransfer)
    assert read_tracking(known[-1].encode(), {reference_key(KEY)}) is not None
    assert (TIP, None) in gas_items(answer)
    before = await quotes.balance(SENDER, "SOL"), await quotes.balance(answer.solana.tip_account, "SOL")
    executed = await execute(quotes, answer, keypair(0))
    after = await quotes.balance(SENDER, "SOL"), await quotes.balance(answer.solana.tip_account, "SOL")
    assert executed.error is None
    assert after[1] - before[1] == TIP
    gained = -SOL if asked[0] == "SOL" else 0
    assert after[0] - before[0] == gained - executed.fee - TIP


async def test_a_wallet_without_a_lamport_swaps_tokens(quotes: SvmQuotes) -> None:
    await give(quotes, "USDC", 1000 * USDC)
    asked = quotes.ask(
        "USDC", "USDT", 1000 * USDC, sender=WALLET, receiver=WALLET,
        **terms(fee_payer=PAYER, jito_tip=TIP, priority=7_000),
    )  # fmt: skip
    answer = await quotes.service.answer(asked)
    costs = answer.solana
    assert costs is not None
    assert costs.signers == (PAYER, WALLET)
    assert len(data_of(answer)) <= LARGEST
    assert answer.warnings == ()
    before = await quotes.balance(PAYER, "SOL")
    executed = await execute(quotes, answer, SPONSOR, GASLESS)
    assert executed.error is None
    assert await quotes.balance(WALLET, "USDT") == answer.output_amount
    assert await quotes.balance(WALLET, "SOL") == 0
    # The measured cost is the stated one, to the lamport: two signatures, the priority, the tip and one account's rent.
    assert before - await quotes.balance(PAYER, "SOL") == costs.fee_payer_cost
    assert costs.network_fee - 1 <= 2 * LAMPORTS_PER_SIGNATURE + 7_000
    rent = (await quotes.rpc.rent()).minimum(165)
    assert costs.fee_payer_cost == costs.network_fee + TIP + rent
    assert gas_items(answer) == [(costs.network_fee, PAYER), (TIP, PAYER), (rent, PAYER)]


async def test_a_wallet_without_a_lamport_gets_its_first_sol_and_returns_the_rent(quotes: SvmQuotes) -> None:
    await give(quotes, "USDC", 1000 * USDC)
    asked = quotes.ask("USDC", "SOL", 1000 * USDC, sender=WALLET, receiver=WALLET, **terms(fee_payer=PAYER))
    answer = await quotes.service.answer(asked)
    assert answer.solana is not None
    assert answer.solana.fee_payer_cost == answer.solana.network_fee
    before = await quotes.balance(PAYER, "SOL")
    executed = await execute(quotes, answer, SPONSOR, GASLESS)
    assert executed.error is None
    assert await quotes.balance(WALLET, "SOL") == answer.output_amount
    assert before - await quotes.balance(PAYER, "SOL") == answer.solana.network_fee == executed.fee


@pytest.mark.parametrize("sold", ["SOL", "USDC"])
async def test_a_fee_payer_that_earns_the_fee_too(quotes: SvmQuotes, sold: str) -> None:
    sponsor = keypair(35)
    assert str(sponsor.pubkey()) == SERVICE
    taking = quotes.with_fees(SERVICE, None)
    amount = SOL if sold == "SOL" else 1000 * USDC
    answer = await taking.service.answer(quotes.ask(sold, "USDT", amount, **terms(fee_payer=SERVICE)))
    assert answer.solana is not None
    assert answer.charges[0].recipient == SERVICE
    before = await quotes.balance(SERVICE, "SOL")
    executed = await execute(quotes, answer, sponsor, keypair(0))
    earned = answer.charges[0].amount if sold == "SOL" else 0
    assert executed.error is None
    assert before + earned - await quotes.balance(SERVICE, "SOL") == answer.solana.fee_payer_cost


def theft(kind: str) -> SvmInstruction:
    """What a hostile upstream adds to charge a fee payer whose address it has learnt."""
    payer = AccountRole(PAYER, signer=True, writable=True)
    usdc = token("USDC")
    source, own = (str(usdc.account(Pubkey.from_string(each))) for each in (PAYER, SENDER))
    return {
        "lamports": SystemTransfer(PAYER, SENDER, 10**6).encode(),
        "tokens": TokenTransfer(SPL, source, own, PAYER, USDC, str(usdc.mint), 6).encode(),
        "program": SvmInstruction(PROGRAM, (payer,), b""),
        "unsigned": SvmInstruction(PROGRAM, (AccountRole(PAYER, writable=True),), b""),
        "account": CreateTokenAccount.of(PAYER, SENDER, str(token("WETH").mint), SPL).encode(),
        "extra": SystemTransfer(SENDER, SENDER, 0, (payer,)).encode(),
    }[kind]


@pytest.mark.parametrize("kind", ["lamports", "tokens", "program", "unsigned", "account", "extra"])
async def test_an_upstream_that_names_the_fee_payer_is_refused(quotes: SvmQuotes, kind: str) -> None:
    hostile = quotes.with_(AddingVenue(quotes.running.server.chain, added=(theft(kind),)))
    with pytest.raises(RhumblineError) as caught:
        await hostile.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC, **terms(fee_payer=PAYER)))
    assert "another signature" in str(caught.value.details) or "names the fee payer" in str(caught.value.details)


async def test_accounts_beyond_need_are_not_paid_for(quotes: SvmQuotes) -> None:
    symbols = ("USDT", "WETH", "WSOL", "USDC")
    made = tuple(CreateTokenAccount.of(WALLET, WALLET, str(token(each).mint), SPL).encode() for each in symbols)
    tax = token("TAX")
    made += (CreateTokenAccount.of(WALLET, WALLET, str(tax.mint), str(tax.program)).encode(),)
    hostile = quotes.with_(AddingVenue(quotes.running.server.chain, added=made))
    asked = quotes.ask("USDC", "USDT", USDC, sender=WALLET, receiver=WALLET, **terms(fee_payer=PAYER))
    with pytest.raises(RhumblineError) as caught:
        await hostile.service.answer(asked)
    assert "more accounts to be made than a fee payer is asked to pay for" in str(caught.value.details)


async def test_what_others_have_signed_is_refused_and_not_answered_without_the_choice(quotes: SvmQuotes) -> None:
    sealed = quotes.with_(SealingVenue(quotes.running.server.chain))
    for choice in ({"priority": Priority.HIGH}, {"jito_tip": TIP}, {"fee_payer": PAYER}):
        with pytest.raises(RhumblineError) as caught:
            await sealed.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC, **terms(**choice)))
        assert "others have signed, into which no priority, jitoTip or feePayer can be put" in str(caught.value.details)


@pytest.mark.parametrize(
    ("payer", "said"),
    [
        (str(token("USDC").account(SPONSOR.pubkey())), "feePayer: belongs to a program, which cannot sign"),
        (str(POOL_PROGRAM), "feePayer: must be a wallet, not a program, a token or a token account"),
        (str(token("USDC").mint), "feePayer: must be a wallet"),
        (WALLET, "feePayer: has 0 lamports, and at least"),
    ],
)
async def test_a_fee_payer_that_cannot_pay(quotes: SvmQuotes, payer: str, said: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC, **terms(fee_payer=payer)))
    assert said in str(caught.value.details)


async def test_a_chain_without_tip_accounts(quotes: SvmQuotes) -> None:
    chain = quotes.running.server.chain
    chain.set_account(Pubkey.from_string(TIP_ACCOUNTS[5]), Account(0, b"", Pubkey.default()))
    with pytest.raises(InvalidRequest, match="Invalid") as caught:
        await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC, **terms(jito_tip=TIP)))
    assert "jitoTip: " in str(caught.value.details)
    assert "no tip accounts of Jito's" in str(caught.value.details)
