"""``rhumbline devnet``: the sandbox, the service on it, and the demo."""

from pathlib import Path
from typing import Annotated

import typer

from rhumbline.app.console import EXIT_FAILED
from rhumbline.app.log import configure_logging
from rhumbline.app.run import run
from rhumbline.app.sections import LogSettings
from rhumbline.gateways.processes import child as children

FOLDER = Path(".rhumbline")


def devnet(
    port: Annotated[int, typer.Option(min=0, max=65535, help="The service's port; 0 takes a free one.")] = 8700,
    folder: Annotated[Path, typer.Option(help="Where sandbox.json, settings and store are written.")] = FOLDER,
    chains_only: Annotated[bool, typer.Option("--chains-only", help="Start the chains without the service.")] = False,
    solana_slot_ms: Annotated[
        int, typer.Option(min=50, max=2000, help="Length of a Solana slot in milliseconds.")
    ] = 400,
    story: Annotated[
        bool, typer.Option("--story", help="Play the demo (quote, sign, send, track), then keep running.")
    ] = False,
    once: Annotated[
        bool, typer.Option("--once", help="With --story: end after it. The exit code is 0 if every chapter succeeded.")
    ] = False,
    end_with_parent: Annotated[
        bool, typer.Option("--end-with-parent", help="End when the parent process ends.")
    ] = False,
) -> None:
    """Start local chains with real contracts and pools, and the service on them.

    It runs until you stop it. Everything that a client needs is written to sandbox.json.
    """
    # The sandbox signs transactions, and what it takes to sign is slow to import.
    from rhumbline.app import running_devnet

    if end_with_parent:
        children.end_with_parent()
    configure_logging(LogSettings(level="warning"))
    config = running_devnet.sandbox_config(FOLDER / "cache", solana_slot_ms)
    work = (
        running_devnet.chains_alone(folder, config)
        if chains_only
        else running_devnet.demo(port, folder, config, story=story or once, once=once)
    )
    if not run(work):
        raise typer.Exit(EXIT_FAILED)
