"""``rhumbline secrets``: rotates the service's own secrets."""

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
    """Make new secrets for transaction IDs and cursors. Existing IDs and cursors stay valid."""

    async def work(engine: AsyncEngine) -> None:
        for purpose in (TRANSACTION_IDS, CURSORS):
            await rotate_keys(engine, purpose)

    in_store(load_settings(config), work)
    notices().print(f"secrets rotated: every process uses the new ones after {SPREAD_S} s, without a restart")
