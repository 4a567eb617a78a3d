"""What `rhumbline devnet` starts: the sandbox with the service, and the demo's table."""

import asyncio
import json
import os
import secrets
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from rhumbline.accounts.members import Members
from rhumbline.accounts.rate_limits import LARGEST_CUSTOM_LIMIT
from rhumbline.accounts.service import Accounts
from rhumbline.api.http.message_signatures import base64url
from rhumbline.api.server.listener import reserve, serve
from rhumbline.app.console import notices, output
from rhumbline.app.log import configure_logging
from rhumbline.app.registry import SPECS
from rhumbline.app.run import until_signalled
from rhumbline.app.sandbox_settings import sandbox_settings
from rhumbline.app.sections import LogSettings
from rhumbline.app.settings import load_settings
from rhumbline.app.store import opened_store
from rhumbline.app.wiring import wired
from rhumbline.devnet.evm.accounts import sandbox_account
from rhumbline.devnet.local_chains import running_sandbox
from rhumbline.devnet.sandbox import SandboxConfig, SandboxIntegrator, SandboxService, write_sandbox_json
from rhumbline.devnet.scenarios import BRIDGE, SWAPS, Scenario, chapters_of
from rhumbline.devnet.story import Chapter, StoryFailed, Storyteller
from rhumbline.devnet.svm import accounts as solana
from rhumbline.devnet.upstreams import EMULATORS, PRICE_EMULATORS
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.world import running_world
from rhumbline.domain.account import Role
from rhumbline.domain.amount import format_amount
from rhumbline.domain.clock import system_clock
from rhumbline.gateways.ed25519 import SEED_BYTES
from rhumbline.gateways.http.client import HttpClient

INTEGRATOR = "demo"
INTEGRATOR_WALLET = 60
SERVICE_WALLET = 61
OWNER = 7
"""The index of the funded account that signs in to the portal for the integrator."""


async def play(file: Path) -> bool:
    """Play the demo on the sandbox that ``file`` describes and print its table; False if something failed."""
    sandbox = json.loads(file.read_text("utf-8"))
    chapters: list[Chapter] = []
    console = notices()
    async with HttpClient() as http:
        teller = Storyteller(sandbox, http, lambda _: None)
        try:
            for scenario in (SWAPS[1], BRIDGE):
                await _ask_everybody(teller, scenario)
            with console.status("the story begins") as status:
                teller = Storyteller(sandbox, http, lambda text: status.update(text))
                for scenario in chapters_of(await teller.tools()):
                    chapters.append(await teller.tell(scenario))
        except StoryFailed as error:
            console.print(f"the story failed: {error}", style="red")
            return False
    output().print(_table(chapters))
    return True


async def _ask_everybody(teller: Storyteller, scenario: Scenario) -> None:
    """Ask for one quote with the service's log shown: each adapter that is asked has a line in it."""
    notices().print(f"· one quote, and each adapter's answer: {scenario.title}", style="dim")
    configure_logging(LogSettings(level="info"))
    try:
        best = await teller.everybody(scenario)
    finally:
        configure_logging(LogSettings(level="warning"))
    notices().print(f"· the best is {best['adapter']}", style="dim")


def _table(chapters: list[Chapter]) -> Table:
    table = Table("chapter", "", "amount", title="What was promised, and what arrived", title_justify="left")
    for chapter in chapters:
        back = chapter.status == "refunded"
        notes = [
            chapter.title,
            f"by {chapter.adapter}",
            f"in {chapter.seconds:.2f} s, record: {chapter.status}",
            *chapter.pools,
        ]
        facts = [
            ("sent", chapter.sent),
            ("at least", format_amount(chapter.minimum, chapter.decimals)),
            (
                "came back" if back else "arrived",
                f"{format_amount(chapter.arrived, chapter.decimals)} {chapter.symbol}",
            ),
        ]
        facts += [("", "")] * len(chapter.pools)
        for number, (note, (what, amount)) in enumerate(zip(notes, facts, strict=True), 1):
            table.add_row(note, what, amount, end_section=number == len(notes))
    return table


@dataclass(frozen=True, slots=True)
class RunningDevnet:
    """A running sandbox with its service; ``file`` is what clients read."""

    base_url: str
    file: Path


@asynccontextmanager
async def running_devnet(listener: socket.socket, folder: Path, config: SandboxConfig) -> AsyncIterator[RunningDevnet]:
    """Start chains, emulators, store and the service on ``listener``; everything ends with the context."""
    base_url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    folder.mkdir(parents=True, exist_ok=True)
    store = _own_store(folder)
    wallet = sandbox_account(INTEGRATOR_WALLET).address
    svm_wallet = solana.sandbox_account(solana.INTEGRATOR_WALLET).address
    async with (
        running_sandbox(config) as sandbox,
        running_world(sandbox) as world,
        running_emulators(world, emulated()) as emulators,
    ):
        written = folder / "sandbox.toml"
        collector = sandbox_account(SERVICE_WALLET).address
        # Answers are signed there, too, by a new key each time: a client can be tried with it.
        signing = f'\n[signing]\nkey = "{base64url(secrets.token_bytes(SEED_BYTES))}"\n'
        text = sandbox_settings(sandbox, store, base_url, collector, emulators.values())
        written.write_text(text + signing, "utf-8")
        settings = load_settings(written, {})
        async with opened_store(settings, logs=True) as engine:
            accounts = Accounts(engine, system_clock)
            await accounts.ensure_integrator(INTEGRATOR, wallet, svm_wallet)
            owner = sandbox_account(OWNER).address
            await Members(engine, system_clock).put(owner, INTEGRATOR, Role.OWNER)
            _, key = await accounts.create_key(INTEGRATOR, name="Demo")
            made, load_key = await accounts.create_key(INTEGRATOR, name="Load tests")
            await accounts.set_limits(made.id, LARGEST_CUSTOM_LIMIT, LARGEST_CUSTOM_LIMIT)
            integrator = SandboxIntegrator(INTEGRATOR, wallet, key, svm_wallet, owner)
            urls = {name: emulator.url for name, emulator in emulators.items()}
            service = SandboxService(base_url, key, load_key, integrator, urls)
            async with wired(settings, engine) as wiring:
                started = asyncio.Event()
                tasks = [
                    asyncio.create_task(serve(wiring.app, listener, started=lambda _: started.set())),
                    asyncio.create_task(wiring.refresh()),
                    asyncio.create_task(wiring.events.run(asyncio.Event())),
                    asyncio.create_task(wiring.follow()),
                ]
                try:
                    await _first(started, tasks)
                    write_sandbox_json(folder / "sandbox.json", sandbox, service)
                    output().print(f"ready {base_url}")
                    output().print(f"open  {base_url}/       addresses, accounts and a key: {folder / 'sandbox.json'}")
                    output().print(f"portal {base_url}/portal sign in as {owner} (accounts.evm[{OWNER}] of that file)")
                    yield RunningDevnet(base_url, folder / "sandbox.json")
                finally:
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)
    shutil.rmtree(store, ignore_errors=True)


def emulated() -> tuple[type[Emulator], ...]:
    keys = {spec.key for spec in SPECS}
    return (*(emulator for emulator in EMULATORS if emulator.key in keys), *PRICE_EMULATORS)


def _own_store(folder: Path) -> Path:
    """Name a store for this process alone, and remove those that killed processes left."""
    for left in folder.glob("store-*"):
        if not Path("/proc", left.name.removeprefix("store-")).exists():
            shutil.rmtree(left, ignore_errors=True)
    return folder / f"store-{os.getpid()}"


async def chains_alone(folder: Path, config: SandboxConfig) -> bool:
    """Run the chains without the service until a signal comes."""
    async with running_sandbox(config) as sandbox:
        folder.mkdir(parents=True, exist_ok=True)
        write_sandbox_json(folder / "sandbox.json", sandbox, None)
        for chain in sandbox.chains:
            output().print(f"{chain.key}: chain {chain.id} at {chain.rpc_url}")
        await until_signalled(_for_ever())
    return True


async def demo(port: int, folder: Path, config: SandboxConfig, *, story: bool, once: bool) -> bool:
    """Run the sandbox until a signal, or, with ``once``, until the demo ends; False if part of it failed."""
    outcome = True

    async def go() -> None:
        nonlocal outcome
        async with running_devnet(reserve("127.0.0.1", port), folder, config) as devnet:
            if story:
                outcome = await play(devnet.file)
            if not once:
                await _for_ever()

    await until_signalled(go())
    return outcome


async def _for_ever() -> None:
    await asyncio.Event().wait()


def sandbox_config(cache: Path, solana_slot_ms: int) -> SandboxConfig:
    """Return the terms of a sandbox that says on the console what takes time."""
    console = notices()
    return SandboxConfig(
        cache=cache, progress=lambda text: console.print(f"· {text}", style="dim"), solana_slot_ms=solana_slot_ms
    )


async def _first(event: asyncio.Event, tasks: list[asyncio.Task[None]]) -> None:
    """Wait for the event, or raise what ended one of the tasks before it."""
    waiting = asyncio.create_task(event.wait())
    done, _ = await asyncio.wait([waiting, *tasks], return_when=asyncio.FIRST_COMPLETED)
    if waiting not in done:
        waiting.cancel()
        for task in done:
            task.result()
        raise RuntimeError("the service ended before it was ready")
