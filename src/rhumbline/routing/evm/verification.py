"""Decodes a finished call to the Diamond by the compiled contract's ABI and compares it with the request.

It shares neither types nor code with the encoder, so an encoder's mistake is not repeated here. The message in a
deposit is compared too. The Receiver accepts only Across's pool as its caller, so a message is in a deposit into that
pool (SpokePool.sol of @across-protocol/contracts 5.0.27, read 2026-11).
"""

from collections.abc import Mapping, Sequence
from functools import cache

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.gateways.chain_types.bytes32 import address_word, evm_word, reference_word
from rhumbline.gateways.evm.abi import MalformedAnswer, selector
from rhumbline.gateways.evm.calldata import Function
from rhumbline.gateways.evm.canonical import NotCanonical, read_canonical
from rhumbline.gateways.nodes.evm.deployment import artifact
from rhumbline.routing.evm.bridge_call import BridgeOrder
from rhumbline.routing.evm.router_call import DiamondOrder, RouterOrder, Spending

Decoded = Mapping[str, object]
_KINDS = ("call", "wrap", "unwrap", "pay", "pools")


class CallMismatch(Exception):
    """A call that differs from the request; the text names the difference."""


def decode_swap(data: bytes) -> Decoded:
    """Return the arguments of ``swap`` by name, addresses in lower case; raise CallMismatch for any other call."""
    return decode_call("swap", data)


def decode_bridge(data: bytes) -> Decoded:
    """Return the arguments of ``bridge`` by name, addresses in lower case; raise CallMismatch for any other call."""
    return decode_call("bridge", data)


def decode_call(name: str, data: bytes) -> Decoded:
    """Return the arguments of a function of the Diamond as ``decode_swap`` does."""
    types, inputs = inputs_of("Diamond", name)
    if data[:4] != selector(f"{name}({','.join(types)})"):
        raise CallMismatch(f"entry: the call is not {name}")
    try:
        values, end = read_canonical(types, data, 4)
    except NotCanonical as error:
        raise CallMismatch(f"calldata: {error}") from error
    if end != len(data):
        raise CallMismatch("calldata: there is more than the arguments")
    return {str(item["name"]): named(item, value) for item, value in zip(inputs, values, strict=True)}


def verify_router_call(order: RouterOrder, upstream: EvmTransaction, call: EvmTransaction) -> None:
    """Raise CallMismatch unless the call asks the Diamond for exactly this swap around this upstream transaction."""
    spending = Spending(order.input_token, order.net, order.native_fee)
    expected = {"receiver": order.receiver.lower(), "outputToken": order.output_token.lower()}
    _compare(order, expected, [expected_operation(spending, upstream)], decode_swap(call.data), call)


def verify_bridge_call(order: BridgeOrder, upstream: EvmTransaction, call: EvmTransaction) -> None:
    """Raise CallMismatch unless the call asks the Diamond for exactly this transfer around this upstream transaction.

    Receiver, output token and reference are compared as the 32 bytes in the event.
    """
    expected = {
        "receiver": address_word(order.destination, order.receiver),
        "destinationChainId": order.destination.id,
        "sentToken": order.sent_token.lower(),
        "sentAmount": order.sent,
        "outputToken": address_word(order.destination, order.output_token),
        "expectedOutput": order.expected_output,
        "refundTo": order.refund_to.lower(),
        "hasDestCall": order.has_destination_call,
        "bridgeRef": reference_word(order.reference),
    }
    operations = [expected_operation(order.spending, upstream)]
    if upstream.swap is not None:
        swapping = Spending(order.input_token, order.net, 0)
        operations = [expected_operation(swapping, upstream.swap.transaction), *operations]
    _compare(order, expected, operations, decode_bridge(call.data), call)


def _compare(
    order: DiamondOrder, expected_order: Decoded, operations: list[Decoded], decoded: Decoded, call: EvmTransaction
) -> None:
    native = order.input_token == NATIVE_EVM
    input_amount = order.net + sum(charge.amount for charge in order.charges)
    expected = {
        "entry": order.chain.diamond,
        "value": (order.amount if native else 0) + order.native_fee,
        "approval": None if native else order.chain.diamond,
        "fees": [
            {"recipient": charge.recipient.lower(), "kind": _ascii(charge.kind), "amount": charge.amount}
            for charge in order.charges
        ],
        "order": {
            "id": order.id,
            "integrator": _ascii(order.integrator or ""),
            "adapter": _ascii(order.adapter),
            "inputToken": order.input_token.lower(),
            "inputAmount": input_amount,
            "minOutput": order.min_output,
            "deadline": order.deadline,
            "nativeFee": order.native_fee,
            **expected_order,
        },
        "operations": operations,
    }
    found = {
        "entry": call.to,
        "value": call.value,
        "approval": call.spender,
        "fees": decoded["fees"],
        "order": {name: value for name, value in fields(decoded["order"]).items() if name != "sweep"},
        "operations": decoded["operations"],
    }
    for name, value in expected.items():
        if found[name] != value:
            raise CallMismatch(f"{name}: the call has {found[name]!r} where {value!r} was asked")
    if order.amount != input_amount:
        raise CallMismatch("amount: fees and what the upstream gets are not the amount")


def expected_operation(spending: Spending, upstream: EvmTransaction) -> Decoded:
    token = spending.token.lower()
    plain = upstream.kind is CallKind.CALL
    approves = plain and token != NATIVE_EVM and upstream.spender is not None
    return {
        "kind": _KINDS.index(upstream.kind.value),
        "target": upstream.to.lower(),
        "spender": str(upstream.spender).lower() if approves else NATIVE_EVM,
        "token": token if approves or upstream.kind in (CallKind.PAY, CallKind.POOLS) else NATIVE_EVM,
        "amount": spending.sent if approves or not plain else 0,
        "value": upstream.value if plain else 0,
        "data": upstream.data if plain or upstream.kind is CallKind.POOLS else b"",
    }


def _ascii(name: str) -> bytes:
    return name.encode("ascii") + bytes(32 - len(name))


def fields(value: object) -> Decoded:
    return value if isinstance(value, Mapping) else {}


@cache
def inputs_of(contract: str, function: str) -> tuple[tuple[str, ...], tuple[Mapping[str, object], ...]]:
    """Return the types that a compiled contract's function takes, and its inputs by the ABI."""
    for entry in artifact(contract).abi:
        inputs = entry.get("inputs")
        if entry.get("type") == "function" and entry.get("name") == function and isinstance(inputs, list):
            return tuple(_type(item) for item in inputs), tuple(inputs)
    raise LookupError(f"the compiled {contract} has no function {function}")


def _type(item: Mapping[str, object]) -> str:
    kind, parts = str(item["type"]), item.get("components")
    if not isinstance(parts, list):
        return kind
    return f"({','.join(_type(part) for part in parts)}){kind.removeprefix('tuple')}"


def named(item: Mapping[str, object], value: object) -> object:
    """Put names to the members of structs, in lists too."""
    parts = item.get("components")
    if not isinstance(parts, list) or not isinstance(value, Sequence):
        return value
    if str(item["type"]).endswith("[]"):
        return [named({**item, "type": "tuple"}, each) for each in value]
    return {str(part["name"]): named(part, each) for part, each in zip(parts, value, strict=True)}


_TO_EVM = "depositV3(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,uint32,bytes)"
_TO_ANY = "deposit(bytes32,bytes32,bytes32,bytes32,uint256,uint256,uint256,bytes32,uint32,uint32,uint32,bytes)"
_DEPOSITS = (Function(_TO_EVM), Function(_TO_ANY))


def verify_destination(order: BridgeOrder, upstream: EvmTransaction, decoded: Decoded) -> None:
    """Raise CallMismatch unless the Diamond's call matches the order's destination call, if it has one.

    ``decoded`` is that call. Nothing is looked at where the order has nothing done there.
    """
    call, swap = upstream.destination_call, upstream.swap_after
    if not order.has_destination_call and call is None and swap is None:
        return
    if not order.has_destination_call or call is None or swap is None or order.destination.receiver is None:
        raise CallMismatch("message: the order does not say what the bridge has done")
    arriving = expect_deposit(order, call, decoded)
    if (call.least, swap.spent, swap.minimum) != (arriving, arriving, order.min_output):
        raise CallMismatch("message: the swap is not of what arrives, or not for the order's minimum")
    if swap.transaction.chain_id != order.destination.id:
        raise CallMismatch("message: the swap is for another chain")
    compare_parts(
        "message",
        decode_message(call.message),
        {
            "id": order.id,
            "receiver": order.receiver.lower(),
            "outputToken": order.output_token.lower(),
            "minimum": order.min_output,
            "swapGas": swap.gas,
            "calls": [expected_operation(Spending(call.token, arriving, 0), swap.transaction)],
        },
    )


def expect_deposit(order: BridgeOrder, call: DestinationCall, decoded: Decoded) -> int:
    """Return what arrives by the deposit in the Diamond's call; raise CallMismatch unless that is the order's.

    It must pay the Receiver, and carry ``call``'s message.
    """
    sent = order.sent_token if order.sent_token != NATIVE_EVM else order.chain.wrapped_native
    expected: Mapping[str, object] = {
        "depositor": evm_word(order.refund_to),
        "payee": evm_word(order.destination.receiver or NATIVE_EVM),
        "sent token": evm_word(sent or NATIVE_EVM),
        "sent": order.sent,
        "token": evm_word(call.token),
        "destination": order.destination.id,
        "message": call.message,
    }
    deposit = _deposit(decoded)
    compare_parts("deposit", deposit, expected)
    arriving = deposit["arriving"]
    if call.payee != order.destination.receiver or not isinstance(arriving, int):
        raise CallMismatch("message: the bridge pays somebody else than the Receiver")
    return arriving


def decode_message(message: bytes) -> Decoded:
    """Return the decoded message to the Receiver, by name, addresses in lower case; raise CallMismatch otherwise."""
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


def compare_parts(what: str, found: Decoded, expected: Decoded) -> None:
    """Raise CallMismatch unless everything in ``expected`` was found under its name; ``what`` names the whole."""
    for name, value in expected.items():
        if found[name] != value:
            raise CallMismatch(f"{what}: its {name} is {found[name]!r} where {value!r} was asked")
