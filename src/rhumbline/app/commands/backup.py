"""``rhumbline backup``: a dump of the embedded store."""

from pathlib import Path
from typing import Annotated

import typer

from rhumbline.app.console import Config, notices
from rhumbline.app.run import CommandFailed, run
from rhumbline.app.settings import load_settings
from rhumbline.gateways.postgres.backup import dump
from rhumbline.gateways.postgres.embedded import embedded_postgres


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write; it must not exist.")], config: Config = None
) -> None:
    """Write the embedded store to an SQL file. The service may be running."""
    store = load_settings(config).store
    if store.dsn is not None:
        raise CommandFailed("store.dsn: is a server of your own: back it up with the pg_dump of its version")
    if not (store.data_dir / "pgdata").is_dir():
        raise CommandFailed(f"store.data_dir: there is no store in {store.data_dir}")
    if file.exists() or file.is_symlink():
        raise CommandFailed(f"{file}: is there already and is left as it is; name another")

    async def go() -> None:
        async with embedded_postgres(store.data_dir) as dsn:
            await dump(dsn, file)

    run(go())
    notices().print(f"the store was written to {file}")
