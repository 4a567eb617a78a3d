"""``rhumbline secrets``: the service's own."""

import typer
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service_keys import CURSORS, SPREAD_S, TRANSACTION_IDS, rotate_keys
from rhumbline.app.console import Config, notices
from rhumbline.app.settings import load_settings
from rhumbline.app.store import in_store

app = typer.Typer(no_args_is_help=True, help="Rotate the service's own secrets.")


@app.callback()
def _group() -> None:
    pass


@app.command()
def rotate(config: Config = None) -> None:
    """Make new secrets for transaction IDs and cursors; what was made with the old ones stays valid."""

    async def work(engine: AsyncEngine) -> None:
        for purpose in (TRANSACTION_IDS, CURSORS):
            await rotate_keys(engine, purpose)

    in_store(load_settings(config), work)
    notices().print(f"the secrets are rotated: every process uses the new ones from {SPREAD_S} s on, without a restart")
