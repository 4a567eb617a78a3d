"""New logs of a local chain."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, hex_bytes


@dataclass(frozen=True, slots=True)
class Log:
    """One log: EIP-55 address of its contract, topics, data, hash of its transaction."""

    address: str
    topics: tuple[bytes, ...]
    data: bytes
    tx_hash: str


async def logs_between(
    rpc: EvmRpc, blocks: AsyncIterator[tuple[int, int]], contracts: Sequence[str], event: bytes
) -> AsyncIterator[Log]:
    """Yield the logs of an event (its topic) of these contracts, block by block as they are mined."""
    async for first, last in blocks:
        for log in await logs_in(rpc, first, last, event, contracts):
            yield log


async def logs_in(
    rpc: EvmRpc, first: int, last: int, event: bytes, contracts: Sequence[str] | None = None
) -> tuple[Log, ...]:
    """Return the logs of an event in these blocks, of these contracts or of all; none if the blocks are gone."""
    terms: dict[str, object] = {"fromBlock": hex(first), "toBlock": hex(last), "topics": ["0x" + event.hex()]}
    if contracts is not None:
        terms["address"] = list(contracts)
    try:
        found = await rpc.call("eth_getLogs", [terms])
    except RpcError:
        # The chain was set back to before these blocks.
        return ()
    return tuple(
        Log(
            checksummed(log["address"]),
            tuple(hex_bytes(each) for each in log["topics"]),
            hex_bytes(log["data"]),
            log["transactionHash"],
        )
        for log in (found if isinstance(found, list) else [])
    )
