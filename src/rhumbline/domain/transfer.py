"""A transfer across chains: what a bridge is asked about it, and what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.fee import Charge
from rhumbline.domain.tracking import StatusSource, TransferState


@dataclass(frozen=True, slots=True)
class Transfer:
    """A transfer that was started, as the origin chain and our own build of it tell. Amounts in raw units.

    ``tx_hash`` is the origin's transaction, ``log_index`` that of our event in it (-1 where there is none: the wallet
    called the bridge itself). ``reference`` is what the bridge calls it, as ``EvmTransaction.reference``.
    ``sent_token`` and ``sent_amount`` are what the bridge took, ``min_output`` what it must deliver to ``receiver``
    in ``output_token``. ``refund_to`` gets the tokens back on the origin when the bridge fails.
    ``destination_call`` is what the bridge was told to have done where it pays; None: it just pays the receiver.
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
    """How a transfer stands. UNKNOWN: the bridge does not know it, or not yet.

    ``substatus`` is the bridge's own word. ``source`` is ANALYTICS for a proof from the chain itself, BRIDGE_API for
    the bridge's word. ``output_amount`` of ``output_token`` is what arrived, in raw units, None when not told.
    ``receiver`` is who got it where a chain proves that it was another than asked for, else None.
    ``raw`` is the bridge's answer as far as it may be shown. ``names`` are the bridge's own for the one transfer, and
    for what ended it, that the answer is about: no other has any of them. Empty: what it was asked by, the transfer's
    reference, or its origin's transaction where there is none.
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
"""The answer of a bridge that does not know a transfer, or not yet."""


@dataclass(frozen=True, slots=True)
class IssuedTransaction:
    """A transfer as it was handed out, kept until it is seen on a chain: what an event claims must agree with it.

    ``wallet_call`` tells that the wallet calls ``to`` itself, so that no event of ours will tell of it; then ``value``
    and ``data`` say how to recognise the call, ``parts`` how where a wallet adds to it. ``reference`` is the bridge's
    name for the transfer. ``deposit`` is what shows, in the logs of the transaction, that the bridge took over its
    tokens; None where nothing does. ``charges`` are the fees that a call of the wallet's own pays beside it.
    ``sent_token`` is what the bridge takes where something is swapped before it in the same transaction; None: the
    input token. ``destination_call`` as in ``EvmTransaction``.
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
