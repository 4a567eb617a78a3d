"""Running calls on a node that keeps nothing of them.

Protocol: https://github.com/ethereum/execution-apis, ``eth_simulateV1`` (read 2026-11).
"""

from collections.abc import Mapping, Sequence

import msgspec

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, hex_bytes, quantity
from rhumbline.gateways.nodes.json_rpc import Answer
from rhumbline.simulation.evm.bundle import Bundle, CallResult, Log, calls_of, request


class _Log(msgspec.Struct):
    address: str
    topics: list[str]
    data: str


class _Call(msgspec.Struct, rename="camel"):
    status: str
    gas_used: str
    return_data: str | None = None
    max_used_gas: str | None = None
    logs: list[_Log] | None = None


class _Block(msgspec.Struct):
    calls: list[_Call]


_BLOCKS = msgspec.json.Decoder(Answer[list[_Block]])


async def run_bundle(rpc: EvmRpc, bundle: Bundle) -> Mapping[str, CallResult]:
    """Run a bundle and return its calls' results by name; raise RpcError or NodeUnavailable."""
    calls = calls_of(bundle)
    return dict(zip(calls, await simulate_calls(rpc, request(bundle, calls), len(calls)), strict=True))


async def simulate_calls(rpc: EvmRpc, params: Sequence[object], count: int) -> list[CallResult]:
    """Run one block of ``count`` calls; raise RpcError or NodeUnavailable."""
    blocks = await rpc.decoded(_BLOCKS, "eth_simulateV1", params)
    if len(blocks) != 1 or len(blocks[0].calls) != count:
        raise NodeUnavailable("the node answered a simulation with something else")
    return [_result(call) for call in blocks[0].calls]


def _result(call: _Call) -> CallResult:
    used = quantity(call.gas_used)
    return CallResult(
        ok=quantity(call.status) == 1,
        data=hex_bytes(call.return_data or "0x"),
        gas_used=used,
        gas=used if call.max_used_gas is None else max(used, quantity(call.max_used_gas)),
        logs=tuple(map(_log, call.logs or ())),
    )


def _log(log: _Log) -> Log:
    return Log(log.address.lower(), tuple(map(hex_bytes, log.topics)), hex_bytes(log.data))
