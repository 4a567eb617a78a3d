"""``rhumbline devnet``: the sandbox, the service on it, and the story of the demo."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from rhumbline.api.serving import reserve
from rhumbline.app.console import EXIT_FAILED, notices
from rhumbline.app.demo import play, raised_stage
from rhumbline.app.logging import configure_logging
from rhumbline.app.running import run, until_signalled
from rhumbline.app.settings import LogSettings
from rhumbline.devnet.sandbox import SandboxConfig, running_sandbox, write_sandbox_json

FOLDER = Path(".rhumbline")


def devnet(
    port: Annotated[int, typer.Option(min=0, max=65535, help="The service's port; 0 takes a free one.")] = 8700,
    folder: Annotated[Path, typer.Option(help="Where sandbox.json, settings and store are written.")] = FOLDER,
    chains_only: Annotated[bool, typer.Option("--chains-only", help="Start the chains without the service.")] = False,
    story: Annotated[
        bool, typer.Option("--story", help="Play the demo: quote, sign, send, track; then go on.")
    ] = False,
    once: Annotated[
        bool, typer.Option("--once", help="With --story: end after it; exit code 0 if all of it held.")
    ] = False,
) -> None:
    """Start local chains with real contracts and pools, and the service on them, until it is stopped.

    Everything that a client needs is written to sandbox.json.
    """
    configure_logging(LogSettings(level="warning"))
    outcome = run(_chains(folder) if chains_only else _demo(port, folder, story=story or once, once=once))
    if not outcome:
        raise typer.Exit(EXIT_FAILED)


async def _chains(folder: Path) -> bool:
    async with running_sandbox(_config()) as sandbox:
        write_sandbox_json(folder / "sandbox.json", sandbox, None)
        for chain in sandbox.chains:
            notices().print(f"{chain.key}: chain {chain.id} at {chain.rpc_url}")
        await until_signalled(_for_ever())
    return True


async def _demo(port: int, folder: Path, *, story: bool, once: bool) -> bool:
    outcome = True

    async def go() -> None:
        nonlocal outcome
        async with raised_stage(reserve("127.0.0.1", port), folder, _config()) as stage:
            if story:
                outcome = await play(stage)
            if not once:
                await _for_ever()

    await until_signalled(go())
    return outcome


async def _for_ever() -> None:
    await asyncio.Event().wait()


def _config() -> SandboxConfig:
    return SandboxConfig(cache=FOLDER / "cache", progress=lambda text: notices().print(f"· {text}", style="dim"))
