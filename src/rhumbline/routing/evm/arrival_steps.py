"""The steps of the work on arrival, as the Executor makes them one after the other."""

from dataclasses import replace
from typing import Any

from rhumbline.domain.arrival import CallOnArrival
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.quote import Quote
from rhumbline.domain.transaction import ArrivalStep, CallKind, EvmTransaction
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.routing.evm.destination_swap import made_on
from rhumbline.routing.evm.native_purchase import NativePurchase


async def gas_steps(purchase: NativePurchase, native: Quote[Any], receiver: str | None) -> list[ArrivalStep]:
    """Return the purchase of native; with a ``receiver`` exactly what was requested is paid to it, too.

    A message holds one minimum. Where it is that of a swap into the output, the payment holds that of native: it fails
    unless so much is there. What the purchase brings beyond goes to the receiver with all that is left. Raise an
    AdapterError.
    """
    number, wish = purchase.question.origin.id, purchase.context.request.destination_gas
    made = await made_on(number, purchase.exchange, replace(native, min_output_amount=wish))
    bought = ArrivalStep(made, purchase.question.origin_token.address, native.request.amount)
    if receiver is None:
        return [bought]
    paid = EvmTransaction(number, receiver, 0, b"", kind=CallKind.PAY)
    return [bought, ArrivalStep(paid, NATIVE_EVM, wish)]


def call_steps(
    call: CallOnArrival, number: int, output: str, bridged: str, amount: int, *, wrapped: bool
) -> list[ArrivalStep]:
    """Return the call on chain ``number`` with exactly ``amount`` of the output.

    It is approved, or sent along where it is native, which is ``wrapped`` as the ``bridged`` token until then.
    """
    if output != NATIVE_EVM:
        made = EvmTransaction(number, call.target, 0, call.data, call.target)
        return [ArrivalStep(made, output, amount)]
    made = EvmTransaction(number, call.target, amount, call.data)
    steps = [ArrivalStep(made, NATIVE_EVM, amount)]
    if wrapped:
        data = encode_call("withdraw(uint256)", ["uint256"], [amount])
        unwrapped = EvmTransaction(number, bridged, 0, data, kind=CallKind.UNWRAP)
        steps.insert(0, ArrivalStep(unwrapped, bridged, amount))
    return steps
