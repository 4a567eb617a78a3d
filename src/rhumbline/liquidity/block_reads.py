"""Many reads at one given block."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.evm.abi import MalformedAnswer, decode_args, encode_call
from rhumbline.gateways.nodes.evm.multicall import Read
from rhumbline.gateways.nodes.evm.rpc import Call, EvmRpc, RpcError, quantity

CHUNK = 400
"""Reads in one call: far below the gas that nodes allow a call, some 5,000 a read."""
_SIGNATURE = "tryAggregate(bool,(address,bytes)[])"


class HeadGone(Exception):
    """The block is no longer on the chain: its data belong to another one."""


@dataclass(frozen=True, slots=True)
class Head:
    """A block by number and hash (0x-hex); ``base_fee`` in wei, 0 where none is, ``timestamp`` in Unix seconds."""

    number: int
    hash: str
    base_fee: int = field(default=0, compare=False)
    timestamp: int = field(default=0, compare=False)


async def read_head(rpc: EvmRpc, tag: str = "latest") -> Head:
    """Ask for a block by tag or 0x-hex number; raise NodeUnavailable or RpcError."""
    return _head(rpc, await rpc.call("eth_getBlockByNumber", [tag, False]))


async def calls_at(rpc: EvmRpc, head: Head, calls: Sequence[Call]) -> list[object | RpcError]:
    """Make calls that name a block by its number, in one request; raise HeadGone, RpcError or NodeUnavailable.

    Every node understands numbers; the hash is compared in the same request.
    """
    *answers, seen = await rpc.batch([*calls, ("eth_getBlockByNumber", [hex(head.number), False])])
    if seen is None or (not isinstance(seen, RpcError) and _head(rpc, seen) != head):
        raise HeadGone(f"{rpc.name}: block {head.number} was replaced")
    if isinstance(seen, RpcError):
        raise seen
    return answers


async def read_at(rpc: EvmRpc, multicall: str, head: Head, reads: Sequence[Read]) -> list[bytes | None]:
    """Make all reads at a block, in one request; None where a call reverted. Raises as ``calls_at`` does.

    (Multicall3's own block number is another chain's on some rollups.)
    """
    if not reads:
        return []
    calls: list[Call] = []
    for start in range(0, len(reads), CHUNK):
        part = [(read.to, read.data) for read in reads[start : start + CHUNK]]
        data = encode_call(_SIGNATURE, ["bool", "(address,bytes)[]"], [False, part])
        calls.append(("eth_call", [{"to": multicall, "data": "0x" + data.hex()}, hex(head.number)]))
    results: list[bytes | None] = []
    for answer in await calls_at(rpc, head, calls):
        if isinstance(answer, RpcError):
            raise answer
        results += _results(rpc, answer)
    if len(results) != len(reads):
        raise NodeUnavailable(f"{rpc.name}: Multicall3 does not answer at {multicall}")
    return results


def _head(rpc: EvmRpc, block: object) -> Head:
    if not isinstance(block, dict) or not isinstance(block.get("hash"), str):
        raise NodeUnavailable(f"{rpc.name}: the node's answer is not a block")
    fee, timestamp = (quantity(block.get(name, "0x0")) for name in ("baseFeePerGas", "timestamp"))
    return Head(quantity(block.get("number")), block["hash"], fee, timestamp)


def _results(rpc: EvmRpc, answer: object) -> list[bytes | None]:
    try:
        (results,) = decode_args(["(bool,bytes)[]"], bytes.fromhex(str(answer).removeprefix("0x")))
    except (MalformedAnswer, ValueError) as error:
        raise NodeUnavailable(f"{rpc.name}: Multicall3 does not answer as it should") from error
    return [data if ok else None for ok, data in results] if isinstance(results, tuple | list) else []
