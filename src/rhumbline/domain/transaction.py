"""Transactions that a wallet signs, and the identifier under which tracking knows them."""

import hmac
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from rhumbline.domain.deposit import BridgeDeposit


class CallKind(StrEnum):
    """What an adapter's transaction is, for the contracts that make it on the wallet's behalf."""

    CALL = "call"
    WRAP = "wrap"
    UNWRAP = "unwrap"
    PAY = "pay"


@dataclass(frozen=True, slots=True)
class EvmTransaction:
    """A call on an EVM chain: ``value`` in wei; ``spender`` is who must be allowed to take the input token, if any.

    ``kind`` tells the typed operations from an ordinary call: WRAP and UNWRAP name the wrapped-native contract in
    ``to``, PAY the recipient. ``leftovers`` are tokens of which the call may leave something with its caller.
    ``reference`` is what a bridge calls the transfer (request ID, deposit address, order hash), in its own spelling,
    None where it is not known before the transaction is mined. ``expires_at`` is the Unix second after which the call
    must not be made any more, None when only the request's deadline bounds it. ``takes`` is how much of the input the
    call takes when that is less than the amount asked for (an upstream that cuts amounts to its own decimals), in raw
    units; the rest stays with, or goes back to, the wallet. None: exactly the amount. ``deposit`` is how a run shows
    that a bridge took over the order's tokens; a transaction to another chain without it is not handed out.
    """

    chain_id: int
    to: str
    value: int
    data: bytes
    spender: str | None = None
    kind: CallKind = CallKind.CALL
    leftovers: tuple[str, ...] = ()
    reference: str | None = None
    expires_at: int | None = None
    takes: int | None = None
    deposit: BridgeDeposit | None = None


@dataclass(frozen=True, slots=True)
class SvmTransaction:
    """One unsigned, serialised v0 transaction; ``program`` is what its main instruction calls."""

    chain_id: int
    program: str
    data: bytes


Transaction = EvmTransaction | SvmTransaction


def make_transaction_id(key: bytes, nonce: bytes, chain_id: int, sender: str, integrator: str) -> bytes:
    """Return 32 bytes: 16 random bytes ‖ the first 16 bytes of HMAC-SHA256 over what the event must agree with.

    ``nonce`` is 16 fresh random bytes, ``sender`` the canonical address that signs, ``integrator`` the name attributed
    (empty for none). Only who holds ``key`` can make an ID that verifies, and it verifies for that sender alone.
    """
    if len(nonce) != 16:
        raise ValueError("the nonce of a transaction ID has 16 bytes")
    claim = b"\x00".join((nonce.hex().encode(), str(chain_id).encode(), sender.encode(), integrator.encode()))
    return nonce + hmac.digest(key, claim, sha256)[:16]


def verify_transaction_id(
    keys: tuple[bytes, ...], identifier: bytes, chain_id: int, sender: str, integrator: str
) -> bool:
    """Tell whether one of our keys, old ones included, made ``identifier`` for this chain, sender and integrator."""
    if len(identifier) != 32:
        return False
    return any(
        hmac.compare_digest(make_transaction_id(key, identifier[:16], chain_id, sender, integrator), identifier)
        for key in keys
    )
