"""The gas limit of a transaction, as the node estimates it.

For nodes without ``eth_simulateV1``, and for chains like Arbitrum, where a transaction also pays in gas for its place
on the chain below, which only the estimate knows (https://docs.arbitrum.io/how-arbitrum-works/gas-fees, read 2026-11).
"""

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, hex_bytes, quantity
from rhumbline.simulation.evm.bundle import MOST_GAS, Bundle, overrides_of
from rhumbline.simulation.evm.slots import SlotFinder

# There is code at this address on Arbitrum One and every other chain of Nitro, and nowhere else.
_ARB_SYS = "0x0000000000000000000000000000000000000064"


async def is_like_arbitrum(rpc: EvmRpc) -> bool:
    """Ask the node; raise NodeUnavailable when it does not answer."""
    try:
        return bool(hex_bytes(await rpc.call("eth_getCode", [_ARB_SYS, "latest"])))
    except RpcError as error:
        raise NodeUnavailable(f"{rpc.name}: {error.message}") from None


async def estimated(rpc: EvmRpc, slots: SlotFinder, bundle: Bundle) -> int | None:
    """Return a quarter more than the node estimates, None for a token whose allowances are nowhere known.

    Nothing can be approved before the call, so the allowance is overridden as the balance is. Raise RpcError or
    NodeUnavailable.
    """
    task, overrides = bundle.task, overrides_of(bundle)
    if task.spender is not None:
        slot = await slots.allowance(task.input_token)
        word = None if slot is None else slot.word(task.input_amount, bytes(32))
        if slot is None or word is None:
            return None
        places = overrides.setdefault(task.input_token, {}).setdefault("stateDiff", {})
        if isinstance(places, dict):
            places["0x" + slot.layout.key(bundle.actor, task.spender).hex()] = "0x" + word.hex()
    units = quantity(await rpc.call("eth_estimateGas", [bundle.call, "latest", overrides]))
    return min(units * 5 // 4, MOST_GAS)
