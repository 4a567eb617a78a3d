"""Two processes are replaced by those of the next version under load, over a migration: docs/upgrade.md."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp
import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.app.sandbox_settings import sandbox_settings
from rhumbline.devnet.evm.wallet import EvmWallet
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.signatures import Account
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.postgres.schema_upgrade import current
from tests.deploy.load import Load, recorded
from tests.deploy.next_version import COMMAND, REVISION, next_version
from tests.deploy.servers import Part, answers
from tests.patience import PATIENCE_S, until
from tests.tracking.processes import free_ports


@pytest.fixture
async def load(restored_sandbox: Sandbox) -> AsyncIterator[Load]:
    chain, account = restored_sandbox.chain("sbxa"), restored_sandbox.accounts[3]
    question = {"originChainId": str(chain.id), "destinationChainId": str(chain.id), "amount": str(10**15)}
    question |= {"originCurrency": NATIVE_EVM, "destinationCurrency": chain.tokens["USDC"].address}
    async with HttpClient() as http, aiohttp.ClientSession() as session:
        rpc = EvmRpc(chain.rpc_url, http, chain.key, PATIENCE_S)
        wallet = EvmWallet(Account.from_key(account.private_key), rpc, chain.id)
        yield Load(session, wallet, {**question, "senderAddress": account.address})


def service(name: str, folder: Path, dsn: str, version: Mapping[str, str]) -> tuple[str, Part]:
    """Where it answers, and the process."""
    port, metrics = free_ports(2)
    own = {"RHUMBLINE_STORE__DSN": dsn, "RHUMBLINE_SERVER__PORT": str(port), "RHUMBLINE_METRICS__PORT": str(metrics)}
    ready = answers(f"http://127.0.0.1:{metrics}/health/ready")
    return f"http://127.0.0.1:{port}", Part(name, [*COMMAND, "serve"], folder, ready, {**version, **own})


async def test_two_processes_are_replaced_under_load(
    load: Load, restored_sandbox: Sandbox, store_dsn: str, store_engine: AsyncEngine, tmp_path: Path
) -> None:
    text = sandbox_settings(restored_sandbox, tmp_path, "http://127.0.0.1", restored_sandbox.accounts[4].address)
    (tmp_path / "rhumbline.toml").write_text(text)
    (tmp_path / "next").mkdir()
    before, after = dict(os.environ), next_version(tmp_path / "next")
    old_url, old = service("old", tmp_path, store_dsn, before)
    new_url, new = service("new", tmp_path, store_dsn, after)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(old.end)
        stack.push_async_callback(new.end)
        await old.start()
        load.urls = [old_url]
        async with asyncio.TaskGroup() as tasks:
            doing = [tasks.create_task(each) for each in (load.ask(), load.ask(), load.send())]
            await load.goes_on(6, 1)
            # It migrates the store while the other one works, and both work side by side.
            await new.start()
            assert await current(store_engine) == REVISION
            load.urls = [old_url, new_url]
            await load.goes_on(12, 2)
            assert await old.stop() == 0
            await load.goes_on(6, 2)
            for each in doing:
                each.cancel()

        async def all_are_there() -> bool:
            return len(await recorded(store_engine)) >= len(load.sent)

        await until(all_are_there)
        assert set(load.sent) <= set(await recorded(store_engine))
        found = await recorded(store_engine)
        assert len(found) == len(set(found))
        assert await new.stop() == 0
    for part in (old, new):
        assert "Traceback" not in part.log
