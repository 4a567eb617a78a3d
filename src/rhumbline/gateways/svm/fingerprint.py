"""The fingerprint of everything that a transaction does, by which it is recognised after a wallet has changed it.

Wallets change the compute budget, add assertions of the Lighthouse program, replace the blockhash, and move accounts
between the message and lookup tables. The fingerprint ignores all of that. It ignores roles too: an added instruction
may raise those of the whole message, and the programs that need them check them. Wallets also add instructions of their
owner's: a tip, a memo, a transfer. So each issued instruction has a digest of its own too, and all of them must be in
the sent transaction, in order. Lighthouse: docs.phantom.com/developer-powertools/lighthouse and
github.com/Jac0xb/lighthouse, read 2026-11-22.
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
"""Bytes of one instruction's digest: finding another instruction with the same one is infeasible."""
_OF_WALLETS = frozenset({COMPUTE_BUDGET, LIGHTHOUSE})
_MEMOS = frozenset({MEMO, MEMO_OF_OLD})
_ADVANCE_NONCE = (4).to_bytes(4, "little")
_SEALED = b"sealed "


def fingerprint(instructions: Sequence[SvmInstruction]) -> bytes:
    """Return the 32 bytes for a message's top-level instructions: each one's program, accounts and data, in order.

    Raise ValueError for an invalid address.
    """
    return sha256(b"".join(_serialised(each) for each in instructions if not of_wallets(each))).digest()


def parts_of(instructions: Sequence[SvmInstruction]) -> bytes:
    """Return the digest of each of a message's top-level instructions, in order.

    Raise ValueError for an invalid address.
    """
    return b"".join(_part(each) for each in instructions if not of_wallets(each))


def find_parts(instructions: Sequence[SvmInstruction], parts: bytes) -> frozenset[int] | None:
    """Return the places of the instructions that have these digests, in that order; None where one is wanting.

    Of several that are the same the first has the place: which one it is makes no difference.
    """
    digests = [parts[at : at + PART] for at in range(0, len(parts), PART)]
    found: list[int] = []
    for place, each in enumerate(instructions):
        if len(found) < len(digests) and _part(each) == digests[len(found)]:
            found.append(place)
    return frozenset(found) if digests and len(found) == len(digests) else None


def may_be_added(instruction: SvmInstruction) -> bool:
    """Return whether wallets may add an instruction to an issued transaction.

    Its own effect is fully visible in it, so none of it is mistaken for the issued transaction's.
    """
    if of_wallets(instruction) or instruction.program in _MEMOS:
        return True
    if instruction.program == SYSTEM and instruction.data == _ADVANCE_NONCE:
        return True
    return isinstance(decode(instruction), SystemTransfer | TokenTransfer | CreateTokenAccount)


def sealed_fingerprint(message: bytes) -> bytes:
    """Return the 39 bytes for a message that others have signed, so that no wallet can change it.

    It has no tracking instruction; the greater length says that it must be searched for among its sender's
    transactions.
    """
    return _SEALED + sha256(message).digest()


def of_wallets(instruction: SvmInstruction) -> bool:
    """Return whether an instruction is one that wallets add and change freely."""
    return instruction.program in _OF_WALLETS


def _part(instruction: SvmInstruction) -> bytes:
    return sha256(_serialised(instruction)).digest()[:PART]


def _serialised(instruction: SvmInstruction) -> bytes:
    """Return the bytes of an instruction and of no other: its lists are preceded by their lengths."""
    accounts = [decode_address(role.address) for role in instruction.accounts]
    lengths = len(accounts).to_bytes(4), len(instruction.data).to_bytes(4)
    return b"".join((decode_address(instruction.program), *lengths, *accounts, instruction.data))
