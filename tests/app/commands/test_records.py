"""What support reads of a transaction on the command line."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import timedelta

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.domain.tracking import RecordAmount, StatusSource, TransferState, TransferTerms
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.tracking.store import add_records, evidence
from tests.app.conftest import Command
from tests.app.test_cli import failed
from tests.tracking.record_events.test_store import transfer
from tests.tracking.test_listing import NOON, hash_of, row

TERMS = TransferTerms("ACROSS", "0x" + "11" * 20, "0x" + "22" * 20, 5, "0x" + "33" * 20, 4, "1")
UNSEEN = hash_of(9)


def in_store(dsn: str, work: Callable[[AsyncConnection], Awaitable[object]]) -> None:
    async def go() -> None:
        engine = create_engine(dsn)
        async with engine.begin() as connection:
            await work(connection)
        await engine.dispose()

    asyncio.run(go())


def test_a_transaction_is_explained(rhumbline: Command, store_dsn: str) -> None:
    swap = row(2, input=RecordAmount("0x" + "44" * 20, 7))
    begun = transfer(
        1, terms=TERMS, protocol="ACROSS", substatus="\x1b[31m", next_bridge_check_at=None,
        status=TransferState.UNKNOWN, origin_time=NOON - timedelta(days=30),
    )  # fmt: skip

    async def fill(connection: AsyncConnection) -> None:
        await add_records(connection, [begun, swap])
        said = {"source": StatusSource.BRIDGE_API, "state": TransferState.BRIDGE_PENDING, "substatus": "waiting"}
        given = {"answer": {"depositStatus": "\u202e" + "x" * 300}, "first_at": NOON, "last_at": NOON}
        await connection.execute(insert(evidence).values(record_id=begun.id, **said, **given))

    in_store(store_dsn, fill)
    shown = rhumbline("records", "show", str(begun.transaction_id))
    assert shown.code == 0, shown.err
    assert "\x1b[31m" not in shown.out.replace("\x1b[1m", "")
    assert "\u202e" not in shown.out
    lines = shown.out.splitlines()
    assert ["status", "unknown"] in [line.split() for line in lines]
    assert [line for line in lines if "waiting" in line and "bridge_api" in line and "--json shows all" in line]
    (explained,) = json.loads(rhumbline("records", "show", begun.origin_tx_hash, "--json").out)
    assert explained["record"]["sender"] == begun.sender
    assert explained["evidence"][0]["answer"]["depositStatus"].endswith("x" * 300)
    assert "no bridge is asked about it" in rhumbline("records", "show", swap.origin_tx_hash).out

    told = json.loads(rhumbline("records", "events", str(swap.transaction_id), "--json").out)
    assert [(each["type"], each["delivery"]) for each in told] == [
        ("transaction.seen", None), ("transaction.final", None),
    ]  # fmt: skip
    assert int(told[0]["event"]) < int(told[1]["event"])

    asked = rhumbline("records", "resolve", swap.origin_tx_hash)
    assert (asked.code, "rhumbline rescan --chain 1 --from 2" in asked.err) == (0, True)
    asked = rhumbline("records", "resolve", str(begun.transaction_id), "--json")
    assert asked.code == 0, asked.err
    found = json.loads(asked.out)
    # Its chain has no node here, so its bridge finds nothing, and says so.
    assert found["outcome"].startswith("ACROSS")
    assert found["fields"]["status"] == {"before": "unknown", "after": "unknown"}

    failed(rhumbline("records", "show", UNSEEN), 1, "rhumbline rescan")
    for command in ("show", "events", "resolve"):
        failed(rhumbline("records", command, "0x12"), 1, "id: must be a transaction ID")


def test_an_id_with_several_records_is_not_guessed(rhumbline: Command, store_dsn: str) -> None:
    first = row(1)
    again = row(2, transaction_id=first.transaction_id)
    in_store(store_dsn, lambda connection: add_records(connection, [first, again]))
    both = json.loads(rhumbline("records", "show", str(first.transaction_id), "--json").out)
    assert [each["record"]["id"] for each in both] == [first.id, again.id]
    failed(rhumbline("records", "resolve", str(first.transaction_id)), 1, first.id)
