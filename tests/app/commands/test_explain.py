"""What support reads of a request on the command line."""

import asyncio
import json
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service import Accounts
from rhumbline.accounts.trail_store import TrailWriter
from rhumbline.accounts.trails import Trails
from rhumbline.domain.account import ApiClient
from rhumbline.domain.clock import system_clock
from rhumbline.domain.trail import Trail
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.tracking.store import add_records
from tests.api.v1.test_requests import ASKED, BODY, PART
from tests.app.conftest import Command
from tests.app.test_cli import failed
from tests.tracking.test_listing import row

UNKNOWN = "Nothing is kept of nope"


async def fill(engine: AsyncEngine) -> tuple[str, str]:
    """Write a request with a key and its record, a refused one and one that was not understood; return key and ID."""
    accounts, trails = Accounts(engine, system_clock), Trails(system_clock)
    integrator = await accounts.create_integrator("acme", None, None)
    key, text = await accounts.create_key("acme", name="server")
    record = row(1)
    answered = trails.begin("one", "/v1/quotes", ApiClient(integrator, key.id))
    answered.asked, answered.parts = ASKED, [PART, PART]
    (answer,) = BODY.answers
    answered.answers = [type(answer)(answer.adapters, answer.output, answer.minimum, record.transaction_id)]
    answered.end(200)
    refused = trails.begin("two", "/v1/quotes/stream", ApiClient())
    refused.asked = ASKED
    refused.end(503, "UNKNOWN", "Quoting is paused \x1b[31m")
    faulty = Trail("three", "/v1/quotes", system_clock())
    faulty.end(400, "VALIDATION_ERROR", "amount must be whole")
    for each in (answered, refused, faulty):
        trails.keep(each)
    await TrailWriter(engine, trails, system_clock, timedelta(hours=24), 1_000).write()
    async with engine.begin() as connection:
        await add_records(connection, [record])
    return text, str(record.transaction_id)


def filled(dsn: str) -> tuple[str, str]:
    async def go() -> tuple[str, str]:
        engine = create_engine(dsn)
        try:
            return await fill(engine)
        finally:
            await engine.dispose()

    return asyncio.run(go())


def test_requests_are_explained_and_joined_to_their_records(rhumbline: Command, store_dsn: str) -> None:
    key, transaction = filled(store_dsn)
    shown = rhumbline("explain", "one")
    assert shown.code == 0, shown.err
    assert key not in shown.out
    assert f"who acme, {key[:12]}… server" in shown.words
    assert "asked 2 USDC to USDT, chain 1 to 1" in shown.words
    assert "filters without bridges RELAY" in shown.words
    assert "ONCHAIN chosen 1.999 USDT 1.999000 0.100000 SUCCESS 12+3 is the best of 2 offers" in shown.words
    assert "0.101 USD or 5.05 % less than ONCHAIN" in shown.words
    assert "ACROSS not_asked unsupported: does not swap on one chain" in shown.words
    assert shown.out.count("2 USDC to USDT:") == 2
    (told,) = json.loads(rhumbline("explain", transaction.upper().replace("0X", "0x"), "--json").out)
    assert (told["requestId"], told["who"]) == ("one", f"acme, {key[:12]}… server")
    refused = rhumbline("explain", "two")
    assert "status 503 UNKNOWN after" in refused.words
    assert "who anonymous" in refused.words
    assert "\x1b[31m" not in refused.out.replace("\x1b[1m", "")
    assert "It ended before adapters were asked" in refused.out
    assert "amount must be whole" in rhumbline("explain", "three").out

    listed = json.loads(rhumbline("explain", "--json").out)
    assert [each["request"] for each in listed] == ["three", "two", "one"]
    assert [each["request"] for each in json.loads(rhumbline("explain", "--failed", "--json").out)] == ["three", "two"]
    assert "one" in rhumbline("explain", "--integrator", "acme", "--most", "1").out

    failed(rhumbline("explain", "nope"), 1, UNKNOWN)
    failed(rhumbline("explain", "one", "--integrator", "rival"), 1, "Nothing is kept of one")

    # The record that came of it, by the request's ID and by its own, with the request.
    for identifier in ("one", transaction):
        record = rhumbline("records", "show", identifier)
        assert record.code == 0, record.err
        assert f"transaction_id {transaction}" in record.words
        assert "transaction.seen" in record.out
        assert "The request for its quote: request one" in record.words
    (found,) = json.loads(rhumbline("records", "show", "one", "--json").out)
    assert [each["requestId"] for each in found["requests"]] == ["one"]
    assert found["events"][0]["type"] == "transaction.seen"
    failed(rhumbline("records", "show", "two"), 1, "was not answered with a transaction")
    (line,) = json.loads(rhumbline("records", "list", "--days", "3650", "--json").out)
    assert line["transaction ID"] == transaction
    assert json.loads(rhumbline("records", "list", "--days", "3650", "--status", "refunded", "--json").out) == []


def test_where_nothing_is_kept_the_setting_is_named(rhumbline: Command) -> None:
    failed(rhumbline("explain", "nope"), 1, "explanations.keep_hours (24)")
