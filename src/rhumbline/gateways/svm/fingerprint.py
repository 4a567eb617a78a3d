"""What stands for all that a transaction does, by which it is known again when wallets have changed it.

Wallets set the compute budget anew, add assertions of the Lighthouse program, take another blockhash, and look accounts
up or write them out as they like. Nothing of that counts. Roles do not either: an added instruction may raise those of
the whole message, they are checked by the programs that need them, and what an account is called tells all else.
Lighthouse: docs.phantom.com/developer-powertools/lighthouse and github.com/Jac0xb/lighthouse, read 2026-11-22.
"""

from collections.abc import Sequence
from hashlib import sha256

from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.svm.address import decode_address
from rhumbline.gateways.svm.lighthouse import LIGHTHOUSE
from rhumbline.gateways.svm.programs import COMPUTE_BUDGET

SIZE = 32
"""Bytes of a fingerprint; one of a sealed message has more."""
_OF_WALLETS = frozenset({COMPUTE_BUDGET, LIGHTHOUSE})
_SEALED = b"sealed "


def fingerprint(instructions: Sequence[SvmInstruction]) -> bytes:
    """Return the 32 bytes for a message's top instructions: each one's program, accounts and data, in their order.

    ValueError for what is no address.
    """
    return sha256(b"".join(_serialised(each) for each in instructions if not of_wallets(each))).digest()


def sealed_fingerprint(message: bytes) -> bytes:
    """Return the 39 bytes for a message that others have signed, so that no wallet can change it.

    It holds no tracking instruction: that it is longer says that it must be looked for among its sender's transactions.
    """
    return _SEALED + sha256(message).digest()


def of_wallets(instruction: SvmInstruction) -> bool:
    """Tell whether an instruction is of those that wallets add and change as they like."""
    return instruction.program in _OF_WALLETS


def _serialised(instruction: SvmInstruction) -> bytes:
    """Return the bytes of an instruction and of no other: its lists are preceded by their lengths."""
    accounts = [decode_address(role.address) for role in instruction.accounts]
    lengths = len(accounts).to_bytes(4), len(instruction.data).to_bytes(4)
    return b"".join((decode_address(instruction.program), *lengths, *accounts, instruction.data))
