"""Reads a finished call to the Diamond back, by the compiled contract's own ABI, and compares it with what was asked.

It shares neither types nor code with the encoder: what leaves the service was read by somebody who did not write it.
"""

from collections.abc import Mapping, Sequence
from functools import cache

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.gateways.chain_types.bytes32 import address_word, reference_word
from rhumbline.gateways.evm.abi import selector
from rhumbline.gateways.evm.canonical import NotCanonical, read_canonical
from rhumbline.gateways.nodes.evm.deployment import artifact
from rhumbline.routing.evm.bridge_call import BridgeOrder
from rhumbline.routing.evm.router_call import DiamondOrder, RouterOrder, Spending

Decoded = Mapping[str, object]
_KINDS = ("call", "wrap", "unwrap", "pay")


class CallMismatch(Exception):
    """A call that does something else than what was asked; the text names what differs."""


def decode_swap(data: bytes) -> Decoded:
    """Return the arguments of ``swap`` by name, addresses in lower case; raise CallMismatch for any other call."""
    return _decode("swap", data)


def decode_bridge(data: bytes) -> Decoded:
    """Return the arguments of ``bridge`` by name, addresses in lower case; raise CallMismatch for any other call."""
    return _decode("bridge", data)


def _decode(name: str, data: bytes) -> Decoded:
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
    wanted = {"receiver": order.receiver.lower(), "outputToken": order.output_token.lower()}
    _compare(order, wanted, [wanted_operation(spending, upstream)], decode_swap(call.data), call)


def verify_bridge_call(order: BridgeOrder, upstream: EvmTransaction, call: EvmTransaction) -> None:
    """Raise CallMismatch unless the call asks the Diamond for exactly this transfer around this upstream transaction.

    Receiver, output token and reference are compared as the 32 bytes that whoever reads the event will see.
    """
    wanted = {
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
    operations = [wanted_operation(order.spending, upstream)]
    if upstream.swap is not None:
        swapping = Spending(order.input_token, order.net, 0)
        operations = [wanted_operation(swapping, upstream.swap.transaction), *operations]
    _compare(order, wanted, operations, decode_bridge(call.data), call)


def _compare(
    order: DiamondOrder, wanted_order: Decoded, operations: list[Decoded], decoded: Decoded, call: EvmTransaction
) -> None:
    native = order.input_token == NATIVE_EVM
    input_amount = order.net + sum(charge.amount for charge in order.charges)
    wanted = {
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
            **wanted_order,
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
    for name, value in wanted.items():
        if found[name] != value:
            raise CallMismatch(f"{name}: the call has {found[name]!r} where {value!r} was asked")
    if order.amount != input_amount:
        raise CallMismatch("amount: fees and what the upstream gets are not the amount")


def wanted_operation(spending: Spending, upstream: EvmTransaction) -> Decoded:
    token = spending.token.lower()
    plain = upstream.kind is CallKind.CALL
    approves = plain and token != NATIVE_EVM and upstream.spender is not None
    return {
        "kind": _KINDS.index(upstream.kind.value),
        "target": upstream.to.lower(),
        "spender": str(upstream.spender).lower() if approves else NATIVE_EVM,
        "token": token if approves or upstream.kind is CallKind.PAY else NATIVE_EVM,
        "amount": spending.sent if approves or not plain else 0,
        "value": upstream.value if plain else 0,
        "data": upstream.data if plain else b"",
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
