"""Mints and token accounts of Token and Token-2022, and what prevents a transfer of them.

Layouts: github.com/solana-program/token, interface/src/state.rs (a mint has 82 bytes, an account 165), and
github.com/solana-program/token-2022, interface/src/extension/mod.rs, commit 426400f of 2026-08-17: with extensions a
mint is filled up to 165 bytes, then comes a byte that tells mint (1) from account (2), then the extensions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from struct import Struct
from types import MappingProxyType

from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.address import encode_address
from rhumbline.gateways.svm.programs import SPL, SPL_2022
from rhumbline.gateways.svm.token_extensions import (
    Extension,
    TransferFees,
    read_extensions,
    read_transfer_fees,
    unknown_to_accounts,
    unknown_to_mints,
)

MINT_SIZE = 82
ACCOUNT_SIZE = 165
IMMUTABLE_ACCOUNT_SIZE = ACCOUNT_SIZE + 1 + 4
"""With the byte that distinguishes accounts from mints, and the empty extension that makes the owner immutable."""
_MULTISIG_SIZE = 355
_MINT = Struct("<I32sQB?I32s")
_ACCOUNT = Struct("<32s32sQI32sBIQQI32s")
_IS_MINT, _IS_ACCOUNT = 1, 2
_NOBODY = bytes(32)
# In a confidential account, after six encrypted fields and the switch for confidential credits.
_PLAIN_CREDITS = 1 + 32 + 3 * 64 + 36 + 1


class NoToken(ValueError):
    """An account that is not the expected mint or token account."""


class AccountState(IntEnum):
    """The state of an account; new accounts of some mints begin frozen."""

    UNINITIALIZED = 0
    INITIALIZED = 1
    FROZEN = 2


@dataclass(frozen=True, slots=True)
class Mint:
    """A token. ``program`` is Token or Token-2022; ``supply`` in raw units; authorities are None if there are none.

    ``transfer_fees``: what a transfer leaves behind. ``transfer_hook``: a program that every transfer calls.
    ``permanent_delegate``: who may take tokens from any account. ``starts_frozen``: a new account cannot receive until
    the freeze authority thaws it. ``extensions``: all values by type, those without a field here too.
    """

    program: str
    decimals: int
    supply: int
    mint_authority: str | None = None
    freeze_authority: str | None = None
    transfer_fees: TransferFees | None = None
    transfer_hook: str | None = None
    permanent_delegate: str | None = None
    non_transferable: bool = False
    starts_frozen: bool = False
    paused: bool = False
    extensions: Mapping[int, bytes] = field(default_factory=lambda: MappingProxyType({}), repr=False)

    def obstacle(self) -> str | None:
        """Return why a transfer of this token cannot be guaranteed, None if nothing prevents it."""
        if self.transfer_hook is not None:
            return "every transfer of this token calls a program of its issuer's"
        if self.non_transferable:
            return "this token cannot be transferred"
        if self.paused:
            return "transfers of this token are paused"
        unknown = unknown_to_mints(self.extensions)
        return f"this token has an extension that is not known ({unknown[0]})" if unknown else None


@dataclass(frozen=True, slots=True)
class TokenAccount:
    """A token account. ``amount`` in raw units; ``owner`` moves it, ``delegate`` up to its allowance.

    ``native_reserve``: of wrapped SOL, the rent in lamports that is no part of the amount; None for other mints.
    ``memo_required``: a transfer to it must come after a memo. ``cpi_guarded``: its owner's signature does not let
    programs move its tokens. ``confidential_only``: it refuses tokens that come in the open.
    """

    program: str
    mint: str
    owner: str
    amount: int
    state: AccountState
    delegate: str | None = None
    delegated_amount: int = 0
    native_reserve: int | None = None
    close_authority: str | None = None
    memo_required: bool = False
    cpi_guarded: bool = False
    confidential_only: bool = False
    extensions: Mapping[int, bytes] = field(default_factory=lambda: MappingProxyType({}), repr=False)

    @property
    def frozen(self) -> bool:
        """Return whether tokens can neither arrive nor leave."""
        return self.state is AccountState.FROZEN

    @property
    def taker(self) -> str | None:
        """Who may take tokens from it beside its owner; None for nobody."""
        return self.delegate if self.delegated_amount else None

    @property
    def closer(self) -> str | None:
        """Who may close it instead of its owner; None for nobody."""
        return None if self.close_authority == self.owner else self.close_authority

    def obstacle_to_receiving(self) -> str | None:
        """Return why a plain transfer to this account fails, None if it does not."""
        if self.frozen:
            return "the token account is frozen"
        if self.memo_required:
            return "the token account takes only transfers with a memo"
        if self.confidential_only:
            return "the token account takes only confidential transfers"
        unknown = unknown_to_accounts(self.extensions)
        return f"the token account has an extension that is not known ({unknown[0]})" if unknown else None


def read_mint(address: str, account: Account | None) -> Mint:
    """Read a mint; raise NoToken for an account that is none, or that its program would refuse."""
    what = f"{address} is no mint"
    program, data = _of_program(account, what)
    extensions = _extensions(program, data, MINT_SIZE, _IS_MINT, what)
    has_mint, minter, supply, decimals, initialized, has_freezer, freezer = _MINT.unpack_from(data)
    if not initialized:
        raise NoToken(what)
    fees = extensions.get(Extension.TRANSFER_FEE_CONFIG)
    try:
        return Mint(
            program, decimals, supply, _option(has_mint, minter), _option(has_freezer, freezer),
            None if fees is None else read_transfer_fees(fees),
            _key(extensions, Extension.TRANSFER_HOOK, 32, 64), _key(extensions, Extension.PERMANENT_DELEGATE, 0, 32),
            Extension.NON_TRANSFERABLE in extensions,
            _byte(extensions, Extension.DEFAULT_ACCOUNT_STATE, 0, 1) == AccountState.FROZEN,
            _byte(extensions, Extension.PAUSABLE, 32, 33) != 0, MappingProxyType(extensions),
        )  # fmt: skip
    except ValueError as error:
        raise NoToken(f"{what}: {error}") from None


def read_token_account(address: str, account: Account | None) -> TokenAccount:
    """Read a token account; raise NoToken for an account that is none, or that its program would refuse."""
    what = f"{address} is no token account"
    program, data = _of_program(account, what)
    extensions = _extensions(program, data, ACCOUNT_SIZE, _IS_ACCOUNT, what)
    (mint, owner, amount, has_delegate, delegate, state, is_native, reserve, delegated, has_closer, closer) = (
        _ACCOUNT.unpack_from(data)
    )
    try:
        if AccountState(state) is AccountState.UNINITIALIZED:
            raise ValueError("not initialised")
        return TokenAccount(
            program, encode_address(mint), encode_address(owner), amount, AccountState(state),
            _option(has_delegate, delegate), delegated, _tagged(is_native, reserve), _option(has_closer, closer),
            _byte(extensions, Extension.MEMO_TRANSFER, 0, 1) != 0, _byte(extensions, Extension.CPI_GUARD, 0, 1) != 0,
            _byte(extensions, Extension.CONFIDENTIAL_TRANSFER_ACCOUNT, _PLAIN_CREDITS, 295, missing=1) == 0,
            MappingProxyType(extensions),
        )  # fmt: skip
    except ValueError as error:
        raise NoToken(f"{what}: {error}") from None


def _of_program(account: Account | None, what: str) -> tuple[str, bytes]:
    if account is None or account.owner not in (SPL, SPL_2022):
        raise NoToken(what)
    return account.owner, account.data


def _extensions(program: str, data: bytes, size: int, kind: int, what: str) -> dict[int, bytes]:
    if len(data) == size:
        return {}
    if program == SPL or len(data) <= ACCOUNT_SIZE or len(data) == _MULTISIG_SIZE:
        raise NoToken(what)
    if data[ACCOUNT_SIZE] != kind or any(data[size:ACCOUNT_SIZE]):
        raise NoToken(what)
    try:
        return dict(read_extensions(data[ACCOUNT_SIZE + 1 :]))
    except ValueError as error:
        raise NoToken(f"{what}: {error}") from None


def _tagged(tag: int, value: int) -> int | None:
    if tag > 1:
        raise ValueError("a field is neither there nor missing")
    return value if tag else None


def _option(tag: int, key: bytes) -> str | None:
    return encode_address(key) if _tagged(tag, 1) else None


def _value(extensions: Mapping[int, bytes], kind: Extension, size: int) -> bytes | None:
    value = extensions.get(kind)
    if value is not None and len(value) != size:
        raise ValueError(f"extension {int(kind)} has another size than {size}")
    return value


def _key(extensions: Mapping[int, bytes], kind: Extension, at: int, size: int) -> str | None:
    """Decode an address in an extension; zeros mean none."""
    value = _value(extensions, kind, size)
    key = _NOBODY if value is None else value[at : at + 32]
    return None if key == _NOBODY else encode_address(key)


def _byte(extensions: Mapping[int, bytes], kind: Extension, at: int, size: int, missing: int = 0) -> int:
    value = _value(extensions, kind, size)
    return missing if value is None else value[at]
