"""Detects tokens with a transfer fee, by sending some in a simulation."""

from collections.abc import Iterable
from dataclasses import dataclass

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.unowned_addresses import STAND_IN
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.simulation.evm.slots import SlotFinder

_RECEIVER = "0x342Fa3735B633e29Ad22D52e81DaCfD254129186"


@dataclass(frozen=True, slots=True)
class Parcel:
    """An amount of a token, in raw units."""

    token: str
    amount: int


async def find_tax(rpc: EvmRpc, slots: SlotFinder, parcels: Iterable[Parcel]) -> str | None:
    """Send each parcel between two unowned wallets; return the token that arrives short, None if none does.

    A token whose balances cannot be set is not judged. Raise RpcError or NodeUnavailable when the node does not answer.
    """
    overrides: dict[str, object] = {}
    sent: list[Parcel] = []
    calls: list[dict[str, str]] = []
    for parcel in parcels:
        slot = None if parcel.token == NATIVE_EVM else await slots.balance(parcel.token)
        word = None if slot is None else slot.word(parcel.amount, bytes(32))
        if slot is None or word is None or parcel.token in overrides:
            continue
        overrides[parcel.token] = {"stateDiff": {"0x" + slot.layout.key(STAND_IN).hex(): "0x" + word.hex()}}
        move = encode_call("transfer(address,uint256)", ["address", "uint256"], [_RECEIVER, parcel.amount])
        look = encode_call("balanceOf(address)", ["address"], [_RECEIVER])
        calls.append({"from": STAND_IN, "to": parcel.token, "data": "0x" + move.hex()})
        calls.append({"to": parcel.token, "data": "0x" + look.hex()})
        sent.append(parcel)
    if not sent:
        return None
    block = {"stateOverrides": overrides, "calls": calls}
    params = [{"blockStateCalls": [block], "validation": False}, "latest"]
    results = await rpc.simulate_calls(params, len(calls))
    for parcel, moved, seen in zip(sent, results[::2], results[1::2], strict=True):
        arrived = seen.number
        # Tokens that count in shares lose a unit or two to rounding; that is no tax.
        if moved.ok and arrived is not None and arrived + 2 < parcel.amount:
            return f"the token {parcel.token} takes a fee on transfer: of {parcel.amount} sent {arrived} arrive"
    return None
