"""``rhumbline audit``: who changed what, of the service and of all integrators."""

from typing import Annotated

import typer
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.audit_log import THE_SERVICE, AuditEntry, AuditLog
from rhumbline.app.console import Config, Json, show_table
from rhumbline.app.settings import load_settings
from rhumbline.app.store import in_store
from rhumbline.domain.escaped_text import escaped

_COLUMNS = ("entry", "time", "who", "of", "what", "detail", "reason")


def audit(
    service: Annotated[
        bool, typer.Option("--service", help="Only changes of the service: pauses and log levels.")
    ] = False,
    most: Annotated[int, typer.Option(min=1, max=1000, help="How many entries, the latest.")] = 50,
    before: Annotated[int | None, typer.Option(help="Only entries with a smaller number.")] = None,
    as_json: Json = False,
    config: Config = None,
) -> None:
    """Show who changed what and why, of the service and of all integrators, newest first."""

    async def ask(engine: AsyncEngine) -> tuple[AuditEntry, ...]:
        log, bound = AuditLog(engine), () if before is None else (before,)
        return await (log.entries(THE_SERVICE, most, *bound) if service else log.all_entries(most, *bound))

    entries = in_store(load_settings(config), ask)
    show_table([_row(each) for each in entries], _COLUMNS, as_json=as_json)


def _row(entry: AuditEntry) -> tuple[str, ...]:
    who = entry.actor if entry.operator is None else f"{entry.actor} {entry.operator}"
    of = "the service" if entry.integrator == THE_SERVICE else entry.integrator
    texts = (who, of, entry.action, entry.detail, entry.reason or "")
    return (str(entry.id), entry.at.isoformat(timespec="seconds"), *map(escaped, texts))
