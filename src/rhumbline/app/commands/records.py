"""``rhumbline records``: what is known of a transaction, and why; for support."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.accounts.trail_store import trails_of, trails_of_request
from rhumbline.api.wire.kept_request import to_kept_request
from rhumbline.app.commands.explained_requests import show_trail
from rhumbline.app.console import Config, Json, notices, output, show_json, show_table
from rhumbline.app.log import configure_logging
from rhumbline.app.sections import LogSettings
from rhumbline.app.settings import Settings, load_settings
from rhumbline.app.store import in_store
from rhumbline.app.wiring import wired
from rhumbline.domain.errors import InvalidRequest, NotFound
from rhumbline.domain.escaped_text import escaped
from rhumbline.domain.tracking import RecordAmount, TransactionRecord, TransferState, UncheckedFee
from rhumbline.domain.trail import KeptTrail
from rhumbline.tracking.support.explanation import (
    StoredEvent,
    StoredEvidence,
    events_of,
    evidence_in_order,
    names_records,
    records_of,
)
from rhumbline.tracking.support.latest_records import RecordFilter, latest_records

app = typer.Typer(no_args_is_help=True, help="Explain transactions: records, their evidence, events and deliveries.")
Id = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="A transaction ID, a transaction's hash or signature, a record's id, or the ID of the request for its "
        "quote (X-Request-Id).",
    ),
]
_HIDDEN = frozenset({"terms", "raw_bridge_status", "use"})
_LONGEST_ANSWER = 160
_WITHOUT_EVIDENCE = "no bridge is asked about it: its own chain has shown all that counts"
_NOT_ASKED_YET = "its bridge has not been asked yet"
_EVIDENCE = ("first said", "last said", "source", "state", "substatus", "answer")
_EVENTS = ("event", "at", "type", "record", "delivery", "webhook", "state", "attempts", "last", "next")
_LISTED = ("time", "record", "integrator", "adapter", "chains", "status", "transaction ID", "hash")
Explained = tuple[TransactionRecord, Sequence[StoredEvidence]]


@dataclass(frozen=True, slots=True)
class _Found:
    """What the store knows about an ID; ``trails`` are of the requests for the quotes, as far as they are kept."""

    records: Sequence[Explained]
    events: Sequence[StoredEvent]
    trails: Sequence[KeptTrail]


@app.command("list")
def list_records(
    integrator: Annotated[str | None, typer.Option(help="Only those of an integrator.")] = None,
    status: Annotated[TransferState | None, typer.Option(help="Only those of this status.")] = None,
    chain: Annotated[int | None, typer.Option(help="Only those from or to this chain, by its ID.")] = None,
    adapter: Annotated[str | None, typer.Option(help="Only those of this adapter, by its key.")] = None,
    days: Annotated[int, typer.Option(min=1, max=3650, help="Only those of the last days.")] = 30,
    most: Annotated[int, typer.Option(min=1, max=1000, help="How many, the latest.")] = 20,
    as_json: Json = False,
    config: Config = None,
) -> None:
    """List the latest records, newest first."""
    since = datetime.now(UTC) - timedelta(days=days)
    wanted = RecordFilter(since, integrator, status, chain, None if adapter is None else adapter.upper())

    async def read(engine: AsyncEngine) -> Sequence[TransactionRecord]:
        async with engine.connect() as connection:
            return await latest_records(connection, wanted, most)

    found = in_store(load_settings(config), read)
    show_table([_listed(record) for record in found], _LISTED, as_json=as_json)


@app.command()
def show(identifier: Id, as_json: Json = False, config: Config = None) -> None:
    """Show a record, all evidence about it in order, its events, and why its quote was answered, as far as it is kept.

    An ID that was executed several times, or a hash of several transfers, has several records.
    """

    async def read(engine: AsyncEngine) -> _Found:
        async with engine.connect() as connection:
            records = await _records(connection, identifier)
            evidence = [(record, await evidence_in_order(connection, record.id)) for record in records]
            issued = sorted({record.transaction_id for record in records if record.transaction_id is not None})
            return _Found(evidence, await events_of(connection, records), await trails_of(connection, issued))

    found = in_store(load_settings(config), read)
    if as_json:
        show_json([_in_json(record, evidence, found) for record, evidence in found.records])
        return
    for number, (record, evidence) in enumerate(found.records):
        if number:
            output().print()
        show_table([(name, escaped(value)) for name, value in _described(record) if value is not None])
        output().print()
        if evidence:
            show_table(map(_evidence_row, evidence), _EVIDENCE)
        else:
            output().print(_WITHOUT_EVIDENCE if record.terms is None else _NOT_ASKED_YET)
    if found.events:
        output().print()
        show_table([row for event in found.events for row in _event_rows(event)], _EVENTS)
    for trail in found.trails:
        output().print("\nThe request for its quote:")
        show_trail(trail)


@app.command()
def events(identifier: Id, as_json: Json = False, config: Config = None) -> None:
    """List the events that were written for a transaction, in order, each with its webhook deliveries.

    Events and deliveries are kept for seven days.
    """

    async def read(engine: AsyncEngine) -> Sequence[StoredEvent]:
        async with engine.connect() as connection:
            return await events_of(connection, await _records(connection, identifier))

    found = in_store(load_settings(config), read)
    show_table([row for event in found for row in _event_rows(event)], _EVENTS, as_json=as_json)
    if not found:
        notices().print("no event of it is kept any more: they are deleted after seven days")


@app.command()
def resolve(identifier: Id, as_json: Json = False, config: Config = None) -> None:
    """Ask the nodes and the bridge about a transfer now, and show its status before and after.

    You can run it at any time, beside the service. A status that ended stays, unless a chain proves another end.
    """
    settings = load_settings(config)
    # What is written about the call is for a service's log: the outcome says it.
    configure_logging(LogSettings(level="warning"))
    before, after, outcome = in_store(settings, lambda engine: _resolve(settings, engine, identifier))
    rows = [
        (name, value or "", now or "")
        for (name, value), (_, now) in zip(_described(before), _described(after), strict=True)
        if value != now or name in ("id", "status", "substatus", "status_source")
    ]
    if as_json:
        changes = {name: {"before": value or None, "after": now or None} for name, value, now in rows}
        show_json({"outcome": outcome, "fields": changes})
        return
    notices().print(escaped(outcome))
    show_table([tuple(map(escaped, row)) for row in rows], ("field", "before", "after"))


async def _resolve(
    settings: Settings, engine: AsyncEngine, identifier: str
) -> tuple[TransactionRecord, TransactionRecord, str]:
    async with engine.connect() as connection:
        found = await _records(connection, identifier)
    if len(found) > 1:
        names = ", ".join(record.id for record in found)
        raise InvalidRequest([f"id: it has {len(found)} records; give one of their ids: {names}"])
    (before,) = found
    if before.terms is None:
        where = f"--chain {before.origin_chain_id} --from {before.origin_block_number} --to"
        return before, before, f"not asked: {_WITHOUT_EVIDENCE}; `rhumbline rescan {where} …` reads its block again"
    async with wired(settings, engine) as service:
        outcome = await service.transfer_tracker.worker.ask_again(before)
    async with engine.connect() as connection:
        (after,) = await _records(connection, identifier)
    return before, after, outcome


async def _records(connection: AsyncConnection, identifier: str) -> Sequence[TransactionRecord]:
    """Return the records of an ID of any kind; raise InvalidRequest and NotFound as ``records_of`` does."""
    trails = () if names_records(identifier) else await trails_of_request(connection, identifier)
    issued = sorted({trail.transaction_id for trail in trails if trail.transaction_id is not None})
    if trails and not issued:
        raise NotFound(f"The request {identifier} was not answered with a transaction: `rhumbline explain` says why")
    found: dict[str, TransactionRecord] = {}
    keys = issued or [identifier]
    for number, key in enumerate(keys, 1):
        try:
            found |= {record.id: record for record in await records_of(connection, key)}
        except NotFound:
            # A client that repeats a request under one ID executes one of its answers.
            if number == len(keys) and not found:
                raise
    return list(found.values())


def _in_json(record: TransactionRecord, evidence: Sequence[StoredEvidence], found: _Found) -> dict[str, object]:
    subject = record.transaction_id or record.id
    of_it = [event for event in found.events if event.record_id == record.id]
    trails = [trail for trail in found.trails if trail.transaction_id == subject]
    return {
        "record": dict(_described(record)),
        "bridgeAnswer": record.raw_bridge_status,
        "evidence": [_evidence_in_json(each) for each in evidence],
        "events": [dict(zip(_EVENTS, row, strict=True)) for event in of_it for row in _event_rows(event)],
        "requests": [to_kept_request(trail).model_dump(mode="json") for trail in trails],
    }


def _listed(record: TransactionRecord) -> tuple[str, ...]:
    chains = [str(each) for each in (record.origin_chain_id, record.destination_chain_id) if each is not None]
    return (
        record.origin_time.isoformat(timespec="seconds"),
        record.id,
        escaped(record.integrator or ""),
        record.protocol,
        " to ".join(dict.fromkeys(chains)),
        record.status.value,
        record.transaction_id or "",
        record.origin_tx_hash,
    )


def _described(record: TransactionRecord) -> list[tuple[str, str | None]]:
    """Return a record's fields as texts; what only the service needs is left out."""
    pairs = [(field.name, _written(getattr(record, field.name))) for field in fields(record)]
    return [(name, value) for name, value in pairs if name not in _HIDDEN]


def _written(value: object) -> str | None:
    match value:
        case None:
            return None
        case datetime():
            return value.isoformat(timespec="milliseconds")
        case RecordAmount():
            return f"{value.raw} of {value.address}"
        case UncheckedFee():
            return f"of {value.address}, not checked yet"
    return str(value)


def _evidence_row(stored: StoredEvidence) -> tuple[str, ...]:
    said, answer = stored.said, "" if stored.answer is None else json.dumps(stored.answer)
    short = answer if len(answer) <= _LONGEST_ANSWER else f"{answer[:_LONGEST_ANSWER]}… (--json shows all)"
    times = (moment.isoformat(timespec="milliseconds") for moment in (said.first_at, said.last_at))
    return (*times, said.source.value, said.state.value, escaped(said.substatus or ""), short)


def _evidence_in_json(stored: StoredEvidence) -> dict[str, object]:
    said = stored.said
    return {
        "firstAt": said.first_at.isoformat(timespec="milliseconds"),
        "lastAt": said.last_at.isoformat(timespec="milliseconds"),
        "source": said.source.value,
        "state": said.state.value,
        "substatus": said.substatus,
        "answer": stored.answer,
    }


def _event_rows(event: StoredEvent) -> list[tuple[str, ...]]:
    """Return a row for each delivery of an event, one without any otherwise."""
    at = event.at.isoformat(timespec="milliseconds")
    told = (str(event.number), at, f"transaction.{event.kind}", event.record_id)
    rows: list[tuple[str, ...]] = [
        (*told, str(each.id), each.webhook, each.state, str(each.attempts), escaped(each.last or ""), _due(each.due_at))
        for each in event.deliveries
    ]
    return rows or [(*told, "", "", "", "", "", "")]


def _due(moment: datetime | None) -> str:
    return "" if moment is None else moment.isoformat(timespec="seconds")
