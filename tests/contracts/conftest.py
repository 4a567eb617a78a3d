"""Real chains: each test that asks for one gets its own anvil."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from eth_account import Account
from eth_account.signers.local import LocalAccount

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc

ROOT = Path(__file__).parents[2]
ANVIL = ROOT / "node_modules" / "@foundry-rs" / "anvil-linux-amd64" / "bin" / "anvil"
# The first account of anvil's published test mnemonic.
FUNDED_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"

StartChain = Callable[..., Awaitable[EvmRpc]]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def running_chain(chain_id: int, *options: str) -> AsyncIterator[EvmRpc]:
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        *(str(ANVIL), "--host", "127.0.0.1", "--port", str(port), "--chain-id", str(chain_id), "--silent", *options),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with HttpClient() as http:
            rpc = EvmRpc(f"http://127.0.0.1:{port}", http, name=f"chain-{chain_id}")
            await until_it_answers(rpc)
            yield rpc
    finally:
        process.kill()
        await process.wait()


async def until_it_answers(rpc: EvmRpc) -> None:
    for _ in range(1000):
        try:
            await rpc.chain_id()
        except NodeUnavailable:
            await asyncio.sleep(0.02)
        else:
            return
    pytest.fail("anvil does not answer after 20 s")


@pytest.fixture
async def start_chain() -> AsyncIterator[StartChain]:
    async with AsyncExitStack() as stack:

        async def start(chain_id: int = 900001, *options: str) -> EvmRpc:
            return await stack.enter_async_context(running_chain(chain_id, *options))

        yield start


@pytest.fixture
async def rpc(start_chain: StartChain) -> EvmRpc:
    return await start_chain()


@pytest.fixture
def signer() -> LocalAccount:
    account = Account.from_key(FUNDED_KEY)
    assert isinstance(account, LocalAccount)
    return account
