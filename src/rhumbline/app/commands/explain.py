"""``rhumbline explain``: why a request for a quote was answered, refused, or by whom it was outranked."""

from typing import Annotated

import typer
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.key_store import find_key
from rhumbline.accounts.trail_store import TrailHistory
from rhumbline.api.wire.kept_request import to_kept_request
from rhumbline.app.commands.explained_requests import show_trail, summary
from rhumbline.app.console import Config, Json, output, show_json, show_table
from rhumbline.app.run import CommandFailed
from rhumbline.app.sections import ExplanationSettings
from rhumbline.app.settings import load_settings
from rhumbline.app.store import in_store
from rhumbline.domain.escaped_text import escaped
from rhumbline.domain.trail import KeptTrail

Told = tuple[KeptTrail, str]
_COLUMNS = ("time", "request", "who", "endpoint", "asked", "status", "answer")


def explain(
    identifier: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID]",
            help="A request's ID (X-Request-Id), or an answered transaction ID. Without: the latest requests.",
        ),
    ] = None,
    integrator: Annotated[str | None, typer.Option(help="Only requests of this integrator.")] = None,
    failed: Annotated[bool, typer.Option("--failed", help="Of the latest requests only those without answer.")] = False,
    most: Annotated[int, typer.Option(min=1, max=1000, help="How many of the latest requests.")] = 20,
    as_json: Json = False,
    config: Config = None,
) -> None:
    """Show why a request was answered as it was: what became of each adapter. Without an ID, the latest requests."""
    settings = load_settings(config)

    async def ask(engine: AsyncEngine) -> list[Told]:
        history = TrailHistory(engine)
        if identifier is None:
            found = await history.latest(most, integrator, failed_only=failed)
        else:
            found = await history.of(identifier, integrator)
        return [(trail, await _who(engine, trail)) for trail in found]

    told = in_store(settings, ask)
    if identifier is None:
        rows = [(*summary(trail)[:2], escaped(who), *summary(trail)[2:]) for trail, who in told]
        show_table(rows, _COLUMNS, as_json=as_json)
        return
    if not told:
        raise CommandFailed(f"Nothing is kept of {escaped(identifier)}: {_why_nothing(settings.explanations)}")
    if as_json:
        show_json([{"who": who, **to_kept_request(trail).model_dump(mode="json")} for trail, who in told])
        return
    for number, (trail, who) in enumerate(told):
        if number:
            output().print()
        show_trail(trail, who)


def _why_nothing(settings: ExplanationSettings) -> str:
    if not settings.keep_hours:
        return "explanations.keep_hours is 0, so nothing is kept of any request"
    return (
        f"it is no request for quotes, routes or a step; or it is older than explanations.keep_hours "
        f"({settings.keep_hours}); or there were explanations.most_requests ({settings.most_requests}) after it; or it "
        "was refused with 401, 403 or 429, or for too much load; or it was answered less than two seconds ago"
    )


async def _who(engine: AsyncEngine, trail: KeptTrail) -> str:
    """Return the integrator and its key as the portal shows it, never the key itself."""
    if trail.key_id is None:
        return "anonymous"
    async with engine.connect() as connection:
        key = await find_key(connection, trail.key_id)
    named = f"key {trail.key_id}" if key is None else f"{key.prefix}…" + (f" {key.name}" if key.name else "")
    return f"{trail.integrator}, {named}"
