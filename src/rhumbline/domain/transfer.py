"""A transfer across chains: what a bridge is asked about it, and its answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.fee import Charge
from rhumbline.domain.tracking import StatusSource, TransferState


@dataclass(frozen=True, slots=True)
class Transfer:
    """A started transfer, by the origin chain and our own build of it. Amounts in raw units.

    ``tx_hash`` is the origin's transaction, ``log_index`` that of our event in it (-1 without one: the wallet called
    the bridge itself). ``reference`` is the bridge's ID of it, as ``EvmTransaction.reference``. The bridge took
    ``sent_amount`` of ``sent_token``, and must deliver ``min_output`` of ``output_token`` to ``receiver``.
    ``refund_to`` gets the tokens back on the origin if the bridge fails. ``destination_call`` is the bridge's call on
    arrival; None: it only pays the receiver.
    """

    adapter: str
    origin_chain_id: int
    destination_chain_id: int
    tx_hash: str
    log_index: int
    sender: str
    receiver: str
    refund_to: str
    sent_token: str
    sent_amount: int
    output_token: str
    min_output: int
    reference: str | None
    started_at: datetime
    destination_call: DestinationCall | None = None


@dataclass(frozen=True, slots=True)
class TransferStatus:
    """The status of a transfer. UNKNOWN: the bridge does not know it (yet).

    ``substatus`` is the bridge's own word. ``source`` is ANALYTICS for a proof from the chain itself, BRIDGE_API for
    the bridge's statement. ``output_amount`` of ``output_token`` arrived, in raw units, None if not stated.
    ``receiver`` is the actual receiver if a chain proves that it was not the requested one, otherwise None. ``raw`` is
    the part of the bridge's answer that may be shown. ``names`` are the bridge's IDs of exactly this transfer, and of
    what ended it: no other transfer has any of them. Empty: the ID that it was asked by, the transfer's reference, or
    without one its origin's transaction.
    """

    state: TransferState
    source: StatusSource
    substatus: str | None = None
    destination_tx_hash: str | None = None
    refund_tx_hash: str | None = None
    output_token: str | None = None
    output_amount: int | None = None
    receiver: str | None = None
    raw: Mapping[str, object] = field(default_factory=dict)
    names: tuple[str, ...] = ()


NOT_KNOWN = TransferStatus(TransferState.UNKNOWN, StatusSource.BRIDGE_API)
"""The answer of a bridge that does not know a transfer (yet)."""


@dataclass(frozen=True, slots=True)
class IssuedTransaction:
    """A transfer as it was answered, stored until it is seen on a chain: an event's claims must agree with it.

    ``wallet_call``: the wallet calls ``to`` itself, so that no event of ours shows it; then the call is recognised by
    ``value`` and ``data``, or by ``parts`` if a wallet adds to it. ``reference`` is the bridge's ID of the transfer.
    ``deposit`` shows, in the logs of the transaction, that the bridge took its tokens; None if nothing does.
    ``charges`` are the fees that a wallet's own call pays in addition. ``sent_token`` is the bridge's input token if a
    swap precedes it in the same transaction; None: the input token. ``destination_call`` as in ``EvmTransaction``.
    ``refund_to`` gets refunds on the origin; None: the sender.
    """

    transaction_id: str
    adapter: str
    wallet_call: bool
    origin_chain_id: int
    destination_chain_id: int
    sender: str
    receiver: str
    integrator: str
    to: str
    value: int
    data: bytes
    input_token: str
    input_amount: int
    sent_amount: int
    output_token: str
    expected_output: int
    min_output: int
    reference: str | None
    created_at: datetime
    expires_at: datetime
    deposit: BridgeDeposit | None = None
    charges: tuple[Charge, ...] = ()
    sent_token: str | None = None
    destination_call: DestinationCall | None = None
    parts: bytes = b""
    refund_to: str | None = None
