"""Transfers that we write, executed by the real programs: what arrives is exact to the unit."""

from struct import pack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.instructions import (
    CloseAccount,
    CreateTokenAccount,
    SystemTransfer,
    TokenApproval,
    TokenTransfer,
    wrap_sol,
)
from rhumbline.gateways.svm.programs import SPL, SPL_2022, WRAPPED_SOL
from rhumbline.gateways.svm.token_extensions import TransferFee
from rhumbline.gateways.svm.tokens import read_mint
from tests.gateways.svm.runtime import SOL, Refused, Runtime, stranger, transfer_fee

U64 = 2**64 - 1
amounts = st.one_of(st.integers(0, 30_000), st.integers(0, 10**12), st.integers(0, U64 // 2))
fees = st.builds(TransferFee, st.integers(0, 10_000), amounts)


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


@settings(max_examples=60, deadline=None)
@given(fees, amounts)
def test_the_fee_of_a_mint_is_the_programs(fee: TransferFee, amount: int) -> None:
    runtime = Runtime()
    wallet = runtime.wallet()
    address = str(wallet.pubkey())
    mint = runtime.mint(transfer_fee(fee.basis_points, fee.maximum), program=SPL_2022)
    found = read_mint(mint, runtime.account(mint)).transfer_fees
    assert found is not None
    assert found.at(0) == fee
    source = runtime.holding(address, mint, 2 * amount + 1, SPL_2022)
    destination = runtime.holding(stranger(), mint, 0, SPL_2022)
    expected = fee.of(amount)
    transfer = TokenTransfer(SPL_2022, source, destination, address, amount, mint, 6, expected)
    runtime.run([transfer.encode()], wallet)
    assert runtime.tokens(destination).amount == fee.received(amount) == amount - expected
    # A fee is taken of a transfer that does not say so, too.
    runtime.run([TokenTransfer(SPL_2022, source, destination, address, amount, mint, 6).encode()], wallet)
    assert runtime.tokens(destination).amount == 2 * fee.received(amount)
    wrong = TokenTransfer(SPL_2022, source, destination, address, 1, mint, 6, fee.of(1) + 1)
    with pytest.raises(Refused):
        runtime.run([wrong.encode()], wallet)


def test_a_fee_changes_with_its_epoch() -> None:
    runtime = Runtime()
    runtime.at_epoch(10)
    wallet = runtime.wallet()
    address = str(wallet.pubkey())
    mint = runtime.mint(transfer_fee(100, 500, runtime.payer), program=SPL_2022)
    runtime.call(SPL_2022, b"\x1a\x05" + pack("<HQ", 250, 10**6), mint)
    found = read_mint(mint, runtime.account(mint)).transfer_fees
    assert found is not None
    assert (found.older, found.newer, found.newer_from_epoch) == (
        TransferFee(100, 500), TransferFee(250, 10**6), 12,
    )  # fmt: skip
    source = runtime.holding(address, mint, 10**7, SPL_2022)
    for epoch, fee in ((10, 500), (11, 500), (12, 2500), (13, 2500)):
        runtime.at_epoch(epoch)
        destination = runtime.holding(stranger(), mint, 0, SPL_2022)
        assert found.at(epoch).of(10**5) == fee
        transfer = TokenTransfer(SPL_2022, source, destination, address, 10**5, mint, 6, fee)
        runtime.run([transfer.encode()], wallet)
        assert runtime.tokens(destination).amount == 10**5 - fee
    assert (found.highest(11, 10**5), found.highest(12, 10**5)) == (found.newer, found.newer)


@given(fees, st.integers(0, U64))
def test_the_least_amount_of_which_enough_arrives(fee: TransferFee, received: int) -> None:
    amount = fee.needed(received)
    if amount is None:
        assert fee.received(U64) < received
        return
    assert fee.received(amount) >= received
    assert amount == 0 or fee.received(amount - 1) < received


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
