"""The states of an explained answer, read again one by one: each read is a call of its own, and no lens is used."""

from collections.abc import Mapping, Sequence
from typing import Any

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.evm.rpc import CHAIN_ID, EvmRpc, RpcError, hex_bytes, quantity
from rhumbline.liquidity.block_reads import Head, HeadGone, calls_at, read_head
from rhumbline.liquidity.explanation_check import Document, pools_of
from rhumbline.liquidity.kinds.kind import PlainKind, StateRead, TickedKind
from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.pools import Pool
from rhumbline.liquidity.kinds.registry import KINDS
from rhumbline.liquidity.kinds.written_state import write_state

AT_ONCE = 100
"""Calls in one request: what nodes for everybody allow."""


async def compare(rpc: EvmRpc, document: Document) -> list[str]:
    """Return where an explanation differs from a node's data of its block, in sentences that name the member.

    ``document`` has the form of an explanation (``check``). Raise NodeUnavailable or RpcError.
    """
    block = document["block"]
    chain_id = quantity(await rpc.call(CHAIN_ID, []))
    try:
        head = await read_head(rpc, hex(int(block["number"])))
    except NodeUnavailable as error:
        raise NodeUnavailable(f"block {block['number']}: {error}") from error
    seen = {"hash": head.hash, "timestamp": str(head.timestamp), "baseFee": str(head.base_fee)}
    faults = [f"chainId: the node is of chain {chain_id}"] if str(chain_id) != document["chainId"] else []
    faults += [f"block.{name}: the node says {value}" for name, value in seen.items() if block[name] != value]
    if faults:
        return faults
    for pool, state in pools_of(document).values():
        try:
            found = await _state(rpc, head, pool, state)
        except HeadGone as error:
            raise NodeUnavailable(str(error)) from error
        faults += _differences(pool, state, found)
    return faults


def _differences(pool: Pool, stated: PoolState, found: PoolState | None) -> list[str]:
    if found is None:
        return [f"pools.{pool.key}: at that block the pool cannot be traded with"]
    before, now = write_state(stated), write_state(found)
    return [
        f"pools.{pool.key}.state.{name}: the node says {value}, the explanation {before.get(name)}"
        for name, value in now.items()
        if before.get(name) != value
    ]


async def _state(rpc: EvmRpc, head: Head, pool: Pool, stated: PoolState) -> PoolState | None:
    kind = KINDS[pool.kind]
    if isinstance(kind, PlainKind):
        return kind.state(pool, await _read(rpc, head, pool, kind.reads(pool)))
    return await _ticked_state(rpc, head, pool, kind, write_state(stated))


async def _ticked_state(
    rpc: EvmRpc, head: Head, pool: Pool, kind: TickedKind, stated: Mapping[str, Any]
) -> PoolState | None:
    """Read the stated words of ticks, and the ticks in them."""
    now = kind.now(pool, await _read(rpc, head, pool, kind.now_reads(pool)))
    first, last = int(stated["first_word"]), int(stated["last_word"])
    numbers = range(first, last + 1)
    words = await _read(rpc, head, pool, [kind.word_read(pool, number) for number in numbers])
    ticks = [
        ((number << 8) + bit) * pool.spacing
        for number, word in zip(numbers, words, strict=True)
        for bit in range(256)
        if int.from_bytes(word[:32]) >> bit & 1
    ]
    answers = await _read(rpc, head, pool, [kind.tick_read(pool, tick) for tick in ticks])
    nets = {tick: kind.net(answer) for tick, answer in zip(ticks, answers, strict=True)}
    return kind.ticked_state(pool, now, nets, first, last)


async def _read(rpc: EvmRpc, head: Head, pool: Pool, reads: Sequence[StateRead]) -> list[bytes]:
    found: list[bytes] = []
    for start in range(0, len(reads), AT_ONCE):
        part = reads[start : start + AT_ONCE]
        calls = [("eth_call", [{"to": read.to, "data": "0x" + read.data.hex()}, hex(head.number)]) for read in part]
        for read, answer in zip(part, await calls_at(rpc, head, calls), strict=True):
            if isinstance(answer, RpcError):
                raise answer
            data = hex_bytes(answer)
            if len(data) < 32 * read.words:
                raise NodeUnavailable(f"{rpc.name}: {pool.address} does not answer as a pool of the kind {pool.kind}")
            found.append(data)
    return found
