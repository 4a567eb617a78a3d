"""The CPU of an idle service: two chains with the default settings, and the sandbox's own.

Measured by the operating system for the process that serves, while no block is mined. No record may be late for it:
afterwards swaps are sent to the sandbox, which must list each within three polling intervals of 100 ms each.
"""

import asyncio
import json
import os
import re
import statistics
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import aiohttp

from bench.commands import ROOT, sandbox, started
from bench.rows import Row
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc

SETTLE_S = 10.0
MEASURED_S = 20.0
MOST, MOST_OF_SANDBOX = 1.0, 3.0
SWAPS = 5
LATEST_S = 0.3


async def run() -> list[Row]:
    """Start the sandbox, then a service with the default settings on the same chains; measure one after the other."""
    with tempfile.TemporaryDirectory(dir=ROOT / ".rhumbline") as name:
        folder = Path(name)
        async with sandbox(folder) as process:
            described = json.loads((folder / "sandbox.json").read_text())
            share = await _share(process)
            listed = await _listed(described)
            async with started("serve", "--config", str(_settings(folder)), ready=b'"ready"') as other:
                ours = await _share(other)
    late = statistics.median(listed)
    return [
        Row(name="idle", value=f"{ours:.2f} % of a core", goal=f"≤ {MOST} %", met=ours <= MOST),
        Row(
            name="idle-sandbox",
            value=f"{share:.2f} % of a core",
            goal=f"≤ {MOST_OF_SANDBOX} %",
            met=share <= MOST_OF_SANDBOX,
        ),
        Row(
            name="idle-listed",
            value=f"{1000 * late:.0f} ms",
            goal=f"≤ {1000 * LATEST_S:.0f} ms p50",
            met=late <= LATEST_S,
        ),
    ]


def _settings(folder: Path) -> Path:
    """Write the settings of a service on the sandbox's chains that says nothing about how they are followed.

    No websocket announces their heads either: they are asked for on the clock.
    """
    text = re.sub(r"\[(tracking|log|store)\]\n([^\[\n].*\n)*", "", (folder / "sandbox.toml").read_text())
    text = re.sub(r"^ws = .*\n", "", text, flags=re.MULTILINE)
    file = folder / "idle.toml"
    file.write_text(f'{text}\n[store]\ndata_dir = "{folder}/idle"\n[server]\nport = 0\n[log]\nformat = "json"\n')
    return file


async def _share(process: asyncio.subprocess.Process) -> float:
    """Return how much of a core a process takes at rest, in percent."""
    await asyncio.sleep(SETTLE_S)
    began, used = time.perf_counter(), _used_s(process.pid)
    await asyncio.sleep(MEASURED_S)
    return 100 * (_used_s(process.pid) - used) / (time.perf_counter() - began)


def _used_s(pid: int) -> float:
    """Return the CPU time of a process and its threads; its children count for themselves."""
    fields = Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _listed(described: Mapping[str, Any]) -> list[float]:
    """Swap, and return the seconds from each block to the record."""
    chain, payer = described["chains"][0], described["accounts"]["evm"][7]["address"]
    usdc, amount = chain["tokens"]["USDC"]["address"], 10**8
    query = {
        "senderAddress": payer,
        "originChainId": str(chain["id"]),
        "destinationChainId": str(chain["id"]),
        "amount": str(amount),
        "originCurrency": usdc,
        "destinationCurrency": chain["tokens"]["WETH"]["address"],
        "integrator": described["integrator"]["name"],
    }
    taken = []
    headers = {"x-api-key": described["api_key"]}
    async with aiohttp.ClientSession(described["base_url"], headers=headers) as session, HttpClient() as http:
        rpc = EvmRpc(chain["rpc_url"], http)
        for _ in range(SWAPS):
            async with session.get("/v1/quotes", params=query) as response:
                quote = await response.json()
            approve = encode_call(
                "approve(address,uint256)", ["address", "uint256"], [quote["approvalAddress"], amount]
            )
            call = {"from": payer, "to": quote["calldata"]["to"], "data": quote["calldata"]["data"]}
            await rpc.call("eth_sendTransactionSync", [{"from": payer, "to": usdc, "data": "0x" + approve.hex()}])
            await rpc.call("eth_sendTransactionSync", [call])
            taken.append(await _seen(session, quote["transactionId"]))
    return taken


async def _seen(session: aiohttp.ClientSession, transaction_id: str) -> float:
    began = time.perf_counter()
    async with asyncio.timeout(30):
        while True:
            async with session.get(f"/v1/transactions/{transaction_id}") as response:
                if response.status == 200:
                    return time.perf_counter() - began
            await asyncio.sleep(0.01)
