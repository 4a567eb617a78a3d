"""The instructions by which the sandbox creates mints and token accounts. Layouts: the programs' `instruction.rs`."""

from struct import pack

from solders.instruction import AccountMeta, Instruction
from solders.pubkey import Pubkey
from solders.system_program import CreateAccountParams, create_account

from rhumbline.devnet.svm.programs import ASSOCIATED, SYSTEM, TOKEN, TOKEN_2022, token_account

_MINT_SIZE = 82
# Token-2022 pads a mint to the size of an account; then follow a byte for the kind, and type, length, value of each.
_WITH_FEE_SIZE = 165 + 1 + 4 + 108
_LARGEST_FEE = 2**64 - 1


def mint_size(fee_points: int) -> int:
    """Return the size of a mint's account in bytes."""
    return _WITH_FEE_SIZE if fee_points else _MINT_SIZE


def make_mint(
    payer: Pubkey, mint: Pubkey, authority: Pubkey, decimals: int, fee_points: int, rent: int
) -> list[Instruction]:
    """Return the instructions that create a mint, whose key signs; ``authority`` mints and freezes.

    With ``fee_points``, hundredths of a percent, it is a Token-2022 mint that withholds this share of each transfer.
    """
    program = TOKEN_2022 if fee_points else TOKEN
    made = create_account(
        CreateAccountParams(
            from_pubkey=payer, to_pubkey=mint, lamports=rent, space=mint_size(fee_points), owner=program
        )
    )
    role = AccountMeta(mint, is_signer=False, is_writable=True)
    who = bytes(authority)
    fee = pack("<BBB32sB32sHQ", 26, 0, 1, who, 1, who, fee_points, _LARGEST_FEE)
    begun = pack("<BB32sB32s", 20, decimals, who, 1, who)
    return [made, *([Instruction(program, fee, [role])] if fee_points else []), Instruction(program, begun, [role])]


def make_token_account(payer: Pubkey, owner: Pubkey, mint: Pubkey, program: Pubkey) -> Instruction:
    """Return the instruction that creates an owner's associated token account, if there is none."""
    roles = [
        AccountMeta(payer, is_signer=True, is_writable=True),
        AccountMeta(token_account(owner, mint, program), is_signer=False, is_writable=True),
        *(AccountMeta(key, is_signer=False, is_writable=False) for key in (owner, mint, SYSTEM, program)),
    ]
    return Instruction(ASSOCIATED, b"\x01", roles)


def mint_to(mint: Pubkey, account: Pubkey, authority: Pubkey, amount: int, program: Pubkey) -> Instruction:
    """Return the instruction that mints raw units into a token account."""
    roles = [
        AccountMeta(mint, is_signer=False, is_writable=True),
        AccountMeta(account, is_signer=False, is_writable=True),
        AccountMeta(authority, is_signer=True, is_writable=False),
    ]
    return Instruction(program, pack("<BQ", 7, amount), roles)


def sync_native(account: Pubkey) -> Instruction:
    """Return the instruction that adds lamports received by an account of wrapped SOL to its amount."""
    return Instruction(TOKEN, b"\x11", [AccountMeta(account, is_signer=False, is_writable=True)])
