"""Finding the calls of bridges that wallets made themselves: no event of ours tells of them, so blocks are read.

A bridge that a contract cannot call is called by the wallet with exactly the transaction that was handed out. While
such a transaction may still be mined on a chain, and only then, the chain's blocks are read in full and compared.
"""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import Chain
from rhumbline.domain.transfer import StoredBuild
from rhumbline.gateways.evm.address import checksummed, is_address
from rhumbline.gateways.evm.rpc import EvmRpc, RpcError, RpcUnavailable, hex_bytes, quantity
from rhumbline.tracking.builds import any_direct, direct_builds
from rhumbline.tracking.evm_blocks import Block, block_of
from rhumbline.tracking.evm_logs import read_hash
from rhumbline.tracking.transfers import DirectCall

BLOCKS_AT_ONCE = 20


class DirectCalls:
    """Reads one chain's blocks for calls that were handed out."""

    __slots__ = ("_chain", "_engine", "_rpc")

    def __init__(self, chain: Chain, rpc: EvmRpc, engine: AsyncEngine) -> None:
        """Look on ``chain``, through ``rpc``, for what the store knows."""
        self._chain = chain
        self._rpc = rpc
        self._engine = engine

    async def awaited(self, block: Block) -> bool:
        """Tell whether any call may still be mined in this block or after it."""
        async with self._engine.connect() as connection:
            return await any_direct(connection, self._chain.id, block.time)

    async def find(self, first: Block, last: Block) -> tuple[DirectCall, ...]:
        """Return the calls that succeeded in the blocks from ``first`` to ``last``, both included.

        Raise RpcUnavailable or RpcError when not all of it could be read, or is not of one chain with both.
        """
        calls: list[DirectCall] = []
        before = first.parent_hash
        for start in range(first.number, last.number + 1, BLOCKS_AT_ONCE):
            numbers = range(start, min(start + BLOCKS_AT_ONCE, last.number + 1))
            answers = await self._rpc.batch([("eth_getBlockByNumber", [hex(number), True]) for number in numbers])
            for number, answer in zip(numbers, answers, strict=True):
                block = block_of(self._chain.key, number, answer)
                if block.parent_hash != before or (number == last.number and block.hash != last.hash):
                    raise RpcUnavailable(
                        f"{self._chain.key}: the node's answers about block {number} do not fit together"
                    )
                before = block.hash
                calls += await self._matching(block, _transactions(answer))
        return await self._succeeded(calls)

    async def _matching(self, block: Block, sent: Sequence[Mapping[str, object]]) -> list[DirectCall]:
        senders = {checksummed(sender) for item in sent if is_address(sender := str(item.get("from")))}
        if not senders:
            return []
        async with self._engine.connect() as connection:
            builds = await direct_builds(connection, self._chain.id, block.time, senders)
        found = []
        for item in sent if builds else ():
            build = _match(item, builds)
            if build is not None:
                tx_hash = read_hash(item.get("hash"))
                found.append(DirectCall(build, tx_hash, block.number, block.hash, block.time))
        return found

    async def _succeeded(self, calls: Iterable[DirectCall]) -> tuple[DirectCall, ...]:
        """Leave out calls that reverted: they started nothing."""
        wanted = list(calls)
        if not wanted:
            return ()
        receipts = await self._rpc.batch([("eth_getTransactionReceipt", [call.tx_hash]) for call in wanted])
        found = []
        for call, receipt in zip(wanted, receipts, strict=True):
            if not isinstance(receipt, dict) or read_hash(receipt.get("blockHash")) != call.block_hash:
                raise RpcUnavailable(f"{self._chain.key}: the node's answers about a transaction do not fit together")
            if quantity(receipt.get("status")) == 1:
                found.append(call)
        return tuple(found)


def _transactions(answer: object) -> list[Mapping[str, object]]:
    if isinstance(answer, RpcError):
        raise answer
    found = answer.get("transactions") if isinstance(answer, dict) else None
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise RpcUnavailable("the node answered a block without its transactions")
    return found


def _match(item: Mapping[str, object], builds: Iterable[StoredBuild]) -> StoredBuild | None:
    """Return the newest build that this transaction is, byte for byte."""
    sender, entry = str(item.get("from")).lower(), str(item.get("to")).lower()
    newest = None
    for build in builds:
        if (
            build.sender.lower() == sender
            and build.to.lower() == entry
            and quantity(item.get("value")) == build.value
            and hex_bytes(item.get("input")) == build.data
        ):
            newest = build
    return newest
