"""The instruction by which the service finds its transactions: the sender pays itself nothing, and it names two keys.

One is the service's reference key, whose history a node tells; the other is the transaction's own ID. The System
Program passes over accounts that it does not need, so neither has to be anybody's, and none can sign.
"""

import hmac
from collections.abc import Collection
from hashlib import sha256

from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.address import decode_address, encode_address
from rhumbline.gateways.svm.instructions import SystemTransfer, decode

_PURPOSE = b"reference key of transactions on Solana"


def reference_key(id_key: bytes) -> str:
    """Return the reference address of a key of transaction IDs; it reveals nothing about the key.

    It is a hash, so nobody has its secret key. Transactions are created with the newest, and searched for under all.
    """
    return encode_address(hmac.digest(id_key, _PURPOSE, sha256))


def tracking_instruction(sender: str, reference: str, transaction_id: bytes) -> SvmInstruction:
    """Return the instruction; ValueError for an ID that has not 32 bytes."""
    extra = (AccountRole(reference), AccountRole(encode_address(transaction_id)))
    return SystemTransfer(sender, sender, 0, extra).encode()


def read_tracking(instruction: SvmInstruction, references: Collection[str]) -> tuple[str, bytes] | None:
    """Return the sender and the transaction ID of such an instruction in a message; None for every other."""
    found = decode(instruction)
    if not isinstance(found, SystemTransfer) or found.source != found.destination or found.lamports:
        return None
    if len(found.extra) != 2 or any(role.signer or role.writable for role in found.extra):
        return None
    reference, identifier = (role.address for role in found.extra)
    signs = instruction.accounts[0].signer
    return (found.source, decode_address(identifier)) if signs and reference in references else None
