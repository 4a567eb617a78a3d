"""What the chain adds to its runtime: slots, blockhashes, signatures, repetition, history, and the way back."""

import pytest
from solders.account import Account
from solders.address_lookup_table_account import AddressLookupTableAccount
from solders.hash import Hash
from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.message import Message, MessageV0
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.system_program import TransferParams, transfer
from solders.transaction import VersionedTransaction

from rhumbline.devnet.evm.accounts import MNEMONIC as EVM_MNEMONIC
from rhumbline.devnet.evm.pools import PRICES as EVM_PRICES
from rhumbline.devnet.svm.accounts import FUNDED, INTEGRATOR_WALLET, MNEMONIC, SERVICE_WALLET, keypair
from rhumbline.devnet.svm.chain import SOL, BadSignatures, Dropped, SvmChain
from rhumbline.devnet.svm.chain_setup import token
from rhumbline.devnet.svm.ledger import KEPT
from rhumbline.devnet.svm.plans import DECIMALS, HELD_USD, MINTS, PRICES, raw_amount
from rhumbline.devnet.svm.programs import SYSTEM
from rhumbline.devnet.svm.slots import FIRST, LIFETIME, height
from rhumbline.devnet.svm.token_layouts import read_mint
from tests.devnet.svm.set_up_chain import STARTED, SetUpChain

ANYBODY = Pubkey([9] * 32)


def gift(local: SetUpChain, blockhash: Hash, lamports: int = SOL) -> VersionedTransaction:
    call = transfer(TransferParams(from_pubkey=local.user.pubkey(), to_pubkey=ANYBODY, lamports=lamports))
    return VersionedTransaction(MessageV0.try_compile(local.user.pubkey(), [call], [], blockhash), [local.user])


def lamports(local: SetUpChain, key: Pubkey) -> int:
    account = local.chain.account(key)
    return 0 if account is None else account.lamports


@pytest.mark.parametrize(("age", "serves"), [(0, True), (1, True), (LIFETIME, True), (LIFETIME + 1, False)])
def test_a_blockhash_serves_for_150_slots(local: SetUpChain, age: int, serves: bool) -> None:
    transaction = gift(local, local.chain.blockhash())
    local.chain.advance(age)
    if serves:
        assert local.chain.send(transaction).error is None
        return
    assert local.chain.simulate(transaction).error == "BlockhashNotFound"
    with pytest.raises(Dropped, match="BlockhashNotFound"):
        local.chain.send(transaction)
    assert lamports(local, ANYBODY) == 0


def test_a_blockhash_that_never_was_serves_nobody(local: SetUpChain) -> None:
    with pytest.raises(Dropped, match="BlockhashNotFound"):
        local.chain.send(gift(local, Hash(bytes(32))))


def test_programs_read_slots_and_time_as_they_go_by(local: SetUpChain) -> None:
    before = local.chain.slots.slot
    assert local.chain.advance(10) == before + 10
    data = local.chain.account(Pubkey.from_string("SysvarC1ock11111111111111111111111111111111"))
    assert data is not None
    slot, time = (int.from_bytes(data.data[at : at + 8], "little") for at in (0, 32))
    assert (slot, time) == (before + 10, STARTED + (before + 10 - FIRST) * 2 // 5)
    assert height(slot) < slot


def test_the_same_transaction_is_executed_once(local: SetUpChain) -> None:
    transaction = gift(local, local.chain.blockhash())
    local.chain.send(transaction)
    local.chain.advance()
    with pytest.raises(Dropped, match="AlreadyProcessed"):
        local.chain.send(transaction)
    assert lamports(local, ANYBODY) == SOL


def test_only_who_signed_spends(local: SetUpChain) -> None:
    transaction = gift(local, local.chain.blockhash())
    for signatures in ([Signature.default()], [keypair(1).sign_message(b"")], []):
        with pytest.raises(BadSignatures):
            local.chain.send(VersionedTransaction.populate(transaction.message, signatures))
    assert local.chain.simulate(VersionedTransaction.populate(transaction.message, [Signature.default()])).error is None


def test_a_transaction_that_fails_is_paid_for_and_kept(local: SetUpChain) -> None:
    before = lamports(local, local.user.pubkey())
    executed = local.chain.send(gift(local, local.chain.blockhash(), lamports=10**17))
    assert executed.error == {"InstructionError": [0, {"Custom": 1}]}
    assert local.chain.ledger.find(executed.signature) is executed
    assert lamports(local, local.user.pubkey()) == before - 5000


def test_a_transaction_that_nobody_pays_for_is_dropped(local: SetUpChain) -> None:
    poor = Keypair()
    call = transfer(TransferParams(from_pubkey=poor.pubkey(), to_pubkey=ANYBODY, lamports=1))
    message = Message.new_with_blockhash([call], poor.pubkey(), local.chain.blockhash())
    with pytest.raises(Dropped, match="AccountNotFound"):
        local.chain.send(VersionedTransaction(message, [poor]))
    assert not list(local.chain.ledger.of(str(poor.pubkey())))


def test_what_is_left_below_its_rent_fails_the_whole(local: SetUpChain) -> None:
    executed = local.send([transfer(TransferParams(from_pubkey=local.user.pubkey(), to_pubkey=ANYBODY, lamports=1))])
    assert executed.error == {"InsufficientFundsForRent": {"account_index": 1}}


def test_a_gift_twice_in_a_slot_is_two(local: SetUpChain) -> None:
    first, second = (local.chain.airdrop(ANYBODY, SOL) for _ in range(2))
    assert first.signature != second.signature
    assert lamports(local, ANYBODY) == 2 * SOL
    assert [each.signature for each in local.chain.ledger.of(str(ANYBODY))] == [second.signature, first.signature]


def test_the_way_back(local: SetUpChain) -> None:
    chain, dollars = local.chain, token("USDC").account(local.user.pubkey())
    slot, count, held = chain.slots.slot, chain.ledger.count(), local.amount(dollars)
    outer = chain.snapshot()
    chain.set_account(ANYBODY, Account(SOL, b"", SYSTEM))
    chain.snapshot()
    undone = chain.send(gift(local, chain.blockhash()))
    local.put(dollars, 7)
    chain.advance(40)
    later = chain.blockhash()
    assert (lamports(local, ANYBODY), local.amount(dollars)) == (2 * SOL, 7)
    chain.restore(outer)
    assert (chain.slots.slot, chain.ledger.count(), local.amount(dollars)) == (slot, count, held)
    assert chain.account(ANYBODY) is None
    assert chain.ledger.find(undone.signature) is None
    assert not list(chain.ledger.of(str(ANYBODY)))
    with pytest.raises(KeyError):
        chain.restore(outer)
    # What was to come is another future.
    chain.advance(40)
    assert chain.blockhash() != later
    assert not chain.slots.is_valid(later)


def test_the_oldest_is_forgotten() -> None:
    chain = SvmChain(STARTED)
    first = chain.airdrop(ANYBODY, SOL)
    chain.ledger.reset([first] * KEPT)
    assert chain.ledger.count() == KEPT
    chain.airdrop(ANYBODY, SOL)
    assert chain.ledger.count() == KEPT * 3 // 4 + 1


@pytest.mark.parametrize("index", FUNDED)
def test_accounts_hold_every_token(local: SetUpChain, index: int) -> None:
    owner = keypair(index).pubkey()
    assert lamports(local, owner) >= 1000 * SOL
    for symbol in DECIMALS:
        assert local.amount(token(symbol).account(owner)) == raw_amount(symbol, HELD_USD)


def test_wallets_for_fees_can_receive_every_token(local: SetUpChain) -> None:
    for index in (SERVICE_WALLET, INTEGRATOR_WALLET):
        owner = keypair(index).pubkey()
        assert lamports(local, owner) > local.chain.rent(0)
        assert {local.amount(token(symbol).account(owner)) for symbol in DECIMALS} == {0}


def test_mints_are_as_planned(local: SetUpChain) -> None:
    for plan in MINTS:
        mint = read_mint(local.chain.account(token(plan.symbol).mint))
        assert mint is not None
        assert (mint.decimals, mint.initialised) == (plan.decimals, True)
        assert mint.freezer == mint.authority is not None


def test_keys_stay_what_they_are() -> None:
    assert str(keypair(0).pubkey()) == "oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96"


def test_phrase_and_prices_are_those_of_the_evm_chains() -> None:
    assert MNEMONIC == EVM_MNEMONIC
    assert {**EVM_PRICES, "WSOL": PRICES["WSOL"]} == PRICES
    assert set(PRICES) == set(DECIMALS)


def test_a_lookup_that_leads_nowhere_is_dropped(local: SetUpChain) -> None:
    call = Instruction(SYSTEM, b"", [AccountMeta(ANYBODY, is_signer=False, is_writable=True)])
    table = AddressLookupTableAccount(Pubkey([3] * 32), [ANYBODY])
    message = MessageV0.try_compile(local.user.pubkey(), [call], [table], local.chain.blockhash())
    with pytest.raises(Dropped, match="AddressLookupTableNotFound"):
        local.chain.send(VersionedTransaction(message, [local.user]))
