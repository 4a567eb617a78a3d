"""The service in this process with the adapters of the tour. It follows a chain only once its transaction was sent."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service import Accounts
from rhumbline.api.server.listener import reserve, serve
from rhumbline.app.sandbox_settings import sandbox_settings
from rhumbline.app.settings import load_settings
from rhumbline.app.tracing_section import TracingSettings
from rhumbline.app.wiring import Wiring, wired
from rhumbline.devnet.evm.accounts import sandbox_account
from rhumbline.devnet.sandbox import Sandbox, SandboxIntegrator, SandboxService, write_sandbox_json
from rhumbline.devnet.scenarios import chapters_of
from rhumbline.devnet.story import Chapter, Storyteller
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.domain.clock import system_clock
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.connection import Reply
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, quantity

INTEGRATOR = "pilot"
INTEGRATOR_WALLET = 62
SERVICE_WALLET = 63
SENT = "waiting for the record"
"""What the storyteller says when a wallet's transaction is in a block."""
PATIENCE = 600
"""Looks, 50 ms apart, for a busy machine."""


@dataclass(frozen=True)
class TouredService:
    """``file`` is what the demo's client reads; ``sent`` is set when the chain may be followed."""

    file: Path
    chain: str
    sent: asyncio.Event

    async def tell(self, adapter: str, tracked: Callable[[], bool]) -> Chapter:
        """Play the demo's chapter of an adapter; the client asks for its record when tracking has done its work.

        The demo's own client asks again and again meanwhile, so that what comes first would be left to chance.
        """

        class Holding(HttpClient):
            async def ask(self, method: str, url: str, *what: Any, **more: Any) -> Reply:
                if "/v1/transactions" in url:
                    for _look in range(PATIENCE):
                        if tracked():
                            break
                        await asyncio.sleep(0.05)
                return await super().ask(method, url, *what, **more)

        def say(text: str) -> None:
            if text.endswith(SENT):
                self.sent.set()

        described = json.loads(self.file.read_text("utf-8"))
        async with HttpClient() as http:
            scenarios = chapters_of(await Storyteller(described, http, say).tools())
        scenario = next(scenario for scenario in scenarios if scenario.adapter == adapter)
        assert scenario.chain == self.chain
        async with Holding() as http:
            return await Storyteller(described, http, say).tell(scenario)


def transfer_url(described: Mapping[str, Any]) -> str:
    """Return the URL of a quote of 250 USDC from the first chain to the second, for a wallet that has them."""
    here, there = (next(each for each in described["chains"] if each["key"] == key) for key in ("sbxa", "sbxb"))
    query = {
        "senderAddress": described["accounts"]["evm"][2]["address"],
        "originChainId": here["id"],
        "destinationChainId": there["id"],
        "amount": "250000000",
        "originCurrency": here["tokens"]["USDC"]["address"],
        "destinationCurrency": there["tokens"]["USDC"]["address"],
    }
    return f"{described['base_url']}/v1/quotes?{urlencode(query)}"


@asynccontextmanager
async def toured_service(
    sandbox: Sandbox,
    engine: AsyncEngine,
    folder: Path,
    emulators: Collection[Emulator],
    chain: str,
    tracing: TracingSettings | None = None,
) -> AsyncIterator[TouredService]:
    """Serve until the block ends, and follow one chain, by its key; the store is the caller's, and empty."""
    listener = reserve("127.0.0.1", 0)
    base_url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    written, described = folder / "sandbox.toml", folder / "sandbox.json"
    written.write_text(sandbox_settings(sandbox, folder, base_url, sandbox_account(SERVICE_WALLET).address, emulators))
    settings, sent, started = load_settings(written, {}), asyncio.Event(), asyncio.Event()
    # What other tests have sent before is no part of the story.
    heads = {each.id: await _head(each.rpc_url) for each in sandbox.evm_chains}
    chains = tuple(
        each.model_copy(update={"start_block": heads[each.id]} if each.id in heads else {}) for each in settings.chains
    )
    # A busy machine, which is watched besides, gets the time it needs.
    patient = {"soft_deadline_ms": 30_000, "hard_deadline_ms": 60_000, "simulation_budget_ms": 30_000}
    quotes = settings.quotes.model_copy(update=patient)
    traced = {} if tracing is None else {"tracing": tracing}
    settings = settings.model_copy(update={"chains": chains, "quotes": quotes, **traced})
    accounts, wallet = Accounts(engine, system_clock), sandbox_account(INTEGRATOR_WALLET).address
    await accounts.ensure_integrator(INTEGRATOR, wallet, None)
    _, key = await accounts.create_key(INTEGRATOR)
    urls = {emulator.key: emulator.url for emulator in emulators}
    service = SandboxService(base_url, key, key, SandboxIntegrator(INTEGRATOR, wallet, key), urls)
    write_sandbox_json(described, sandbox, service)
    async with wired(settings, engine) as wiring:
        trackers = tuple(each for each in wiring.trackers if each.indexer.chain.key == chain)
        tasks = [
            asyncio.create_task(serve(wiring.app, listener, started=lambda _: started.set())),
            asyncio.create_task(_follow(replace(wiring, trackers=trackers), sent)),
        ]
        try:
            await started.wait()
            yield TouredService(described, chain, sent)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _follow(wiring: Wiring, sent: asyncio.Event) -> None:
    await sent.wait()
    await wiring.follow()


async def _head(url: str) -> int:
    async with HttpClient() as http:
        return quantity(await EvmRpc(url, http, "sandbox").call("eth_blockNumber", []))
