"""A chain of the sandbox that puts transactions into blocks when a test says so."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc


@dataclass(frozen=True)
class Mining:
    node: EvmRpc

    @classmethod
    @asynccontextmanager
    async def held(cls, rpc_url: str, http: HttpClient) -> AsyncIterator["Mining"]:
        """Mine nothing by itself until the block ends."""
        mining = cls(EvmRpc(rpc_url, http, "mining"))
        await mining.node.call("evm_setAutomine", [False])
        try:
            yield mining
        finally:
            await mining.go_on()

    async def go_on(self) -> None:
        """Mine by itself again, and what waits at once."""
        await self.node.call("evm_setAutomine", [True])
        await self.mine()

    async def mine(self) -> None:
        await self.node.call("evm_mine", [])

    async def drop(self, tx_hash: str) -> None:
        """Lose a transaction that is in no block, as a node does whose pool is full."""
        await self.node.call("anvil_dropTransaction", [tx_hash])

    async def nonce(self, tx_hash: str) -> str:
        found = await self.node.call("eth_getTransactionByHash", [tx_hash])
        assert isinstance(found, dict), found
        return str(found["nonce"])
