"""``rhumbline catalog``: the token lists."""

from typing import Annotated

import typer

from rhumbline.app.console import EXIT_FAILED, Config, Json, notices, show_table
from rhumbline.app.run import CommandFailed, run
from rhumbline.app.settings import load_settings
from rhumbline.app.store import opened_store
from rhumbline.app.wiring import wired
from rhumbline.catalog.token_sync import SyncReport

app = typer.Typer(no_args_is_help=True, help="Update the tokens that the service knows.")


@app.callback()
def _group() -> None:
    pass


@app.command()
def sync(
    accept_older: Annotated[
        bool, typer.Option("--accept-older", help="Accept a list that is older than the stored one.")
    ] = False,
    as_json: Json = False,
    config: Config = None,
) -> None:
    """Fetch all token lists now. Exit code 1 if one fails; its stored copy stays in use."""
    settings = load_settings(config)
    if not settings.catalog.token_lists:
        raise CommandFailed("catalog.token_lists: no list is configured, so there is nothing to fetch")

    async def go() -> SyncReport:
        async with opened_store(settings) as engine, wired(settings, engine) as service:
            return await service.sync.sync(accept_older=accept_older)

    report = run(go())
    rows = [(item.list, item.outcome, str(item.version or ""), item.fault or "") for item in report.lists]
    show_table(rows, ("list", "outcome", "version", "fault"), as_json=as_json)
    notices().print(f"{report.tokens} tokens listed")
    if report.failed:
        raise typer.Exit(EXIT_FAILED)
