"""Instructions: the bytes that the libraries of others write too, and back; executed by the real programs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from solders import compute_budget, system_program
from solders.instruction import Instruction
from solders.pubkey import Pubkey

from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.compute_budget import ComputeBudget, read_budget
from rhumbline.gateways.svm.decompiler import decompile_message
from rhumbline.gateways.svm.instructions import (
    CloseAccount,
    CreateTokenAccount,
    Known,
    SyncNative,
    SystemTransfer,
    TokenApproval,
    TokenTransfer,
    decode,
    wrap_sol,
)
from rhumbline.gateways.svm.messages import compile_v0
from rhumbline.gateways.svm.programs import ASSOCIATED, SPL, SPL_2022, SYSTEM, WRAPPED_SOL
from tests.gateways.svm.runtime import SOL, Refused, Runtime, stranger
from tests.gateways.svm.strategies import KEYS, addresses, instructions, payers, roles

u64, u8 = st.integers(0, 2**64 - 1), st.integers(0, 255)
programs = st.sampled_from([SPL, SPL_2022])
extra = st.lists(roles, max_size=2).map(tuple)
checked = {"mint": addresses, "decimals": u8, "extra": extra}
known = st.one_of(
    st.builds(SystemTransfer, addresses, addresses, u64, extra),
    st.builds(TokenTransfer, programs, addresses, addresses, addresses, u64, extra=extra),
    st.builds(TokenTransfer, programs, addresses, addresses, addresses, u64, **checked),
    st.builds(TokenTransfer, st.just(SPL_2022), addresses, addresses, addresses, u64, **checked, fee=u64),
    st.builds(TokenApproval, programs, addresses, addresses, addresses, u64, extra=extra),
    st.builds(TokenApproval, programs, addresses, addresses, addresses, u64, **checked),
    st.builds(CloseAccount, programs, addresses, addresses, addresses, extra),
    st.builds(SyncNative, programs, addresses, extra),
    st.builds(CreateTokenAccount, addresses, addresses, addresses, addresses, programs, st.booleans(), extra),
)


@given(known)
def test_what_is_written_is_recognised(written: Known) -> None:
    assert decode(written.encode()) == written


@given(payers, st.lists(known, max_size=2))
def test_it_is_recognised_in_a_message_too(payer: str, written: list[Known]) -> None:
    calls = [each.encode() for each in written]
    read = decompile_message(compile_v0(payer, calls, [], KEYS[0]))
    for each, found in zip(written, map(decode, read.instructions), strict=True):
        # Roles of what follows are the message's there.
        assert found is not None
        assert [r.address for r in found.extra] == [r.address for r in each.extra]
        assert found.encode().data == each.encode().data


@given(known, st.binary(min_size=1, max_size=3), st.integers(0, 6))
def test_what_is_longer_or_shorter_is_not_recognised(written: Known, more: bytes, accounts: int) -> None:
    call = written.encode()
    assert decode(SvmInstruction(call.program, call.accounts, call.data + more)) is None
    # Of an account's making nothing at all is the program's oldest form.
    assert decode(SvmInstruction(call.program, call.accounts, call.data[:-1])) is None or call.program == ASSOCIATED
    bare = len(call.accounts) - len(written.extra)
    short = decode(SvmInstruction(call.program, call.accounts[:accounts], call.data))
    assert (short is not None) is (accounts >= bare)


@given(instructions)
def test_whatever_is_called_is_known_or_not(call: SvmInstruction) -> None:
    for program in (SYSTEM, SPL, SPL_2022, ASSOCIATED, call.program):
        found = decode(SvmInstruction(program, call.accounts, call.data))
        assert found is None or decode(found.encode()) == found


def test_the_libraries_write_the_same() -> None:
    one, other = Pubkey.from_string(KEYS[0]), Pubkey.from_string(KEYS[1])
    params = system_program.TransferParams(from_pubkey=one, to_pubkey=other, lamports=2**63 + 5)
    assert SystemTransfer(KEYS[0], KEYS[1], 2**63 + 5).encode() == ours(system_program.transfer(params))
    budget = ComputeBudget(1_400_000, 2**40, 256 * 1024, 10**6)
    assert budget.instructions() == (
        ours(compute_budget.set_compute_unit_limit(1_400_000)),
        ours(compute_budget.set_compute_unit_price(2**40)),
        ours(compute_budget.request_heap_frame(256 * 1024)),
        ours(compute_budget.set_loaded_accounts_data_size_limit(10**6)),
    )
    assert read_budget(budget.instructions()) == budget


def ours(made: Instruction) -> SvmInstruction:
    roles = tuple(AccountRole(str(each.pubkey), each.is_signer, each.is_writable) for each in made.accounts)
    return SvmInstruction(str(made.program_id), roles, made.data)


def test_signers_of_a_shared_wallet_sign_in_its_place() -> None:
    for extra, signs in (((), True), ((AccountRole(KEYS[9]),), True), ((AccountRole(KEYS[9], signer=True),), False)):
        for call in (
            TokenTransfer(SPL, KEYS[0], KEYS[1], KEYS[2], 1, KEYS[3], 6, extra=extra),
            TokenApproval(SPL, KEYS[0], KEYS[1], KEYS[2], 1, extra=extra),
            CloseAccount(SPL, KEYS[0], KEYS[1], KEYS[2], extra),
        ):
            assert AccountRole(KEYS[2], signer=signs) in call.encode().accounts


@pytest.mark.parametrize(
    "made",
    [
        SystemTransfer(KEYS[0], KEYS[1], 2**64),
        SystemTransfer(KEYS[0], KEYS[1], -1),
        TokenTransfer(SPL, KEYS[0], KEYS[1], KEYS[2], 2**64, KEYS[3], 6),
        TokenTransfer(SPL, KEYS[0], KEYS[1], KEYS[2], 1, KEYS[3], 256),
        TokenTransfer(SPL, KEYS[0], KEYS[1], KEYS[2], 1, KEYS[3], 6, 0),
        TokenTransfer(SPL_2022, KEYS[0], KEYS[1], KEYS[2], 1, fee=0),
        TokenTransfer(SPL, KEYS[0], KEYS[1], KEYS[2], 1, KEYS[3]),
        TokenApproval(SPL, KEYS[0], KEYS[1], KEYS[2], 1, decimals=6),
    ],
)
def test_what_has_no_form(made: Known) -> None:
    with pytest.raises(ValueError, match=r"."):
        made.encode()


@pytest.mark.parametrize("program", [SPL, SPL_2022])
def test_a_checked_transfer_arrives_whole(program: str) -> None:
    runtime = Runtime()
    wallet = runtime.wallet()
    mint = runtime.mint(program=program)
    source = runtime.holding(str(wallet.pubkey()), mint, 10_000, program)
    destination = runtime.holding(stranger(), mint, 0, program)
    transfer = TokenTransfer(program, source, destination, str(wallet.pubkey()), 1234, mint, 6)
    runtime.run([transfer.encode()], wallet)
    assert (runtime.tokens(source).amount, runtime.tokens(destination).amount) == (8766, 1234)
    for wrong in (
        TokenTransfer(program, source, destination, str(wallet.pubkey()), 1, mint, 7),
        TokenTransfer(program, source, destination, str(wallet.pubkey()), 1, runtime.mint(program=program), 6),
        TokenTransfer(program, source, destination, str(wallet.pubkey()), 10_000, mint, 6),
    ):
        with pytest.raises(Refused):
            runtime.run([wrong.encode()], wallet)
    assert runtime.tokens(destination).amount == 1234


def test_sol_is_wrapped_and_comes_back_with_the_rent() -> None:
    runtime = Runtime()
    runtime.with_wrapped_sol()
    wallet = runtime.wallet()
    address = str(wallet.pubkey())
    made = CreateTokenAccount.of(address, address, WRAPPED_SOL, SPL)
    runtime.run([made.encode(), *wrap_sol(address, made.account, SOL)], wallet)
    held = runtime.tokens(made.account)
    rent = runtime.svm.minimum_balance_for_rent_exemption(165)
    assert (held.amount, held.native_reserve, held.mint) == (SOL, rent, WRAPPED_SOL)
    # What is sent without a word counts only once it is asked for.
    runtime.run([SystemTransfer(address, made.account, 5).encode()], wallet)
    assert runtime.tokens(made.account).amount == SOL
    runtime.run([wrap_sol(address, made.account, 0)[1]], wallet)
    assert runtime.tokens(made.account).amount == SOL + 5
    before = runtime.lamports(address)
    runtime.run([CloseAccount(SPL, made.account, address, address).encode()], wallet)
    assert runtime.account(made.account) is None
    assert runtime.lamports(address) == before + SOL + 5 + rent - 5000


@pytest.mark.parametrize("program", [SPL, SPL_2022])
def test_an_account_is_made_once_where_its_address_says(program: str) -> None:
    runtime = Runtime()
    mint, owner = runtime.mint(program=program), stranger()
    made = CreateTokenAccount.of(str(runtime.payer.pubkey()), owner, mint, program)
    assert made.account == associated_token_address(owner, mint, program)
    for _ in range(2):
        runtime.run([made.encode()])
    assert (runtime.tokens(made.account).owner, runtime.tokens(made.account).mint) == (owner, mint)
    strict = CreateTokenAccount(made.payer, made.account, owner, mint, program, idempotent=False)
    with pytest.raises(Refused):
        runtime.run([strict.encode()])


def test_a_delegate_takes_what_it_was_left_and_no_more() -> None:
    runtime = Runtime()
    wallet, delegate = runtime.wallet(), runtime.wallet()
    owner, other = str(wallet.pubkey()), str(delegate.pubkey())
    mint = runtime.mint()
    source, destination = runtime.holding(owner, mint, 1000), runtime.holding(other, mint)
    runtime.run([TokenApproval(SPL, source, other, owner, 300, mint, 6).encode()], wallet)
    held = runtime.tokens(source)
    assert (held.delegate, held.delegated_amount) == (other, 300)
    with pytest.raises(Refused):
        runtime.run([TokenTransfer(SPL, source, destination, other, 301, mint, 6).encode()], delegate)
    runtime.run([TokenTransfer(SPL, source, destination, other, 300, mint, 6).encode()], delegate)
    assert runtime.tokens(destination).amount == 300
    assert runtime.tokens(source).delegate is None
