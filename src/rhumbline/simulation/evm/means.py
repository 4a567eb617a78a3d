"""How a node can simulate: completely, the output only, or not at all."""

from enum import Enum, auto

from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError

_QUIET = "0x000000000000000000000000000000000000dEaD"
_ANSWERS_ONE = "0x600160005260206000f3"
_ONE = "0x" + f"{1:064x}"


class Means(Enum):
    """``BUNDLES`` is ``eth_simulateV1``, ``OVERRIDES`` an ``eth_call`` with another state."""

    BUNDLES = auto()
    OVERRIDES = auto()
    NOTHING = auto()


async def means_of(rpc: EvmRpc) -> Means:
    """Find out with two tiny calls what a node supports; raise NodeUnavailable if it does not answer."""
    try:
        await rpc.call("eth_simulateV1", [{"blockStateCalls": [{"calls": []}]}, "latest"])
    except RpcError as error:
        if not lacks_method(error):
            return Means.BUNDLES
    else:
        return Means.BUNDLES
    try:
        answer = await rpc.call("eth_call", [{"to": _QUIET}, "latest", {_QUIET: {"code": _ANSWERS_ONE}}])
    except RpcError:
        return Means.NOTHING
    return Means.OVERRIDES if answer == _ONE else Means.NOTHING


def lacks_method(error: RpcError) -> bool:
    """Return whether a node's error means that it lacks ``eth_simulateV1``: by its code, or in words."""
    text = error.message.lower()
    return error.code == -32601 or "eth_simulatev1" in text or ("method" in text and "not" in text)
