"""Transactions that a wallet signs, and the ID by which tracking finds them."""

import hmac
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.svm import SvmDraft, SvmSealed


class CallKind(StrEnum):
    """How the contracts make an adapter's transaction for the wallet."""

    CALL = "call"
    WRAP = "wrap"
    UNWRAP = "unwrap"
    PAY = "pay"
    POOLS = "pools"


@dataclass(frozen=True, slots=True)
class EvmTransaction:
    """A call on an EVM chain: ``value`` in wei; ``spender`` is the address to approve for the input token, if any.

    ``kind`` distinguishes the typed operations from an ordinary call: WRAP and UNWRAP name the wrapped-native contract
    in ``to``, PAY the recipient, POOLS the Executor, which trades by the plan in ``data``. ``sweep_tokens`` are tokens
    of which the call may leave a rest with its caller. ``reference`` is the bridge's ID of the transfer (request ID,
    deposit address, order hash), in its own spelling, None if it is unknown before the transaction is mined.
    ``expires_at`` is the last Unix second for the call, None if only the request's deadline bounds it. ``input_taken``
    is the raw amount that the call takes if that is less than the input (an upstream that cuts amounts to its own
    decimals); the rest stays with, or goes back to, the wallet. None: exactly the amount. ``deposit`` is how a
    simulation shows that a bridge took the order's tokens; a transaction to another chain without it is not answered.
    ``swap`` is the swap that the service's contracts make before this call, in the same transaction; None: none.
    ``destination_call`` is the bridge's call on arrival; None: it pays the order's receiver. ``swap_after`` is the swap
    in its message, ``work_after`` whatever else is in it; one of the two.
    """

    chain_id: int
    to: str
    value: int
    data: bytes
    spender: str | None = None
    kind: CallKind = CallKind.CALL
    sweep_tokens: tuple[str, ...] = ()
    reference: str | None = None
    expires_at: int | None = None
    input_taken: int | None = None
    deposit: BridgeDeposit | None = None
    swap: "SwapBefore | None" = None
    destination_call: DestinationCall | None = None
    swap_after: "SwapAfter | None" = None
    work_after: "WorkAfter | None" = None

    @property
    def entry(self) -> tuple[str, int]:
        """The called contract and the native value."""
        return self.to, self.value

    @property
    def recognised_by(self) -> bytes:
        """The bytes by which the transaction is recognised on the chain."""
        return self.data

    @property
    def recognised_in_parts(self) -> bytes:
        """Nothing: a wallet adds nothing to a call."""
        return b""


@dataclass(frozen=True, slots=True)
class SwapBefore:
    """A swap of the input before a bridge's call: ``transaction`` yields at least ``least`` of ``token``.

    In raw units. The bridge's call takes exactly that; whatever the swap brings beyond goes to the wallet.
    """

    transaction: EvmTransaction
    token: str
    least: int


@dataclass(frozen=True, slots=True)
class SwapAfter:
    """A swap on arrival: ``transaction`` is made on the destination with exactly ``gas``.

    It spends ``spent`` raw units of the bridged token, and brings the order's receiver at least ``minimum``.
    """

    transaction: EvmTransaction
    gas: int
    spent: int
    minimum: int


@dataclass(frozen=True, slots=True)
class ArrivalStep:
    """One thing that the Executor does on arrival: ``transaction``, which spends ``amount`` raw units of ``token``."""

    transaction: EvmTransaction
    token: str
    amount: int


@dataclass(frozen=True, slots=True)
class WorkAfter:
    """What is done on arrival with ``arrives`` raw units and exactly ``gas``, where that is more than a swap.

    The receiver gains at least ``minimum`` of ``bought`` by it, and has at least ``kept`` raw units of the output: what
    no step spends, what a swap must bring, or what the last step, a call, may use. A ``minimum`` of 0 is only for such
    a call.
    """

    steps: tuple[ArrivalStep, ...]
    arrives: int
    gas: int
    bought: str
    minimum: int
    kept: int


@dataclass(frozen=True, slots=True)
class SvmTransaction:
    """A serialised v0 transaction that its payer has not signed yet; its main instruction calls ``program``.

    ``digest`` is by what tracking knows it: bytes that stand for all that it does (``gateways/svm/fingerprint``), and
    ``parts`` for each of its instructions, by which it is known where a wallet adds others; none for a sealed message.
    ``last_valid_block_height``: in no higher block can it be executed any more.
    """

    chain_id: int
    program: str
    data: bytes
    digest: bytes
    last_valid_block_height: int
    parts: bytes = b""

    @property
    def entry(self) -> tuple[str, int]:
        """The called program; there is no native value."""
        return self.program, 0

    @property
    def recognised_by(self) -> bytes:
        """The bytes by which the transaction is recognised on the chain."""
        return self.digest

    @property
    def recognised_in_parts(self) -> bytes:
        """The bytes by which it is recognised after its wallet has added to it."""
        return self.parts


Transaction = EvmTransaction | SvmTransaction
"""What a wallet signs."""
UpstreamTransaction = EvmTransaction | SvmDraft | SvmSealed
"""What adapters build; the service makes the wallet's transaction of it."""


class OrderKind(StrEnum):
    """How an order is executed: the Diamond's ``swap`` or ``bridge``, or a wallet's own call."""

    SWAP = "swap"
    BRIDGE = "bridge"
    DIRECT = "direct"


@dataclass(frozen=True, slots=True)
class CrossingTerms:
    """The terms of an order for another chain. Words are the 32 bytes of the Diamond's event."""

    destination_chain_id: int
    sent_token: bytes
    expected_output: int
    refund_to: bytes
    has_destination_call: bool
    reference: bytes


@dataclass(frozen=True, slots=True)
class OrderTerms:
    """Every term of an order in the Diamond's event; its transaction ID covers them.

    Amounts are raw units, as ordered and not as measured: a skipped fee or a token with a transfer tax changes nothing
    here. Addresses are words of 32 bytes: EVM addresses right aligned, others as they are. ``integrator`` is the
    attributed name, empty for none. ``deadline`` is the last Unix second at which the order may run. A ``SWAP`` has no
    ``crossing``, a ``BRIDGE`` has one.
    """

    kind: OrderKind
    chain_id: int
    sender: bytes
    integrator: str
    adapter: str
    receiver: bytes
    input_token: bytes
    ordered_amount: int
    output_token: bytes
    min_output: int
    deadline: int
    crossing: CrossingTerms | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for a swap with a crossing, a bridge without, and whatever does not fit into 32 bytes."""
        if self.kind is not OrderKind.DIRECT and (self.kind is OrderKind.BRIDGE) is not (self.crossing is not None):
            raise ValueError("a bridge's order has terms of the crossing, a swap's has none")
        self.serialised()

    def serialised(self) -> bytes:
        """Return the unique byte form of these terms: each field in order, each of known length.

        Words and numbers have 32 bytes (numbers big-endian); a text is preceded by its length in one byte. A first part
        says whether there is a crossing.
        """
        parts = [
            _text(self.kind.value),
            _number(self.chain_id),
            _word(self.sender),
            _text(self.integrator),
            _text(self.adapter),
            _word(self.receiver),
            _word(self.input_token),
            _number(self.ordered_amount),
            _word(self.output_token),
            _number(self.min_output),
            _number(self.deadline),
            _number(self.crossing is not None),
        ]
        if self.crossing is not None:
            parts += [
                _number(self.crossing.destination_chain_id),
                _word(self.crossing.sent_token),
                _number(self.crossing.expected_output),
                _word(self.crossing.refund_to),
                _number(self.crossing.has_destination_call),
                _word(self.crossing.reference),
            ]
        return b"".join(parts)


def first_step_tag(key: bytes, route_id: str) -> bytes:
    """Return the 8 bytes with which the IDs of a route's first step begin, so that they are found by the route."""
    return hmac.digest(key, b"first step of a route\0" + route_id.encode(), sha256)[:8]


def make_transaction_id(key: bytes, nonce: bytes, terms: OrderTerms) -> bytes:
    """Return 32 bytes: 16 random bytes ‖ the first 16 bytes of HMAC-SHA256 over nonce and terms.

    ``nonce`` is 16 fresh random bytes. Only who holds ``key`` can make an ID that verifies, and it verifies for those
    terms alone.
    """
    if len(nonce) != 16:
        raise ValueError("the nonce of a transaction ID has 16 bytes")
    return nonce + hmac.digest(key, nonce + terms.serialised(), sha256)[:16]


def verify_transaction_id(keys: tuple[bytes, ...], identifier: bytes, terms: OrderTerms) -> bool:
    """Return whether one of our keys, including old ones, made ``identifier`` for exactly these terms."""
    if len(identifier) != 32:
        return False
    return any(hmac.compare_digest(make_transaction_id(key, identifier[:16], terms), identifier) for key in keys)


def _word(value: bytes) -> bytes:
    if len(value) != 32:
        raise ValueError("a word has 32 bytes")
    return value


def _number(value: int) -> bytes:
    try:
        return value.to_bytes(32)
    except OverflowError:
        raise ValueError("a number of an order has at most 256 bits and no sign") from None


def _text(value: str) -> bytes:
    encoded = value.encode()
    if len(encoded) > 255:
        raise ValueError("a name in an order has at most 255 bytes")
    return bytes([len(encoded)]) + encoded
