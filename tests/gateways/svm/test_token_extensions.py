"""What a mint of Token-2022 takes of a transfer is what the program takes, to the unit."""

from struct import pack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rhumbline.gateways.svm.instructions import TokenTransfer
from rhumbline.gateways.svm.programs import SPL_2022
from rhumbline.gateways.svm.token_extensions import TransferFee
from rhumbline.gateways.svm.tokens import read_mint
from tests.gateways.svm.runtime import Refused, Runtime, stranger, transfer_fee

U64 = 2**64 - 1
amounts = st.one_of(st.integers(0, 30_000), st.integers(0, 10**12), st.integers(0, U64 // 2))
fees = st.builds(TransferFee, st.integers(0, 10_000), amounts)


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


@given(fees, st.integers(0, U64))
def test_the_least_amount_of_which_enough_arrives(fee: TransferFee, received: int) -> None:
    amount = fee.needed(received)
    if amount is None:
        assert fee.received(U64) < received
        return
    assert fee.received(amount) >= received
    assert amount == 0 or fee.received(amount - 1) < received
