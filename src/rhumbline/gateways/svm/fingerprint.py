"""What stands for all that a transaction does, by which it is known again when wallets have changed it.

Wallets set the compute budget anew, add assertions of the Lighthouse program, take another blockhash, and look accounts
up or write them out as they like. Nothing of that counts. Roles do not either: an added instruction may raise those of
the whole message, they are checked by the programs that need them, and what an account is called tells all else.
Beside that they add instructions of their owner's: a tip, a memo, a transfer. So each instruction that was handed out
has a digest of its own too, and all of them in their order are to be found in what was sent.
Lighthouse: docs.phantom.com/developer-powertools/lighthouse and github.com/Jac0xb/lighthouse, read 2026-11-22.
"""

from collections.abc import Sequence
from hashlib import sha256

from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.svm.address import decode_address
from rhumbline.gateways.svm.instructions import CreateTokenAccount, SystemTransfer, TokenTransfer, decode
from rhumbline.gateways.svm.lighthouse import LIGHTHOUSE
from rhumbline.gateways.svm.programs import COMPUTE_BUDGET, MEMO, MEMO_OF_OLD, SYSTEM

SIZE = 32
"""Bytes of a fingerprint; one of a sealed message has more."""
PART = 16
"""Bytes of the digest of one instruction: nobody finds another instruction with the same."""
_OF_WALLETS = frozenset({COMPUTE_BUDGET, LIGHTHOUSE})
_MEMOS = frozenset({MEMO, MEMO_OF_OLD})
_ADVANCE_NONCE = (4).to_bytes(4, "little")
_SEALED = b"sealed "


def fingerprint(instructions: Sequence[SvmInstruction]) -> bytes:
    """Return the 32 bytes for a message's top instructions: each one's program, accounts and data, in their order.

    ValueError for what is no address.
    """
    return sha256(b"".join(_serialised(each) for each in instructions if not of_wallets(each))).digest()


def parts_of(instructions: Sequence[SvmInstruction]) -> bytes:
    """Return the digests of a message's top instructions, each for itself, in their order.

    ValueError for what is no address.
    """
    return b"".join(_part(each) for each in instructions if not of_wallets(each))


def find_parts(instructions: Sequence[SvmInstruction], parts: bytes) -> frozenset[int] | None:
    """Return the places of the instructions that have these digests, in that order; None where one is wanting.

    Of several that are the same the first has the place: which one it is makes no difference.
    """
    wanted = [parts[at : at + PART] for at in range(0, len(parts), PART)]
    found: list[int] = []
    for place, each in enumerate(instructions):
        if len(found) < len(wanted) and _part(each) == wanted[len(found)]:
            found.append(place)
    return frozenset(found) if wanted and len(found) == len(wanted) else None


def may_be_added(instruction: SvmInstruction) -> bool:
    """Tell whether an instruction is one that wallets put beside what they were handed.

    What it moves can be told from it alone, so that nothing of it is taken for what was handed out.
    """
    if of_wallets(instruction) or instruction.program in _MEMOS:
        return True
    if instruction.program == SYSTEM and instruction.data == _ADVANCE_NONCE:
        return True
    return isinstance(decode(instruction), SystemTransfer | TokenTransfer | CreateTokenAccount)


def sealed_fingerprint(message: bytes) -> bytes:
    """Return the 39 bytes for a message that others have signed, so that no wallet can change it.

    It holds no tracking instruction: that it is longer says that it must be looked for among its sender's transactions.
    """
    return _SEALED + sha256(message).digest()


def of_wallets(instruction: SvmInstruction) -> bool:
    """Tell whether an instruction is of those that wallets add and change as they like."""
    return instruction.program in _OF_WALLETS


def _part(instruction: SvmInstruction) -> bytes:
    return sha256(_serialised(instruction)).digest()[:PART]


def _serialised(instruction: SvmInstruction) -> bytes:
    """Return the bytes of an instruction and of no other: its lists are preceded by their lengths."""
    accounts = [decode_address(role.address) for role in instruction.accounts]
    lengths = len(accounts).to_bytes(4), len(instruction.data).to_bytes(4)
    return b"".join((decode_address(instruction.program), *lengths, *accounts, instruction.data))
