"""Decodes what a deposit has the Receiver do beside paying out, and compares it with the request.

Like ``verification``, it shares no code with the encoder.
"""

from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.domain.arrival import CallOnArrival
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.routing.evm.bridge_call import BridgeOrder
from rhumbline.routing.evm.router_call import Spending
from rhumbline.routing.evm.verification import (
    CallMismatch,
    Decoded,
    compare_parts,
    decode_message,
    expect_deposit,
    expected_operation,
    fields,
)

_CALL, _UNWRAP, _POOLS = 0, 2, 4
"""The Executor's kinds of operation (contracts/src/Types.sol)."""
_NONE: Mapping[str, object] = MappingProxyType({"kind": _CALL, "value": 0})


def verify_work(
    order: BridgeOrder, upstream: EvmTransaction, decoded: Decoded, gas: int, call: CallOnArrival | None
) -> None:
    """Raise CallMismatch unless the Diamond's call has done on arrival exactly what was requested.

    ``decoded`` is that call, ``gas`` the native that the receiver must have at least, in wei, ``call`` the call to be
    made with the rest of what arrives.
    """
    ordered, work = upstream.destination_call, upstream.work_after
    if not order.has_destination_call or ordered is None or work is None or order.destination.receiver is None:
        raise CallMismatch("message: the order does not say what the bridge has done")
    arriving = expect_deposit(order, ordered, decoded)
    if (ordered.least, work.arrives) != (arriving, arriving):
        raise CallMismatch("message: the work is not of what arrives")
    if any(step.transaction.chain_id != order.destination.id for step in work.steps):
        raise CallMismatch("message: the work is for another chain")
    message = decode_message(ordered.message)
    expected = {
        "id": order.id,
        "receiver": order.receiver.lower(),
        "outputToken": NATIVE_EVM if gas else order.output_token.lower(),
        "minimum": gas,
        "swapGas": work.gas,
        "calls": [expected_operation(Spending(step.token, step.amount, 0), step.transaction) for step in work.steps],
    }
    compare_parts("message", message, expected)
    calls = message["calls"]
    found = [fields(each) for each in calls] if isinstance(calls, list | tuple) else []
    if any(step.transaction.kind is CallKind.PAY for step in work.steps):
        raise CallMismatch("message: it pays somebody")
    spent = _spent_on_gas(found.pop(0), ordered.token.lower()) if gas and found else 0
    _compare_call(order, ordered.token, found, arriving - spent, call)
    if order.min_output != arriving - spent or not 0 <= spent < arriving:
        raise CallMismatch("message: the receiver keeps another amount than the order says")


def _spent_on_gas(operation: Decoded, token: str) -> int:
    """Return what an operation spends of the bridged token for native; raise CallMismatch for any other."""
    amount = operation.get("amount")
    by_pools = operation.get("kind") == _POOLS and operation.get("token") == token
    by_unwrapping = operation.get("kind") == _UNWRAP and operation.get("target") == token
    if not (by_pools or by_unwrapping) or not isinstance(amount, int):
        raise CallMismatch("message: native is bought with something else than what arrives")
    return amount


def _compare_call(
    order: BridgeOrder, bridged: str, found: list[Decoded], amount: int, call: CallOnArrival | None
) -> None:
    """Compare what follows the purchase of native with the requested call, which has ``amount`` at its disposal."""
    native = order.output_token == NATIVE_EVM
    expected: list[Mapping[str, object]] = []
    if call is not None:
        target = {**_NONE, "target": call.target.lower(), "data": call.data}
        if native:
            expected = [
                {"kind": _UNWRAP, "target": bridged.lower(), "amount": amount},
                {**target, "token": NATIVE_EVM, "value": amount},
            ]
        else:
            expected = [
                {**target, "spender": call.target.lower(), "token": order.output_token.lower(), "amount": amount}
            ]
    if len(found) != len(expected) or (not native and bridged != order.output_token):
        raise CallMismatch("message: it does something else than was asked")
    for number, (operation, parts) in enumerate(zip(found, expected, strict=True)):
        compare_parts(f"message: operation {number} of the call", operation, parts)
