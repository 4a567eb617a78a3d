"""The Receiver's event about its call: whether the swap was made, or the bridged tokens were paid out.

Anybody can make the Receiver emit an event with any order's ID, by a deposit of their own with such a message. So an
event counts only for its own fill. A pool emits ``FilledRelay`` before it pays and calls the recipient, allows no other
fill before that call has ended, and is the only caller that the Receiver accepts: so the events of a fill are between
its own ``FilledRelay`` and the next one. Source: SpokePool.sol (``_fillRelayV3``) of across-protocol/contracts as of
2026-06-11, read 2026-11-22; contracts/src/Receiver.sol.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rhumbline.adapters.across.bytes32 import to_word
from rhumbline.adapters.across.logs import FILLED_RELAY, Deposited, Filled, Log, read_fill
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.gateways.evm.abi import MalformedAnswer, decode_args, topic
from rhumbline.gateways.evm.address import checksummed

COMPLETED = topic("DestinationCompleted(bytes32,address,address,uint256,address,uint256)")
RECOVERED = topic("Recovered(bytes32,address,address,uint256,bytes)")
_COMPLETED_DATA = ("address", "uint256", "address", "uint256")
_RECOVERED_DATA = ("address", "uint256", "bytes")
_PAY = 3
"""The Executor's kind of operation that pays (contracts/src/Types.sol)."""
_MESSAGE = "(bytes32,address,address,uint256,uint256,(uint8,address,address,address,uint256,uint256,bytes)[])"


@dataclass(frozen=True, slots=True)
class CallEnded:
    """How a destination call ended: the receiver gained ``amount`` raw units of ``token`` (canonical address).

    Not ``completed``: the swap failed, and ``token`` is the bridged one.
    """

    completed: bool
    token: str
    amount: int


@dataclass(frozen=True, slots=True)
class Brought:
    """What a completed call brought, in raw units: the output, and native beside it (None: none was ordered)."""

    output: int
    native: int | None


def brought_by(call: DestinationCall, output_token: str, ended: CallEnded, filled: int, *, own: bool) -> Brought | None:
    """Return what a message brought that ended so after a fill of ``filled`` raw units; None if that is not its order.

    Its event tells of one token. What else it ordered was done completely, or it would not be completed: a payment of
    native, and a call, of which the output is what it had at its disposal. Not ``own``: the depositor has signed for
    another message, of which only the event tells.
    """
    fields = _fields_of(call.message)
    if fields is None or not ended.completed or ended.token != checksummed(fields[2]):
        return None
    minimum, calls = fields[3], fields[5]
    native = next((amount for kind, _, _, _, amount, _, _ in calls if kind == _PAY), None)
    is_swap = minimum != 0 and ended.token == output_token
    if not calls or not own:
        return Brought(ended.amount, None) if is_swap and native is None else None
    if is_swap:
        return Brought(ended.amount, native)
    _, _, _, token, amount, value, _ = calls[-1]
    if minimum == 0:
        return Brought(value if checksummed(token) == NATIVE_EVM else amount, native)
    # Native was bought with a part of the output.
    return Brought(filled - calls[0][4], ended.amount)


def logs_of_fill(logs: Sequence[Log], pool: str, deposited: Deposited) -> tuple[Log, ...] | None:
    """Return the logs that belong to a deposit's fill in its transaction; None if that fill is not in it."""
    fills = [log for log in logs if log.address == pool and log.topics[:1] == (FILLED_RELAY,)]
    own = next((log for log in fills if own_fill(log, pool, deposited)), None)
    if own is None:
        return None
    end = next((log.log_index for log in fills if log.log_index > own.log_index), None)
    after = (log for log in logs if log.tx_hash == own.tx_hash and log.log_index > own.log_index)
    return tuple(log for log in after if end is None or log.log_index < end)


def call_ended(logs: Sequence[Log], fill: Filled, call: DestinationCall, receiver: str) -> CallEnded | None:
    """Read the result of a fill's call from the fill's logs; None if the payee logged nothing about this order.

    It must be the payee's only event, have the order's ID and receiver, and name the tokens that the fill paid.
    """
    own = [log for log in logs if log.address == call.payee]
    if len(own) != 1 or own[0].topics[1:] != (_order_of(call.message), to_word(receiver)):
        return None
    (log,) = own
    try:
        if log.topics[0] == COMPLETED:
            sent, amount, token, gained = decode_args(_COMPLETED_DATA, log.data)
            of_fill = amount == fill.output_amount
        elif log.topics[0] == RECOVERED:
            sent, gained, _ = decode_args(_RECOVERED_DATA, log.data)
            # How much of it the receiver got is measured: some tokens keep a part.
            token, of_fill = sent, True
        else:
            return None
    except MalformedAnswer:
        return None
    if not of_fill or to_word(str(sent)) != fill.relay.output_token or not isinstance(gained, int):
        return None
    return CallEnded(log.topics[0] == COMPLETED, checksummed(str(token)), gained)


def _order_of(message: bytes) -> object:
    """Return the order's ID in a message to the Receiver; None if it is no such message."""
    fields = _fields_of(message)
    return None if fields is None else fields[0]


def _fields_of(message: bytes) -> tuple[Any, ...] | None:
    try:
        (fields,) = decode_args([_MESSAGE], message)
    except MalformedAnswer:
        return None
    return fields if isinstance(fields, tuple) else None


def own_fill(log: Log, pool: str, deposited: Deposited) -> Filled | None:
    """Return the fill in a log, if it is the pinned pool's and every field of the relay is the deposit's.

    A pool never checks that a deposit exists: a stranger may fill "our" deposit ID with a worthless token.
    """
    if log.address != pool:
        return None
    fill = read_fill(log)
    return fill if fill is not None and fill.relay == deposited.relay else None
