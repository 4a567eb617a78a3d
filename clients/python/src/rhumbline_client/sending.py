"""What wallets are given to sign, of a quote or of a step, and what was signed of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from rhumbline_client.errors import Expired, SendError, SendRefused, SendUncertain, Unreachable
from rhumbline_client.models import GasEstimation, PermitOffer, QuoteCalldata, QuoteResponse, Step

MOST_KEPT = 10_000
SIGNATURE_BYTES = 65
_ROOM = 96


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a wallet on an EVM chain."""

    to: str
    value: int
    data: str


@dataclass(frozen=True, slots=True)
class Executable:
    """What a quote and a step have in common: calls, gas terms, and until when."""

    transaction_id: str
    chain_id: int
    approvals: tuple[Call, ...]
    call: Call
    gas: GasEstimation | None
    expires_at: datetime | None
    last_valid_block_height: int | None
    permit: PermitOffer | None

    def check_time(self, now: datetime | None = None) -> None:
        """Raise Expired once the time is over by this machine's clock."""
        if self.expires_at is not None and self.expires_at <= (now or datetime.now(UTC)):
            raise Expired(f"the quote was good until {self.expires_at:%H:%M:%S} UTC: ask for a new one")


@dataclass(frozen=True, slots=True)
class Sent:
    """A transaction that was mined: ``hash`` is its hash or signature, ``receipt`` what the node says of it."""

    hash: str
    receipt: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Signed:
    """The bytes of a signed transaction and the hash that the chain will know it by."""

    hash: str
    raw: str


@dataclass(slots=True)
class SignedOnce:
    """Remembers what was signed of each quote, so that nothing of it is ever signed a second time."""

    _kept: dict[str, Signed] = field(default_factory=dict)

    def of(self, name: str) -> Signed | None:
        """Return what was signed under a name."""
        return self._kept.get(name)

    def keep(self, name: str, signed: Signed) -> None:
        """Remember; the oldest of ten thousand is forgotten, whose quote ended long before."""
        self._kept[name] = signed
        while len(self._kept) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]


def executable(answer: QuoteResponse | Step) -> Executable:
    """Return what is to be signed.

    Raises:
        ValueError: the step has no transaction; `step_transaction` gives it one.

    """
    approvals = tuple(_call(each) for each in answer.approvals or ())
    if isinstance(answer, QuoteResponse):
        call, gas, transaction_id = _call(answer.calldata), answer.gas, answer.transaction_id
        # Fees are stated in the origin currency.
        chain_id = answer.fees.total.chain_id
    elif answer.transaction_request is None or answer.transaction_id is None:
        raise ValueError("the step has no transaction yet: ask step_transaction for it")
    else:
        request = answer.transaction_request
        call, gas = Call(request.to, int(request.value, 0), request.data), request.gas
        transaction_id, chain_id = answer.transaction_id, answer.action.from_chain_id
    until = answer.expires_at, answer.last_valid_block_height
    return Executable(transaction_id, chain_id, approvals, call, gas, *until, answer.permit)


def permitted(permit: PermitOffer, signature: bytes) -> Call:
    """Return the transaction to send with the sender's signature of a permit's typed data.

    Raises:
        ValueError: the signature has not 65 bytes, or the transaction has no room for it.

    """
    data = bytes.fromhex(permit.calldata.data.removeprefix("0x"))
    if len(signature) != SIGNATURE_BYTES:
        raise ValueError(f"a signature of {SIGNATURE_BYTES} bytes is needed, and this one has {len(signature)}")
    if data[-_ROOM:] != bytes(_ROOM):
        raise ValueError("the transaction has no room for a signature at its end")
    # Some wallets count the last byte from 0.
    parity = signature[-1] + 27 if signature[-1] < 2 else signature[-1]
    made = data[:-_ROOM] + (signature[:-1] + bytes([parity])).ljust(_ROOM, b"\x00")
    return Call(permit.calldata.to, permit.calldata.value, "0x" + made.hex())


def send_failure(error: Exception, transaction_hash: str) -> SendError:
    """Return what a failed send means, after the node has said that it does not know the transaction."""
    if isinstance(error, Unreachable):
        return SendUncertain(f"the node did not say whether it took the transaction: {error}", transaction_hash)
    return SendRefused(f"the node did not take the transaction: {error}", transaction_hash)


def _call(given: QuoteCalldata) -> Call:
    return Call(given.to, given.value, given.data)
