"""One simulation, the whole bundle in one round trip, against one eth_call of the same swap on the same node."""

import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp

from bench.rows import Row
from rhumbline.api.server.listener import reserve
from rhumbline.app.running_devnet import running_devnet
from rhumbline.devnet.sandbox import SandboxConfig
from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.simulation.evm.bundle import run_bundle
from rhumbline.simulation.evm.gas_price import GasReader
from rhumbline.simulation.evm.rpc import RpcSimulator
from rhumbline.simulation.evm.task import EvmSimulationTask

ROOT = Path(__file__).parents[1]
ROUNDS = 2000
MOST = 1.3


async def run() -> list[Row]:
    """Interleave both, take medians."""
    with tempfile.TemporaryDirectory(dir=ROOT / ".rhumbline") as folder:
        config = SandboxConfig(cache=ROOT / ".rhumbline" / "cache")
        async with running_devnet(reserve("127.0.0.1", 0), Path(folder), config) as devnet:
            sandbox = json.loads(devnet.file.read_text())
            return [await _compare(sandbox)]


async def _compare(sandbox: dict[str, Any]) -> Row:
    chain, payer = sandbox["chains"][0], sandbox["accounts"]["evm"][7]["address"]
    usdc, weth = chain["tokens"]["USDC"]["address"], chain["tokens"]["WETH"]["address"]
    amount = 10**9
    query = {
        "senderAddress": payer,
        "originChainId": str(chain["id"]),
        "destinationChainId": str(chain["id"]),
        "amount": str(amount),
        "originCurrency": usdc,
        "destinationCurrency": weth,
        # The service's own venue: an upstream's contract would differ from run to run with the best quote.
        "includeExchanges": "ONCHAIN",
    }
    async with aiohttp.ClientSession() as session, HttpClient() as http:
        async with session.get(f"{sandbox['base_url']}/v1/quotes", params=query) as response:
            quote = await response.json()
        rpc = EvmRpc(chain["rpc_url"], http)
        call = quote["calldata"]
        approve = encode_call("approve(address,uint256)", ["address", "uint256"], [quote["approvalAddress"], amount])
        await rpc.call("eth_sendTransactionSync", [{"from": payer, "to": usdc, "data": "0x" + approve.hex()}])
        swap = {"from": payer, "to": call["to"], "data": call["data"]}
        task = EvmSimulationTask(
            chain_id=chain["id"],
            sender=payer,
            receiver=payer,
            to=call["to"],
            value=0,
            data=bytes.fromhex(call["data"][2:]),
            input_token=usdc,
            input_amount=amount,
            spender=quote["approvalAddress"],
            output_token=weth,
            advertised_output=int(quote["outputAmount"]),
            returns_gain=True,
        )
        simulator = RpcSimulator(rpc, GasReader(rpc))
        result = await simulator.simulate(task)
        assert result.result.status is ExecutionStatus.SUCCESS, result
        bundle = await simulator.prepared(task)

        async def whole() -> None:
            await run_bundle(rpc, bundle)

        async def single() -> None:
            await rpc.call("eth_call", [swap, "latest"])

        plain, bundled = [], []
        for _ in range(ROUNDS):
            plain.append(await _timed(single))
            bundled.append(await _timed(whole))
    ratio = statistics.median(bundled) / statistics.median(plain)
    value = f"{ratio:.2f}× of {1000 * statistics.median(plain):.2f} ms"
    return Row(name="simulate", value=value, goal=f"≤ {MOST}× one eth_call", met=ratio <= MOST)


async def _timed(work: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await work()
    return time.perf_counter() - began
