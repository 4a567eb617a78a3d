"""The message of a deposit to the Receiver: the order's ID, receiver, minimum, and calls. Pure."""

from dataclasses import replace

from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.transaction import CallKind, EvmTransaction, SwapAfter, WorkAfter
from rhumbline.gateways.evm.abi import encode_args
from rhumbline.routing.evm.bridge_call import UNIDENTIFIED
from rhumbline.routing.evm.router_call import OPERATION, Spending, operation

MESSAGE = f"(bytes32,address,address,uint256,uint256,{OPERATION}[])"
LONGEST_MESSAGE = 3_072
"""In bytes: the message is part of a URL."""
_ROOM = 256
"""In bytes: two to four further hops, or one leg of a router; 3,000 gas of the fill."""
_ID = slice(32, 64)
"""The position of the ID in an encoded message: after the offset of the struct."""


def message_of(receiver: str, output_token: str, spent_token: str, swap: SwapAfter) -> bytes:
    """Return the message for a swap of ``spent_token`` into ``output_token``, without an ID yet.

    The swap spends exactly the least amount that arrives; any excess goes to the receiver. Raise UpstreamFailed if the
    swap's transaction is unsuitable.
    """
    calls = [operation(Spending(spent_token, swap.spent, 0), swap.transaction)]
    words = (UNIDENTIFIED, receiver, output_token, swap.minimum, swap.gas, calls)
    return encode_args([MESSAGE], [words])


def work_message(receiver: str, work: WorkAfter) -> bytes:
    """Return the message for what is done on arrival, without an ID yet; raise UpstreamFailed as ``message_of``.

    What it pays, it pays to ``receiver``.
    """
    calls = [
        operation(
            Spending(step.token, step.amount, 0),
            replace(step.transaction, to=receiver) if step.transaction.kind is CallKind.PAY else step.transaction,
        )
        for step in work.steps
    ]
    return encode_args([MESSAGE], [(UNIDENTIFIED, receiver, work.bought, work.minimum, work.gas, calls)])


def with_room(message: bytes) -> bytes:
    """Return a message as a bridge is asked with it, with zeros after its end.

    What is done on arrival is planned again when the transaction is made, and its message may be that much longer.
    """
    return message.ljust(min(len(message) + _ROOM, LONGEST_MESSAGE), b"\0")


def under_id(upstream: EvmTransaction, identifier: bytes) -> EvmTransaction:
    """Return a bridge's call with the order's ID in the message that it carries; the same where it carries none.

    Raise UpstreamFailed unless the call has the message in exactly one place.
    """
    call = upstream.destination_call
    if call is None:
        return upstream
    message = call.message[: _ID.start] + identifier + call.message[_ID.stop :]
    if len(message) != len(call.message) or upstream.data.count(call.message) != 1:
        raise UpstreamFailed("the transaction does not carry its message once")
    data = upstream.data.replace(call.message, message)
    return replace(upstream, data=data, destination_call=DestinationCall(call.payee, call.token, call.least, message))
