"""Ed25519 signatures (RFC 8032), and changing the unit limit of our own transaction, which is signed again.

We sign by keys that were made up for one transaction; keys and signatures of others are in base58, as Solana and NEAR
write them.
"""

from collections.abc import Mapping, Sequence

from solders.instruction import CompiledInstruction
from solders.keypair import Keypair
from solders.message import MessageV0, to_bytes_versioned
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.transaction import VersionedTransaction

from rhumbline.gateways.svm.compute_budget import ComputeBudget
from rhumbline.gateways.svm.messages import serialise

_KEY = 64


def public_key(secret: bytes) -> str:
    """Return a secret key's public key; raise ValueError for an invalid one."""
    return str(_keypair(secret).pubkey())


def signed_by(secrets: Sequence[bytes], message: bytes) -> Mapping[str, bytes]:
    """Return the signatures of a message by their signers; raise ValueError for an invalid secret key."""
    keys = [_keypair(each) for each in secrets]
    return {str(key.pubkey()): bytes(key.sign_message(message)) for key in keys}


def with_unit_limit(
    transaction: bytes, units: int, secrets: Sequence[bytes], micro_lamports: int | None = None
) -> bytes:
    """Return a v0 transaction whose first instruction sets the unit limit, with it set to ``units``, signed again.

    ``micro_lamports`` replaces the price, which the second one sets; None leaves it. Raise ValueError for another
    transaction.
    """
    message = VersionedTransaction.from_bytes(transaction).message
    if not isinstance(message, MessageV0):
        raise ValueError("not a transaction of version 0")
    budget = ComputeBudget(units, micro_lamports).instructions()
    changed = [_instead(old, new.data) for old, new in zip(message.instructions, budget, strict=False)]
    instructions = [*changed, *message.instructions[len(changed) :]]
    anew = MessageV0(
        message.header, message.account_keys, message.recent_blockhash, instructions, message.address_table_lookups
    )
    serialised = to_bytes_versioned(anew)
    signers = [str(key) for key in message.account_keys[: message.header.num_required_signatures]]
    return serialise(serialised, signers, signed_by(secrets, serialised))


def _instead(old: CompiledInstruction, data: bytes) -> CompiledInstruction:
    if len(old.data) != len(data) or old.data[0] != data[0]:
        raise ValueError("not a transaction whose first instructions set its limit and its price")
    return CompiledInstruction(old.program_id_index, data, b"")


def _keypair(secret: bytes) -> Keypair:
    if len(secret) != _KEY:
        # For other arguments the library panics, which no `except Exception` catches.
        raise ValueError("a secret key has 64 bytes")
    return Keypair.from_bytes(secret)


def verifies(key: str, message: bytes, signature: str) -> bool:
    """Tell whether the holder of ``key`` signed ``message``; anything that is not base58 of the right length is no."""
    try:
        return Signature.from_string(signature).verify(Pubkey.from_string(key), message)
    except ValueError:
        return False
