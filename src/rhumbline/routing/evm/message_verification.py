"""Reads a finished call to the Diamond back down to the message that its deposit carries, and compares all of it.

It shares neither types nor code with what wrote them. Only Across's pool is listened to by the Receiver, so what
carries a message is a deposit into it (SpokePool.sol of @across-protocol/contracts 5.0.27, read 2026-11).
"""

from collections.abc import Mapping, Sequence

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.chain_types.bytes32 import evm_word
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.calldata import Function
from rhumbline.gateways.evm.canonical import NotCanonical, read_canonical
from rhumbline.routing.evm.bridge_call import BridgeOrder
from rhumbline.routing.evm.router_call import Spending
from rhumbline.routing.evm.verification import CallMismatch, Decoded, fields, inputs_of, named, wanted_operation

_TO_EVM = "depositV3(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,uint32,bytes)"
_TO_ANY = "deposit(bytes32,bytes32,bytes32,bytes32,uint256,uint256,uint256,bytes32,uint32,uint32,uint32,bytes)"
_DEPOSITS = (Function(_TO_EVM), Function(_TO_ANY))


def verify_destination(order: BridgeOrder, upstream: EvmTransaction, decoded: Decoded) -> None:
    """Raise CallMismatch unless the Diamond's call has the order carried out on the destination, where it says so.

    ``decoded`` is that call. Nothing is looked at where the order has nothing done there.
    """
    call, swap = upstream.destination_call, upstream.swap_after
    if not order.has_destination_call and call is None and swap is None:
        return
    if not order.has_destination_call or call is None or swap is None or order.destination.receiver is None:
        raise CallMismatch("message: the order does not say what the bridge has done")
    sent = order.sent_token if order.sent_token != NATIVE_EVM else order.chain.wrapped_native
    wanted: Mapping[str, object] = {
        "depositor": evm_word(order.refund_to),
        "payee": evm_word(order.destination.receiver),
        "sent token": evm_word(sent or NATIVE_EVM),
        "sent": order.sent,
        "token": evm_word(call.token),
        "destination": order.destination.id,
        "message": call.message,
    }
    deposit = _deposit(decoded)
    _compare("deposit", deposit, wanted)
    arriving = deposit["arriving"]
    if call.payee != order.destination.receiver or not isinstance(arriving, int):
        raise CallMismatch("message: the bridge pays somebody else than the Receiver")
    if (call.least, swap.spent, swap.minimum) != (arriving, arriving, order.min_output):
        raise CallMismatch("message: the swap is not of what arrives, or not for the order's minimum")
    if swap.transaction.chain_id != order.destination.id:
        raise CallMismatch("message: the swap is for another chain")
    said = decode_message(call.message)
    _compare(
        "message",
        said,
        {
            "id": order.id,
            "receiver": order.receiver.lower(),
            "outputToken": order.output_token.lower(),
            "minimum": order.min_output,
            "swapGas": swap.gas,
            "calls": [wanted_operation(Spending(call.token, arriving, 0), swap.transaction)],
        },
    )


def decode_message(message: bytes) -> Decoded:
    """Return what the Receiver is told, by name, addresses in lower case; raise CallMismatch for anything else."""
    types, inputs = inputs_of("Receiver", "complete")
    try:
        values, end = read_canonical((types[-1],), message)
    except NotCanonical as error:
        raise CallMismatch("message: it is not encoded as the Receiver reads it") from error
    if end != len(message):
        raise CallMismatch("message: it goes on after its end")
    return fields(named(inputs[-1], values[0]))


def _deposit(decoded: Decoded) -> Decoded:
    """Read the deposit out of the Diamond's last operation; accounts in 32 bytes."""
    operations = decoded["operations"]
    if not isinstance(operations, Sequence) or not operations:
        raise CallMismatch("operations: there is none")
    data = fields(operations[-1]).get("data")
    if not isinstance(data, bytes):
        raise CallMismatch("operations: the last one calls nothing")
    function = next((each for each in _DEPOSITS if data.startswith(each.selector)), None)
    try:
        values = () if function is None else function.decode(data)
    except MalformedAnswer as error:
        raise CallMismatch(f"deposit: {error}") from error
    if not values:
        raise CallMismatch("deposit: the bridge's call is none")
    accounts = [value if isinstance(value, bytes) else evm_word(str(value)) for value in values[:4]]
    return {
        **dict(zip(("depositor", "payee", "sent token", "token"), accounts, strict=True)),
        **dict(zip(("sent", "arriving", "destination"), values[4:7], strict=True)),
        "message": values[-1],
    }


def _compare(what: str, found: Decoded, wanted: Decoded) -> None:
    for name, value in wanted.items():
        if found[name] != value:
            raise CallMismatch(f"{what}: its {name} is {found[name]!r} where {value!r} was asked")
