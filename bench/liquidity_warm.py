"""What a quote by ONCHAIN asks of a node: nothing known, and with its pair followed, in one block and over new ones."""

import asyncio
import time
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from bench.rows import Row
from bench.tools import CACHE
from rhumbline.adapters.onchain.adapter import OnchainAdapter
from rhumbline.devnet.local_chains import running_sandbox
from rhumbline.devnet.sandbox import SandboxConfig
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.connection import Reply
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.liquidity.chain_pools import chain_pools
from rhumbline.liquidity.live_snapshot import LiveRules
from tests.adapters.onchain.adapter_fixture import AdapterFixture, open_adapter

QUOTES, BLOCKS = 50, 10
ONE = 10**18


_quoting = ContextVar("quoting", default=0)
"""The quote for which a request is made; the task that follows the chain was started by the first."""


class Counting(HttpClient):
    """Counts the requests that are made while a quote runs, and how many of them wait for each other."""

    requests = trips = 0
    flying = number = 0

    async def ask(self, *what: Any, **more: Any) -> Reply:
        self.requests += _quoting.get() == self.number > 0
        self.trips += self.flying == 0
        self.flying += 1
        try:
            return await super().ask(*what, **more)
        finally:
            self.flying -= 1


async def run() -> list[Row]:
    """Quote on a chain of the sandbox, whose blocks come when they are asked for."""
    http = Counting()
    async with running_sandbox(SandboxConfig(cache=CACHE)) as sandbox, http:
        chain = sandbox.evm_chains[0]
        rpc = EvmRpc(chain.rpc_url, http, chain.key, 60.0)
        here = open_adapter(chain, rpc, sandbox.accounts[0].address)
        # The node's chain is polled every half hour: only the quotes' own calls are counted.
        still = await _warm(http, here, LiveRules(fresh_s=3600.0, oldest_s=7200.0), 0.0)
        trips = still[0]
        moving = await _warm(http, here, LiveRules(), 0.5)
    return [
        Row(
            name="liquidity-warm",
            value=f"{still[1]} calls in {QUOTES} quotes, {moving[1]} over {BLOCKS} blocks; cold {trips} round trips",
            goal="0 a warm quote; <= 2 cold",
            met=still[1] == moving[1] == 0 and trips <= 2,
        )
    ]


async def _warm(http: Counting, here: AdapterFixture, rules: LiveRules, pause_s: float) -> tuple[int, int]:
    """Return the round trips of the first quote, and the requests that later quotes waited for."""
    pools = chain_pools(here.rpc, here.deployment, time.monotonic, rules)
    own = replace(here, adapter=OnchainAdapter({here.chain.id: pools}))
    http.trips = 0
    await own.quote("WETH", "USDC", ONE)
    trips, waited = http.trips, 0
    for number in range(QUOTES):
        if pause_s and number % (QUOTES // BLOCKS) == 0:
            await here.rpc.call("anvil_mine", [])
            await asyncio.sleep(2 * rules.fresh_s)
        before, http.number = http.requests, number + 2
        _quoting.set(http.number)
        await own.quote("WETH", "USDC", ONE + number)
        waited += http.requests - before
    await pools.close()
    return trips, waited
