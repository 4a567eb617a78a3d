"""The calls of a bundle as one ``eth_call``, made by a small program at the sender's address.

It makes the calls in sequence, so they come from the sender and see each other's effects, and returns each one's
result. This only needs a state override, which ``eth_call`` and other simulators support without ``eth_simulateV1``.
The differences from a wallet's own transaction: the sender has code while it runs, and the gas is a little lower than
alone, because the calls before have touched some of the storage.
"""

from collections.abc import Iterator, Mapping

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.evm.rpc import CallResult, EvmRpc, Log, RpcError, hex_bytes
from rhumbline.simulation.evm.bundle import Bundle, calls_of, overrides_of

# It reads records of three words (address, value, length) and the data, and returns records of three words (success,
# gas used, length) and what was returned. Whoever else calls the address finds a wallet that takes native assets.
PROGRAM = (
    "0x333014600757005b"  # unless CALLER is ADDRESS: STOP
    + "60006000"  # read at p = 0 in the data, written at o = 0 in memory; the stack is p o
    + "5b3682106016576000f3"  # until p is at the end: return the memory up to o
    + "5b816040013580836060018337"  # copy the record's data to o
    + "5a600060008385876020013588355af1"  # call with it, the gas before under the result
    + "905a900383602001528252"  # write the gas used, then the success
    + "3d82604001523d6000836060013e"  # write what was returned, and its length before it
    + "9160600191903d01606001910190600c56"  # p and o behind the two records, and again
)
LACKING = "the node has neither eth_simulateV1 nor state overrides for eth_call"
UNSEEN = "the node has no eth_simulateV1: what else the transaction takes was not seen"
_WORD = 32
_HEAD = 3 * _WORD
_TRANSACTION = 21_000
_INVALID_PARAMS = -32602


class CannotMeasure(Exception):
    """A node that takes no state overrides."""


async def measure(rpc: EvmRpc, bundle: Bundle) -> Mapping[str, CallResult]:
    """Run a bundle by ``eth_call``, without logs; raise CannotMeasure, RpcError or NodeUnavailable."""
    try:
        answer = await rpc.call("eth_call", [transaction(bundle), "latest", overrides(bundle)])
    except RpcError as error:
        if error.code == _INVALID_PARAMS:
            raise CannotMeasure from None
        raise
    output = hex_bytes(answer)
    if not output:
        raise CannotMeasure
    return read_output(bundle, output)


def transaction(bundle: Bundle) -> dict[str, str]:
    """Return the transaction that makes all calls, without a price, as JSON-RPC writes it."""
    data = b"".join(_record(call) for call in calls_of(bundle).values())
    return {"from": bundle.actor, "to": bundle.actor, "gas": hex(bundle.gas_limit), "data": "0x" + data.hex()}


def overrides(bundle: Bundle) -> dict[str, dict[str, object]]:
    """Return the state in which it runs: as for ``eth_simulateV1``, and the program at the sender's address."""
    found = overrides_of(bundle)
    found[bundle.actor]["code"] = PROGRAM
    return found


def read_output(bundle: Bundle, output: bytes, logs: tuple[Log, ...] = ()) -> Mapping[str, CallResult]:
    """Return the calls' results by name, with all ``logs`` as the main one's; raise NodeUnavailable for another output.

    The gas of the main call is what a transaction with its data would use.
    """
    records, results = _records(output), dict[str, CallResult]()
    for name in calls_of(bundle):
        ok, used, data = next(records, (False, -1, b""))
        if used < 0:
            raise NodeUnavailable("the node answered a simulation with something else")
        if name == "main":
            used += _TRANSACTION + sum(16 if byte else 4 for byte in bundle.data)
        results[name] = CallResult(ok, data, used, used, logs if name == "main" else ())
    if next(records, None) is not None:
        raise NodeUnavailable("the node answered a simulation with something else")
    return results


def _record(call: Mapping[str, str]) -> bytes:
    data = bytes.fromhex(call["data"][2:])
    words = (int(call["to"], 16), int(call.get("value", "0x0"), 16), len(data))
    return b"".join(word.to_bytes(_WORD) for word in words) + data


def _records(output: bytes) -> Iterator[tuple[bool, int, bytes]]:
    """Yield success, gas and data; an output that is cut off ends with what cannot be."""
    at = 0
    while at < len(output):
        ok, used, length = (int.from_bytes(output[at + _WORD * n : at + _WORD * (n + 1)]) for n in range(3))
        end = at + _HEAD + length
        if end > len(output) or ok > 1:
            yield False, -1, b""
            return
        yield bool(ok), used, output[at + _HEAD : end]
        at = end
