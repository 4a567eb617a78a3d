"""Decodes what a deposit has the Receiver do beside paying out, and compares it with the request.

Like ``verification``, it shares no code with the encoder.
"""

from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.domain.arrival import CallOnArrival
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.transaction import EvmTransaction
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

_CALL, _UNWRAP, _PAY, _POOLS = 0, 2, 3, 4
"""The Executor's kinds of operation (contracts/src/Types.sol)."""
_NONE: Mapping[str, object] = MappingProxyType({"kind": _CALL, "value": 0})


def verify_work(
    order: BridgeOrder, upstream: EvmTransaction, decoded: Decoded, gas: int, call: CallOnArrival | None
) -> None:
    """Raise CallMismatch unless the Diamond's call has done on arrival exactly what was requested.

    ``decoded`` is that call, ``gas`` the native that the receiver must have at least, in wei, ``call`` the call to be
    made with the rest of what arrives, or with what that was swapped into.
    """
    ordered, work = upstream.destination_call, upstream.work_after
    if not order.has_destination_call or ordered is None or work is None or order.destination.receiver is None:
        raise CallMismatch("message: the order does not say what the bridge has done")
    arriving = expect_deposit(order, ordered, decoded)
    if (ordered.least, work.arrives) != (arriving, arriving):
        raise CallMismatch("message: the work is not of what arrives")
    if any(step.transaction.chain_id != order.destination.id for step in work.steps):
        raise CallMismatch("message: the work is for another chain")
    token, swaps = ordered.token.lower(), _is_swapped(order, ordered.token)
    least, brings_native = (0 if call is not None else order.min_output) if swaps else gas, gas and not swaps
    message = decode_message(ordered.message)
    expected = {
        "id": order.id,
        "receiver": order.receiver.lower(),
        "outputToken": NATIVE_EVM if brings_native else order.output_token.lower(),
        "minimum": least,
        "swapGas": work.gas,
        "calls": [expected_operation(Spending(step.token, step.amount, 0), step.transaction) for step in work.steps],
    }
    compare_parts("message", message, expected)
    calls = message["calls"]
    found = [fields(each) for each in calls] if isinstance(calls, list | tuple) else []
    spent = _spent_on_gas(_next(found), token) if gas else 0
    if not 0 <= spent < arriving:
        raise CallMismatch("message: native costs more than what arrives")
    if swaps and gas:
        # The minimum in the message is the swap's: the payment holds that of native.
        payment = {"kind": _PAY, "target": order.receiver.lower(), "token": NATIVE_EVM, "amount": gas}
        compare_parts("message: the payment of native", _next(found), payment)
    if swaps:
        swap = {"kind": _POOLS, "token": token, "amount": arriving - spent}
        compare_parts("message: the swap into the output", _next(found), swap)
    elif order.min_output != arriving - spent:
        raise CallMismatch("message: the receiver keeps another amount than the order says")
    _compare_call(order, None if swaps else token, found, call)


def _is_swapped(order: BridgeOrder, bridged: str) -> bool:
    """Return whether what arrives is another token than the output, or than its wrapped form."""
    if order.output_token == NATIVE_EVM:
        return bridged != order.destination.wrapped_native
    return bridged != order.output_token


def _next(found: list[Decoded]) -> Decoded:
    if not found:
        raise CallMismatch("message: it does less than was asked")
    return found.pop(0)


def _spent_on_gas(operation: Decoded, token: str) -> int:
    """Return what an operation spends of the bridged token for native; raise CallMismatch for any other."""
    amount = operation.get("amount")
    by_pools = operation.get("kind") == _POOLS and operation.get("token") == token
    by_unwrapping = operation.get("kind") == _UNWRAP and operation.get("target") == token
    if not (by_pools or by_unwrapping) or not isinstance(amount, int):
        raise CallMismatch("message: native is bought with something else than what arrives")
    return amount


def _compare_call(order: BridgeOrder, wrapped: str | None, found: list[Decoded], call: CallOnArrival | None) -> None:
    """Compare what is left of the message with the requested call, which has the order's minimum at its disposal.

    ``wrapped`` is the token that is unwrapped for it if the output is native; None where that was swapped into.
    """
    amount, expected = order.min_output, list[Mapping[str, object]]()
    if call is not None:
        target = {**_NONE, "target": call.target.lower(), "data": call.data}
        if order.output_token == NATIVE_EVM:
            unwrapping = {"kind": _UNWRAP, "target": wrapped, "amount": amount}
            sent = {**target, "token": NATIVE_EVM, "value": amount}
            expected = [sent] if wrapped is None else [unwrapping, sent]
        else:
            expected = [
                {**target, "spender": call.target.lower(), "token": order.output_token.lower(), "amount": amount}
            ]
    if len(found) != len(expected):
        raise CallMismatch("message: it does something else than was asked")
    for number, (operation, parts) in enumerate(zip(found, expected, strict=True)):
        compare_parts(f"message: operation {number} of the call", operation, parts)
