"""``rhumbline doctor``: does everything that the service needs answer?"""

import asyncio
import time
from datetime import UTC, datetime

import aiohttp
import typer
from rich.table import Table

from rhumbline.app.chains import build_chains
from rhumbline.app.commands.options import Config
from rhumbline.app.console import EXIT_FAILED, output
from rhumbline.app.failures import explain
from rhumbline.app.running import run
from rhumbline.app.settings import Settings, load_settings
from rhumbline.app.store import opened_store
from rhumbline.domain.chain import Chain
from rhumbline.gateways.evm.deployment import verify
from rhumbline.gateways.evm.rpc import EvmRpc, RpcError, RpcUnavailable, quantity

CLOCK_TOLERANCE_S = 30
Finding = tuple[str, bool, str]


def doctor(config: Config = None) -> None:
    """Check settings, store, every chain's node, our contracts on it, and the clock; exit code 1 when one fails."""
    settings = load_settings(config)
    findings: list[Finding] = [("settings", True, "valid")]
    findings += run(_examine(settings))
    table = Table("what", "", "finding", box=None)
    for what, good, text in findings:
        table.add_row(what, "[green]ok[/]" if good else "[red]fails[/]", text)
    output().print(table)
    if not all(good for _, good, _ in findings):
        raise typer.Exit(EXIT_FAILED)


async def _examine(settings: Settings) -> list[Finding]:
    findings = [await _store(settings)]
    async with aiohttp.ClientSession() as session:
        chains = build_chains(settings, session)
        if not chains.served:
            findings.append(("chains", False, "none has an endpoint: add [[chains]] with id and rpc to rhumbline.toml"))
        for found in await asyncio.gather(*(_chain(served.chain, served.rpc) for served in chains.served)):
            findings += found
    return findings


async def _store(settings: Settings) -> Finding:
    kind = "configured" if settings.store.dsn is not None else "embedded"
    try:
        async with opened_store(settings):
            return (f"store ({kind})", True, "answers, schema up to date")
    except Exception as error:
        text = explain(error)
        if text is None:
            raise
        return (f"store ({kind})", False, text)


async def _chain(chain: Chain, rpc: EvmRpc) -> list[Finding]:
    try:
        started = time.monotonic()
        number = await rpc.chain_id()
        latency = round(1000 * (time.monotonic() - started))
        if number != chain.id:
            return [(chain.key, False, f"the node is on chain {number}, the settings say {chain.id}")]
        findings: list[Finding] = [(chain.key, True, f"chain {number}, {latency} ms")]
        findings.append(await _clock(chain, rpc))
        findings.append(await _simulation(chain, rpc))
        if chain.diamond is not None:
            report = await verify(rpc)
            states = ", ".join(f"{contract.name} {contract.state}" for contract in report.contracts)
            remedy = "" if report.ok else f"; run rhumbline contracts deploy --chain {chain.key}"
            findings.append((f"{chain.key} contracts", report.ok, states + remedy))
    except (RpcError, RpcUnavailable) as error:
        return [(chain.key, False, str(error))]
    return findings


async def _clock(chain: Chain, rpc: EvmRpc) -> Finding:
    block = await rpc.call("eth_getBlockByNumber", ["latest", False])
    if not isinstance(block, dict):
        return (f"{chain.key} head", False, "the node has no latest block")
    ahead = quantity(block["timestamp"]) - datetime.now(UTC).timestamp()
    if ahead > CLOCK_TOLERANCE_S:
        return (f"{chain.key} clock", False, f"the chain is {ahead:.0f} s ahead of this machine: set its clock")
    return (f"{chain.key} head", True, f"block {quantity(block['number'])}, {max(0, -ahead):.0f} s old")


async def _simulation(chain: Chain, rpc: EvmRpc) -> Finding:
    try:
        await rpc.call("eth_simulateV1", [{"blockStateCalls": [{"calls": []}]}, "latest"])
    except RpcError as error:
        if error.code == -32601:
            return (f"{chain.key} eth_simulateV1", False, "the node does not have it: simulations will be UNSUPPORTED")
    return (f"{chain.key} eth_simulateV1", True, "available")
