"""Mints and token accounts as the real programs write them, and what nobody should take for one."""

from collections.abc import Callable
from dataclasses import replace
from struct import pack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.instructions import TokenTransfer
from rhumbline.gateways.svm.programs import SPL, SPL_2022, SYSTEM
from rhumbline.gateways.svm.token_extensions import Extension
from rhumbline.gateways.svm.tokens import AccountState, Mint, NoToken, TokenAccount, read_mint, read_token_account
from tests.gateways.svm.runtime import Refused, Runtime, stranger, transfer_fee


def made(*extensions: Callable[[bytes], tuple[int, bytes]], freezer: bool = False) -> tuple[Runtime, str, Mint]:
    """Return a mint of Token-2022; each extension is made for its authority."""
    runtime = Runtime()
    authority = bytes(runtime.payer.pubkey())
    mint = runtime.mint(*(each(authority) for each in extensions), program=SPL_2022, freezer=freezer)
    return runtime, mint, read_mint(mint, runtime.account(mint))


def test_a_mint_of_either_program() -> None:
    for program in (SPL, SPL_2022):
        runtime = Runtime()
        authority = str(runtime.payer.pubkey())
        mint = runtime.mint(program=program, decimals=9, freezer=True)
        runtime.holding(stranger(), mint, 77, program)
        found = read_mint(mint, runtime.account(mint))
        assert found == Mint(program, 9, 77, authority, authority)
        assert found.obstacle() is None
        plain = runtime.mint(program=program)
        assert read_mint(plain, runtime.account(plain)).freeze_authority is None


@pytest.mark.parametrize(
    ("extension", "field", "stands_against"),
    [
        (lambda a: (64, b"\x24\x00" + a + a), "transfer_hook", "calls a program"),
        (lambda a: (64, b"\x24\x00" + a + bytes(32)), None, None),
        (lambda a: (32, b"\x23" + a), "permanent_delegate", None),
        (lambda a: (0, b"\x20"), "non_transferable", "cannot be transferred"),
        (lambda a: (33, b"\x2c\x00" + a), None, None),
        (lambda a: (32, b"\x19\x01" + a), None, None),
        (lambda a: (52, b"\x21\x00" + a + pack("<h", 5)), None, None),
        (lambda a: (56, b"\x2b\x00" + a + pack("<d", 2.0)), None, None),
        (lambda a: (64, b"\x27\x00" + a + a), None, None),
        (lambda a: (64, b"\x28\x00" + a + a), None, None),
        (lambda a: (64, b"\x29\x00" + a + a), None, None),
        (lambda a: (32, b"\x2e\x00" + a), None, None),
        (lambda a: (65, b"\x1b\x00" + a + b"\x01" + bytes(32)), None, None),
    ],
)
def test_extensions_of_a_mint(
    extension: Callable[[bytes], tuple[int, bytes]], field: str | None, stands_against: str | None
) -> None:
    runtime, _, found = made(extension)
    authority = str(runtime.payer.pubkey())
    assert len(found.extensions) == 1
    plain = Mint(SPL_2022, 6, 0, authority, extensions=found.extensions)
    told = {
        "transfer_hook": replace(plain, transfer_hook=authority),
        "permanent_delegate": replace(plain, permanent_delegate=authority),
        "non_transferable": replace(plain, non_transferable=True),
    }
    assert found == (plain if field is None else told[field])
    obstacle = found.obstacle()
    assert (obstacle is None) is (stands_against is None)
    assert (stands_against or "") in (obstacle or "")


def test_several_extensions_lie_behind_each_other() -> None:
    runtime, _, found = made(
        lambda a: transfer_fee(30, 10**6), lambda a: (32, b"\x23" + a), lambda a: (33, b"\x2c\x00" + a)
    )
    assert found.extensions.keys() == {
        Extension.TRANSFER_FEE_CONFIG, Extension.PERMANENT_DELEGATE, Extension.PAUSABLE,
    }  # fmt: skip
    assert found.transfer_fees is not None
    assert (found.transfer_fees.newer.basis_points, found.permanent_delegate) == (30, str(runtime.payer.pubkey()))


def test_a_token_is_paused() -> None:
    runtime, mint, before = made(lambda a: (33, b"\x2c\x00" + a))
    runtime.call(SPL_2022, b"\x2c\x01", mint)
    found = read_mint(mint, runtime.account(mint))
    assert (before.paused, found.paused, before.obstacle()) == (False, True, None)
    assert found.obstacle() == "transfers of this token are paused"


def test_accounts_that_begin_frozen() -> None:
    runtime, mint, found = made(lambda a: (1, b"\x1c\x00\x02"), freezer=True)
    assert (found.starts_frozen, found.obstacle()) == (True, None)
    held = runtime.tokens(runtime.holding(stranger(), mint, program=SPL_2022))
    assert (held.state, held.frozen) == (AccountState.FROZEN, True)
    assert held.obstacle_to_receiving() == "the token account is frozen"


def test_an_account_that_is_frozen_later() -> None:
    runtime = Runtime()
    mint = runtime.mint(freezer=True)
    address = runtime.holding(stranger(), mint, 5)
    assert runtime.tokens(address).obstacle_to_receiving() is None
    runtime.call(SPL, b"\x0a", address, mint)
    assert runtime.tokens(address).frozen


def test_an_account_that_wants_a_memo() -> None:
    runtime = Runtime()
    sender = runtime.wallet()
    mint = runtime.mint(program=SPL_2022)
    source = runtime.holding(str(sender.pubkey()), mint, 10, SPL_2022)
    destination = runtime.holding(str(runtime.payer.pubkey()), mint, 0, SPL_2022)
    transfer = TokenTransfer(SPL_2022, source, destination, str(sender.pubkey()), 1, mint, 6)
    assert runtime.tokens(destination).obstacle_to_receiving() is None
    runtime.run([transfer.encode()], sender)
    resize(runtime, destination, Extension.MEMO_TRANSFER, Extension.CPI_GUARD)
    runtime.call(SPL_2022, b"\x1e\x00", destination)
    runtime.call(SPL_2022, b"\x22\x00", destination)
    found = runtime.tokens(destination)
    assert (found.memo_required, found.cpi_guarded) == (True, True)
    assert found.obstacle_to_receiving() == "the token account takes only transfers with a memo"
    with pytest.raises(Refused):
        runtime.run([transfer.encode()], sender)


def resize(runtime: Runtime, account: str, *extensions: int) -> None:
    """Have Token-2022 make room for extensions, at the payer's cost."""
    payer = str(runtime.payer.pubkey())
    roles = (
        AccountRole(account, writable=True), AccountRole(payer, True, True), AccountRole(SYSTEM),
        AccountRole(payer, signer=True),
    )  # fmt: skip
    runtime.run([SvmInstruction(SPL_2022, roles, b"\x1d" + pack(f"<{len(extensions)}H", *extensions))])


def tail(*extensions: tuple[int, bytes]) -> bytes:
    return b"".join(pack("<HH", kind, len(value)) + value for kind, value in extensions)


PLAIN_ACCOUNT = b"\x01" * 32 + b"\x02" * 32 + pack("<Q", 9) + bytes(36) + b"\x01" + bytes(12 + 8 + 36)
PLAIN_MINT = pack("<I32sQB?I32s", 0, bytes(32), 5, 6, True, 0, bytes(32))


def account(data: bytes, owner: str = SPL_2022) -> Account:
    return Account(10**7, owner, data)


def test_an_account_that_takes_only_confidential_transfers() -> None:
    for switch, is_closed in ((b"\x00", True), (b"\x01", False)):
        value = bytes(262) + switch + bytes(32)
        held = read_token_account("x", account(PLAIN_ACCOUNT + b"\x02" + tail((5, value))))
        assert held.confidential_only is is_closed
        assert (held.obstacle_to_receiving() is not None) is is_closed


@pytest.mark.parametrize("kind", [2, 29, 500, 65535])
def test_an_extension_that_nobody_knows_is_an_obstacle(kind: int) -> None:
    mint = read_mint("x", account(PLAIN_MINT + bytes(83) + b"\x01" + tail((kind, b"??"))))
    assert mint.obstacle() == f"this token has an extension that is not known ({kind})"
    held = read_token_account("x", account(PLAIN_ACCOUNT + b"\x02" + tail((kind, b"??"))))
    assert (held.obstacle_to_receiving() is None) is (kind == 2)


@pytest.mark.parametrize(
    "taken",
    [
        None,
        account(PLAIN_MINT, SYSTEM),
        account(b""),
        account(PLAIN_MINT[:-1]),
        account(PLAIN_MINT + b"\x00"),
        account(PLAIN_MINT + bytes(83) + b"\x01", SPL),
        account(PLAIN_MINT + bytes(83) + b"\x02"),
        account(PLAIN_MINT + b"\x01" + bytes(82) + b"\x01"),
        account(PLAIN_MINT + bytes(83) + b"\x01\x05"+ bytes(1)),
        account(PLAIN_MINT + bytes(83) + b"\x01" + tail((12, bytes(31)))),
        account(PLAIN_MINT + bytes(83) + b"\x01" + tail((12, bytes(32)), (12, bytes(32)))),
        account(PLAIN_MINT + bytes(83) + b"\x01" + tail((12, bytes(32)))[:-1]),
        account(PLAIN_MINT + bytes(83) + b"\x01" + tail((1, bytes(107)))),
        account(PLAIN_MINT + bytes(83) + b"\x01" + tail((1, bytes(90) + pack("<QQH", 0, 0, 10_001)))),
        account((PLAIN_MINT + bytes(83) + b"\x01").ljust(355, b"\x00")),
        account(bytes(82)),
        account(b"\x02" + PLAIN_MINT[1:]),
        account(PLAIN_ACCOUNT),
        account(PLAIN_ACCOUNT, SPL),
    ],
)  # fmt: skip
def test_what_is_no_mint(taken: Account | None) -> None:
    with pytest.raises(NoToken, match="MINT is no mint"):
        read_mint("MINT", taken)


@pytest.mark.parametrize(
    "taken",
    [
        None,
        account(PLAIN_ACCOUNT, SYSTEM),
        account(PLAIN_ACCOUNT[:-1]),
        account(PLAIN_ACCOUNT + b"\x02", SPL),
        account(PLAIN_ACCOUNT + b"\x01"),
        account(PLAIN_ACCOUNT + b"\x02" + tail((8, b"\x01\x01"))),
        account((PLAIN_ACCOUNT + b"\x02").ljust(355, b"\x00")),
        account(bytes(165)),
        account(PLAIN_ACCOUNT[:108] + b"\x03" + PLAIN_ACCOUNT[109:]),
        account(PLAIN_ACCOUNT[:72] + b"\x05" + PLAIN_ACCOUNT[73:]),
        account(PLAIN_MINT, SPL),
    ],
)
def test_what_is_no_token_account(taken: Account | None) -> None:
    with pytest.raises(NoToken, match="HELD is no token account"):
        read_token_account("HELD", taken)


@given(st.sampled_from([SPL, SPL_2022]), st.binary(max_size=400), st.integers(0, 400))
def test_any_data_is_read_or_refused(owner: str, noise: bytes, at: int) -> None:
    for plain in (PLAIN_MINT, PLAIN_MINT + bytes(83) + b"\x01", PLAIN_ACCOUNT, PLAIN_ACCOUNT + b"\x02", b""):
        data = plain[:at] + noise
        for read in (read_mint, read_token_account):
            try:
                found: Mint | TokenAccount = read("x", account(data, owner))
            except NoToken:
                continue
            assert found.program == owner
