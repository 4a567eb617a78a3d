"""The store is restored from a dump, and what came after it is read from the chains beside the running service."""

import asyncio
import os
import signal
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.devnet.sandbox import SandboxChain
from rhumbline.devnet.svm.chains import running_solana
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.postgres.backup import dump
from rhumbline.gateways.postgres.installation import program
from rhumbline.tracking.evm.rescan import rescan_evm
from rhumbline.tracking.record_events.restored_store import APART, notice_restoration
from rhumbline.tracking.svm.rescan import QUOTE_LOST
from tests.app.service_process import COMMAND
from tests.tracking.conftest import catch_up, indexer, kept, new_id, records
from tests.tracking.market import Market
from tests.tracking.processes import chain_section, running_on
from tests.tracking.record_events.test_store import read
from tests.tracking.svm import conftest as svm
from tests.tracking.svm.solana_orders import SolanaOrders
from tests.tracking.svm.test_indexer import FINAL
from tests.tracking.test_processes import keyed, until

__all__ = ["keyed"]


def section(chain: SandboxChain) -> str:
    return f"""
[[chains]]
id = {chain.id}
key = "{chain.key}"
name = "{chain.name}"
type = "SVM"
rpc = "{chain.rpc_url}"
genesis = "{chain.genesis}"
wrapped_native = "{chain.tokens["WSOL"].address}"
diamond = false
mainnet = false
native = {{ symbol = "SOL", name = "Solana", decimals = 9, coin_key = "SOL" }}
"""


async def ran(*words: str | Path, dsn: str, folder: Path) -> str:
    """Run a program to its end in a folder, and return what it says."""
    environment = {**os.environ, "RHUMBLINE_STORE__DSN": dsn}
    process = await asyncio.create_subprocess_exec(
        *map(str, words), cwd=folder, env=environment, stdout=asyncio.subprocess.PIPE
    )
    said, _ = await process.communicate()
    assert process.returncode == 0
    return said.decode()


def holds(now: object, before: object) -> bool:
    """Whether all is there that was known; the service has found out more since."""
    if isinstance(now, dict) and isinstance(before, dict):
        return all(holds(now.get(name), value) for name, value in before.items())
    return before is None or now == before


async def test_the_records_are_those_before(
    market: Market, keyed: AsyncEngine, store_dsn: str, http: HttpClient, tmp_path: Path
) -> None:
    """The worker meanwhile goes on, and is given the second chain by SIGHUP."""
    async with running_solana(slot_s=None) as running:
        (chain,) = running.local.chains
        solana = SolanaOrders(SvmRpc(chain.rpc_url, http, chain.key), running.server.chain)
        following, followed = indexer(market, keyed), svm.chain_indexer(solana, keyed)
        old, lost = solana.swap(1), solana.swap(2)
        await market.swap(new_id(market.accounts[0]))
        await svm.keep(keyed, old)
        await catch_up(following)
        await svm.catch_up(followed)
        await notice_restoration(keyed)
        known = await read(keyed)
        await dump(store_dsn, tmp_path / "dump.sql")
        await market.swap(new_id(market.accounts[0], nonce=1))
        await solana.send(*old.calls)
        await svm.keep(keyed, lost)
        signature = await solana.send(*lost.calls)
        solana.chain.advance(FINAL)
        await catch_up(following)
        await svm.catch_up(followed)
        before = await records(keyed)
        assert len(before) == 4
        await keyed.dispose()
        psql = (program("psql", 18), "--quiet", "--set", "ON_ERROR_STOP=1", "--file", tmp_path / "dump.sql")
        await ran(*psql, "--dbname", store_dsn, dsn=store_dsn, folder=tmp_path)
        assert len(await records(keyed)) == 1
        async with running_on("worker", chain_section(market), tmp_path / "w", store_dsn) as worker:
            with (tmp_path / "w/rhumbline.toml").open("a") as settings:
                settings.write(section(chain))
            os.kill(worker.pid, signal.SIGHUP)

            async def follows() -> bool:
                seen = [row for row in await records(keyed) if row["source_chain_id"] == market.chain.id]
                return len(seen) == 2 and chain.key in (await worker.ready())[1]["chains"]

            await until(follows)
            words = ("rescan", "--chain", chain.key, "--from", "0")
            said, done = await asyncio.gather(
                ran(COMMAND, *words, dsn=store_dsn, folder=tmp_path / "w"),
                rescan_evm(following.sightings, market.rpc, market.first_block, None, 2000),
            )
            assert "1 more are unknown (QUOTE_LOST)" in said
            assert (done.found, done.added) == (2, 0)
            whole = {row["id"]: row for row in before if row["source_tx_hash"] != signature}

            async def restored() -> bool:
                return holds({row["id"]: row for row in await records(keyed)}, whole)

            await until(restored)
        told = [event.number for event in await read(keyed)]
        assert told[: len(known)] == [event.number for event in known]
        assert all(number > APART for number in told[len(known) :]), "what was lost has had the numbers after"
        (marked,) = [each for each in await kept(keyed) if each.origin_tx_hash == signature]
        assert (marked.status, marked.substatus, marked.integrator) == (TransferState.UNKNOWN, QUOTE_LOST, None)
        assert len(await records(keyed)) == 4
