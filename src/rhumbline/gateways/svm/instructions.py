"""The instructions that the service writes, and those that it must recognise in others' transactions.

Each is a dataclass that encodes itself; ``decode`` is the way back. Layouts: github.com/solana-program/system,
interface/src/instruction.rs; solana-program/token and token-2022, interface/src/instruction.rs and
extension/transfer_fee/instruction.rs; solana-program/associated-token-account, interface/src/instruction.rs; read
2026-11-22. Accounts that follow the program's own are kept in ``extra``: signers of a shared wallet, keys to find a
transaction by.
"""

import struct
from dataclasses import dataclass
from struct import Struct

from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.programs import ASSOCIATED, SPL, SPL_PROGRAMS, SYSTEM

Extra = tuple[AccountRole, ...]
_SYSTEM_TRANSFER = Struct("<IQ")
_AMOUNT = Struct("<BQ")
_CHECKED = Struct("<BQB")
_WITH_FEE = Struct("<BBQBQ")
_TRANSFER, _APPROVE, _CLOSE, _TRANSFER_CHECKED, _APPROVE_CHECKED, _SYNC, _FEES = 3, 4, 9, 12, 13, 17, 26


@dataclass(frozen=True, slots=True)
class SystemTransfer:
    """Lamports from one wallet to another; the runtime fails the transaction if either is left below its rent."""

    source: str
    destination: str
    lamports: int
    extra: Extra = ()

    def encode(self) -> SvmInstruction:
        """Return the call; ValueError for more than 64 bits of lamports."""
        roles = (AccountRole(self.source, signer=True, writable=True), AccountRole(self.destination, writable=True))
        return SvmInstruction(SYSTEM, roles + self.extra, _packed(_SYSTEM_TRANSFER, 2, self.lamports))


@dataclass(frozen=True, slots=True)
class TokenTransfer:
    """Tokens from one token account to another; ``amount`` in raw units, including a mint's fee.

    ``decimals`` and ``mint`` are checked by the program; None for both is its old form, which this service never
    creates. ``fee`` is the exact transfer fee of the mint, or the program refuses: Token-2022 only. Without it a fee is
    taken all the same.
    """

    program: str
    source: str
    destination: str
    authority: str
    amount: int
    mint: str | None = None
    decimals: int | None = None
    fee: int | None = None
    extra: Extra = ()

    def encode(self) -> SvmInstruction:
        """Return the call; ValueError for what has no form."""
        source, destination = AccountRole(self.source, writable=True), AccountRole(self.destination, writable=True)
        signing = (_owner(self.authority, self.extra), *self.extra)
        if self.mint is not None and self.decimals is not None:
            roles = (source, AccountRole(self.mint), destination, *signing)
            return SvmInstruction(self.program, roles, self._checked(self.decimals))
        if self.mint is not None or self.decimals is not None or self.fee is not None:
            raise ValueError("a transfer is checked by mint and decimals, or by neither and without a fee")
        data = _packed(_AMOUNT, _TRANSFER, self.amount)
        return SvmInstruction(self.program, (source, destination, *signing), data)

    def _checked(self, decimals: int) -> bytes:
        if self.fee is None:
            return _packed(_CHECKED, _TRANSFER_CHECKED, self.amount, decimals)
        if self.program == SPL:
            raise ValueError("the Token program knows no transfer fee")
        return _packed(_WITH_FEE, _FEES, 1, self.amount, decimals, self.fee)


@dataclass(frozen=True, slots=True)
class TokenApproval:
    """Allow ``delegate`` to take up to ``amount`` from a token account; it replaces the previous allowance."""

    program: str
    source: str
    delegate: str
    owner: str
    amount: int
    mint: str | None = None
    decimals: int | None = None
    extra: Extra = ()

    def encode(self) -> SvmInstruction:
        """Return the call; ValueError for what has no form."""
        source, delegate = AccountRole(self.source, writable=True), AccountRole(self.delegate)
        signing = (_owner(self.owner, self.extra), *self.extra)
        if self.mint is not None and self.decimals is not None:
            data = _packed(_CHECKED, _APPROVE_CHECKED, self.amount, self.decimals)
            return SvmInstruction(self.program, (source, AccountRole(self.mint), delegate, *signing), data)
        if self.mint is not None or self.decimals is not None:
            raise ValueError("an approval is checked by mint and decimals, or by neither")
        return SvmInstruction(self.program, (source, delegate, *signing), _packed(_AMOUNT, _APPROVE, self.amount))


@dataclass(frozen=True, slots=True)
class CloseAccount:
    """Close a token account that is empty or holds wrapped SOL; all its lamports go to ``destination``."""

    program: str
    account: str
    destination: str
    owner: str
    extra: Extra = ()

    def encode(self) -> SvmInstruction:
        account, destination = AccountRole(self.account, writable=True), AccountRole(self.destination, writable=True)
        roles = (account, destination, _owner(self.owner, self.extra), *self.extra)
        return SvmInstruction(self.program, roles, bytes([_CLOSE]))


@dataclass(frozen=True, slots=True)
class SyncNative:
    """Add lamports sent to an account of wrapped SOL to its amount."""

    program: str
    account: str
    extra: Extra = ()

    def encode(self) -> SvmInstruction:
        return SvmInstruction(self.program, (AccountRole(self.account, writable=True), *self.extra), bytes([_SYNC]))


@dataclass(frozen=True, slots=True)
class CreateTokenAccount:
    """Create an owner's associated token account at the payer's cost; ``idempotent`` accepts an existing one."""

    payer: str
    account: str
    owner: str
    mint: str
    program: str
    idempotent: bool = True
    extra: Extra = ()

    @classmethod
    def of(cls, payer: str, owner: str, mint: str, program: str) -> "CreateTokenAccount":
        """Return the instruction with the derived account address; raise ValueError for an invalid address."""
        return cls(payer, associated_token_address(owner, mint, program), owner, mint, program)

    def encode(self) -> SvmInstruction:
        roles = (
            AccountRole(self.payer, signer=True, writable=True), AccountRole(self.account, writable=True),
            AccountRole(self.owner), AccountRole(self.mint), AccountRole(SYSTEM), AccountRole(self.program),
        )  # fmt: skip
        return SvmInstruction(ASSOCIATED, roles + self.extra, bytes([self.idempotent]))


Known = SystemTransfer | TokenTransfer | TokenApproval | CloseAccount | SyncNative | CreateTokenAccount


def wrap_sol(owner: str, account: str, lamports: int) -> tuple[SvmInstruction, SvmInstruction]:
    """Return what turns an owner's lamports into wrapped SOL of a token account that is there already."""
    return SystemTransfer(owner, account, lamports).encode(), SyncNative(SPL, account).encode()


def decode(instruction: SvmInstruction) -> Known | None:
    """Recognise an instruction by its program and data, None for every other.

    Only positions and data are decoded. Which accounts are writable and who signs depends on the message, and is the
    caller's to check; so are unexpected accounts in ``extra``. An unrecognised instruction is not harmless: the
    programs know more instructions, and ignore data after the end of what they read.
    """
    addresses = [role.address for role in instruction.accounts]
    extra = instruction.accounts
    try:
        if instruction.program == SYSTEM:
            return _system(addresses, extra, instruction.data)
        if instruction.program in SPL_PROGRAMS:
            return _token(instruction.program, addresses, extra, instruction.data)
        if instruction.program == ASSOCIATED:
            return _associated(addresses, extra, instruction.data)
    except (struct.error, IndexError):
        # Too few accounts, or data of another length: the program would fail.
        pass
    return None


def _system(at: list[str], extra: Extra, data: bytes) -> Known | None:
    kind, lamports = _SYSTEM_TRANSFER.unpack(data)
    return SystemTransfer(at[0], at[1], lamports, extra[2:]) if kind == 2 else None


def _token(program: str, at: list[str], extra: Extra, data: bytes) -> Known | None:
    match data[0]:
        case 3:
            _, amount = _AMOUNT.unpack(data)
            return TokenTransfer(program, at[0], at[1], at[2], amount, extra=extra[3:])
        case 4:
            _, amount = _AMOUNT.unpack(data)
            return TokenApproval(program, at[0], at[1], at[2], amount, extra=extra[3:])
        case 9 if len(data) == 1:
            return CloseAccount(program, at[0], at[1], at[2], extra[3:])
        case 12:
            _, amount, decimals = _CHECKED.unpack(data)
            return TokenTransfer(program, at[0], at[2], at[3], amount, at[1], decimals, extra=extra[4:])
        case 13:
            _, amount, decimals = _CHECKED.unpack(data)
            return TokenApproval(program, at[0], at[2], at[3], amount, at[1], decimals, extra=extra[4:])
        case 17 if len(data) == 1:
            return SyncNative(program, at[0], extra[1:])
        case 26 if data[1] == 1 and program != SPL:
            _, _, amount, decimals, fee = _WITH_FEE.unpack(data)
            return TokenTransfer(program, at[0], at[2], at[3], amount, at[1], decimals, fee, extra[4:])
    return None


def _associated(at: list[str], extra: Extra, data: bytes) -> Known | None:
    if data not in (b"", b"\x00", b"\x01") or at[4] != SYSTEM or at[5] not in SPL_PROGRAMS:
        return None
    return CreateTokenAccount(at[0], at[1], at[2], at[3], at[5], data == b"\x01", extra[6:])


def _owner(address: str, extra: Extra) -> AccountRole:
    """Return who owns: a signer, unless others sign for a shared wallet."""
    return AccountRole(address, signer=not any(role.signer for role in extra))


def _packed(form: Struct, *values: int) -> bytes:
    try:
        return form.pack(*values)
    except struct.error:
        raise ValueError("an amount has at most 64 bits and no sign, decimals have 8") from None
