"""Lies that several emulators share about Solana transactions, and instructions in JSON."""

from base64 import b64encode

from rhumbline.devnet.upstreams.behaviour import Lie
from rhumbline.devnet.upstreams.svm_market import SvmTrade
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.address import decode_address
from rhumbline.gateways.svm.instructions import SystemTransfer

STRANGER = "7v54NWdBtkjuAFJrLGsS2SXnuk8nKam81mZJeeYxVFi9"
OTHER_PROGRAM = "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8"
_SET_AUTHORITY, _OWNER = 6, 2


def handed_over(trade: SvmTrade, owner: str, mint: str) -> SvmInstruction:
    """Return the instruction that makes an owner's token account the stranger's, with its balance."""
    data = bytes([_SET_AUTHORITY, _OWNER, 1]) + decode_address(STRANGER)
    roles = AccountRole(trade.account(owner, mint), writable=True), AccountRole(owner, signer=True)
    return SvmInstruction(trade.program(mint), roles, data)


def stolen_beside(trade: SvmTrade, owner: str, mint: str, lie: Lie | None) -> tuple[SvmInstruction, ...]:
    """Return what a liar adds to a swap: the account of the sold token handed over, or a lamport sent."""
    if lie is Lie.OTHER_SPENDER:
        return (handed_over(trade, owner, mint),)
    return (SystemTransfer(owner, STRANGER, 1).encode(),) if lie is Lie.MORE_VALUE else ()


def instruction_json(instruction: SvmInstruction) -> dict[str, object]:
    """Write an instruction as most APIs do, with its data in base64."""
    accounts = [
        {"pubkey": role.address, "isSigner": role.signer, "isWritable": role.writable} for role in instruction.accounts
    ]
    return {"programId": instruction.program, "accounts": accounts, "data": b64encode(instruction.data).decode()}
