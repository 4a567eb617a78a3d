"""The demo: the sandbox with the service on it, and its story told in a table."""

import asyncio
import json
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import aiohttp
from rich.table import Table

from rhumbline.accounts.ledger import Accounts
from rhumbline.api.serving import serve
from rhumbline.app.console import notices, output
from rhumbline.app.sandbox_settings import sandbox_settings
from rhumbline.app.settings import load_settings
from rhumbline.app.store import opened_store
from rhumbline.app.wiring import wired
from rhumbline.devnet.accounts import sandbox_account
from rhumbline.devnet.sandbox import (
    SandboxConfig,
    SandboxIntegrator,
    SandboxService,
    running_sandbox,
    write_sandbox_json,
)
from rhumbline.devnet.story import SWAPS, Chapter, StoryFailed, Storyteller
from rhumbline.domain.amount import format_amount
from rhumbline.domain.clock import system_clock

INTEGRATOR = "harbour"
INTEGRATOR_WALLET = 60
SERVICE_WALLET = 61


@dataclass(frozen=True, slots=True)
class Stage:
    """A running sandbox with its service; ``file`` is what clients read."""

    base_url: str
    file: Path


@asynccontextmanager
async def raised_stage(listener: socket.socket, folder: Path, config: SandboxConfig) -> AsyncIterator[Stage]:
    """Start the chains, a store of their own and the service on ``listener``; all ends with the context.

    The chains begin anew each time, so the store does too.
    """
    base_url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    store = folder / "store"
    folder.mkdir(parents=True, exist_ok=True)
    wallet = sandbox_account(INTEGRATOR_WALLET).address
    async with running_sandbox(config) as sandbox:
        written = folder / "sandbox.toml"
        written.write_text(sandbox_settings(sandbox, store, base_url, sandbox_account(SERVICE_WALLET).address), "utf-8")
        settings = load_settings(written, {})
        async with opened_store(settings) as engine:
            accounts = Accounts(engine, system_clock)
            await accounts.ensure_integrator(INTEGRATOR, wallet, None)
            _, key = await accounts.create_key(INTEGRATOR)
            _, load_key = await accounts.create_key(INTEGRATOR)
            service = SandboxService(base_url, key, load_key, SandboxIntegrator(INTEGRATOR, wallet, key))
            async with wired(settings, engine) as wiring:
                started = asyncio.Event()
                tasks = [
                    asyncio.create_task(serve(wiring.app, listener, started=lambda _: started.set())),
                    asyncio.create_task(wiring.follow()),
                ]
                try:
                    await _first(started, tasks)
                    write_sandbox_json(folder / "sandbox.json", sandbox, service)
                    output().print(f"ready {base_url}")
                    output().print(f"open  {base_url}/docs   everything a client needs: {folder / 'sandbox.json'}")
                    yield Stage(base_url, folder / "sandbox.json")
                finally:
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)
    shutil.rmtree(store, ignore_errors=True)


async def play(stage: Stage) -> bool:
    """Tell the story and print its table; False when something in it did not truly happen."""
    sandbox = json.loads(stage.file.read_text("utf-8"))
    chapters: list[Chapter] = []
    console = notices()
    async with aiohttp.ClientSession() as session:
        with console.status("the story begins") as status:
            teller = Storyteller(sandbox, session, lambda text: status.update(text))
            try:
                for plot in SWAPS:
                    chapters.append(await teller.tell(plot))
            except StoryFailed as error:
                console.print(f"the story failed: {error}", style="red", markup=False)
                return False
    output().print(_table(chapters))
    return True


def _table(chapters: list[Chapter]) -> Table:
    table = Table("chapter", "", "amount", title="What was promised, and what arrived", title_justify="left")
    for chapter in chapters:
        facts = [
            ("sent", chapter.sent),
            ("promised", format_amount(chapter.promised, chapter.decimals)),
            ("at least", format_amount(chapter.minimum, chapter.decimals)),
            ("simulated", format_amount(chapter.simulated, chapter.decimals)),
            ("arrived", f"{format_amount(chapter.arrived, chapter.decimals)} {chapter.symbol}"),
            ("integrator", f"{chapter.integrator_fee} of fee"),
        ]
        notes = [chapter.title, f"by {chapter.adapter}", f"in {chapter.seconds:.2f} s", f"record: {chapter.status}"]
        for note, (what, amount) in zip([*notes, "", ""], facts, strict=True):
            table.add_row(note, what, amount, end_section=what == facts[-1][0])
    return table


async def _first(event: asyncio.Event, tasks: list[asyncio.Task[None]]) -> None:
    """Wait for the event, or raise what ended one of the tasks before it."""
    waiting = asyncio.create_task(event.wait())
    done, _ = await asyncio.wait([waiting, *tasks], return_when=asyncio.FIRST_COMPLETED)
    if waiting not in done:
        waiting.cancel()
        for task in done:
            task.result()
        raise RuntimeError("the service ended before it was ready")
