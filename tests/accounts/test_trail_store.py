"""Trails are written in batches and found again, go in time, and a store that is away costs nobody anything."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine
from structlog.testing import capture_logs

from rhumbline.accounts.trail_store import AT_ONCE, LARGEST_BODY, MOST_FOUND, TrailHistory, TrailWriter, trails
from rhumbline.accounts.trails import Trails
from rhumbline.domain.account import ApiClient
from rhumbline.domain.sentence import Sentence
from rhumbline.domain.trail import AnswerNote, AskedNote, Leaving, Phase, TokenNote, Trail, TrailBody, TrailPart
from rhumbline.gateways.postgres.engine import create_engine
from tests.accounts.test_request_store import count
from tests.api.api_service import ACME, TX_ID, USDC
from tests.clocks import Clock
from tests.gateways.postgres.statements import statements

ASKED = AskedNote(1, 1, USDC, USDC, str(10**30), "RECOMMENDED", include_bridges=("ACROSS",))
TOKEN = TokenNote(1, USDC, "USDC", 6)


@pytest.fixture
def writer(store_engine: AsyncEngine, clock: Clock) -> TrailWriter:
    return TrailWriter(store_engine, Trails(clock), clock, timedelta(hours=24), 1_000)


@pytest.fixture
def history(store_engine: AsyncEngine) -> TrailHistory:
    return TrailHistory(store_engine)


def ended(writer: TrailWriter, name: str, caller: ApiClient | None = None, reason: str = "has no route") -> Trail:
    """A trail that has ended, and waits to be written."""
    trail = writer.trails.begin(name, "/v1/quotes", caller or ApiClient())
    trail.asked = ASKED
    trail.parts.append(TrailPart(TOKEN, TOKEN, "5", "RECOMMENDED", left=(Leaving("RELAY", Phase.QUOTE, "x", reason),)))
    trail.end(422, "NO_AVAILABLE_QUOTES", "Nobody")
    writer.trails.keep(trail)
    return trail


async def names(history: TrailHistory, most: int = 10) -> Sequence[str]:
    return [each.request_id for each in await history.latest(most)]


async def test_what_is_written_is_found_by_its_request_its_integrator_and_its_transaction(
    writer: TrailWriter, history: TrailHistory
) -> None:
    trail = ended(writer, "one", ApiClient(ACME, 7))
    trail.answers.append(AnswerNote(("RELAY",), "6", "5", TX_ID.lower()))
    await writer.write()
    (kept,) = await history.of("one")
    assert kept.body == TrailBody(ASKED, tuple(trail.parts), tuple(trail.answers), "Nobody")
    assert (kept.integrator, kept.key_id, kept.status, kept.code) == ("Acme", 7, 422, "NO_AVAILABLE_QUOTES")
    assert await history.of("one", "Acme") == await history.of(TX_ID.upper().replace("0X", "0x")) == (kept,)
    assert await history.of("one", "rival") == await history.of("other") == ()
    assert await history.latest(5, failed_only=True) == (kept,)
    assert await history.latest(5, "rival") == ()


async def test_a_sentence_that_pages_translate_is_written_as_its_text(
    writer: TrailWriter, history: TrailHistory
) -> None:
    trail = writer.trails.begin("one", "/v1/quotes", ApiClient())
    trail.asked = ASKED
    reason = Sentence("%(place)s is paused by the operator", place="RELAY")
    trail.parts.append(TrailPart(TOKEN, TOKEN, "5", "RECOMMENDED", left=(Leaving("RELAY", Phase.QUOTE, "x", reason),)))
    trail.end(503, "UNKNOWN", Sentence("%(place)s is paused", place="Quoting"))
    writer.trails.keep(trail)
    await writer.write()
    (kept,) = await history.of("one")
    assert kept.body.message == "Quoting is paused"
    assert kept.body.parts[0].left[0].reason == "RELAY is paused by the operator"


async def test_a_batch_is_one_statement_and_nothing_is_none(writer: TrailWriter, history: TrailHistory) -> None:
    await writer.write()
    with statements(writer.engine) as seen:
        await writer.write()
        assert seen == []
        for number in range(AT_ONCE):
            ended(writer, str(number))
        await writer.write()
        assert len(seen) == 1
    assert await names(history, 2) == [str(AT_ONCE - 1), str(AT_ONCE - 2)]
    assert await count(writer.engine, trails) == AT_ONCE


async def test_an_id_that_a_client_uses_again_and_again_is_found_a_few_times(
    writer: TrailWriter, history: TrailHistory
) -> None:
    for _ in range(MOST_FOUND + 1):
        ended(writer, "same")
    await writer.write()
    assert len(await history.of("same")) == MOST_FOUND


async def test_texts_that_the_store_cannot_hold_do_no_harm(writer: TrailWriter, history: TrailHistory) -> None:
    ended(writer, "nul", reason="a\x00b")
    ended(writer, "half", reason="\ud800")
    large = ended(writer, "large")
    large.parts *= LARGEST_BODY // 100
    await writer.write()
    assert await names(history) == ["large", "nul"]
    assert writer.trails.dropped == 1
    shown = {each.request_id: each.body for each in await history.latest(5)}
    assert shown["nul"].parts[0].left[0].reason == "a\ufffdb"
    assert shown["large"].parts == ()
    assert shown["large"].message.startswith("Nobody (what adapters answered is not kept")


async def test_old_ones_go_and_so_do_too_many(writer: TrailWriter, history: TrailHistory, clock: Clock) -> None:
    ended(writer, "old")
    await writer.write()
    clock.move(hours=24)
    ended(writer, "new")
    await writer.write()
    assert await names(history) == ["new", "old"], "it is just a day old"
    clock.move(minutes=1)
    await writer.write()
    assert await names(history) == ["new"]
    for number in range(5):
        ended(writer, str(number))
    await writer.write()
    clock.move(minutes=1)
    few = replace(writer, most_rows=2)
    await few.write()
    assert await names(history) == ["4", "3"]


async def test_while_the_store_is_away_a_bounded_number_waits(
    writer: TrailWriter, history: TrailHistory, clock: Clock
) -> None:
    away = create_engine("postgresql://nobody@127.0.0.1:9/none")
    lost = TrailWriter(away, writer.trails, clock, timedelta(hours=24), 1_000)
    for name in ("one", "two"):
        ended(writer, name)
    await lost.write()
    ended(writer, "three")
    await writer.write()
    await away.dispose()
    assert await names(history) == ["three", "two", "one"]
    assert writer.trails.dropped == 0


async def test_notes_do_not_wait_for_the_store(writer: TrailWriter, clock: Clock) -> None:
    """What they are made of is large, and there may be more than one statement takes."""
    away = create_engine("postgresql://nobody@127.0.0.1:9/none")
    noted: list[str] = []
    for number in range(AT_ONCE + 1):
        ended(writer, str(number)).later.append(lambda: noted.append("made"))
    await TrailWriter(away, writer.trails, clock, timedelta(hours=24), 1_000).write()
    await away.dispose()
    assert len(noted) == AT_ONCE + 1 == len(writer.trails.waiting())


async def test_a_note_that_fails_costs_that_note_alone(writer: TrailWriter, history: TrailHistory) -> None:
    def fail() -> None:
        raise KeyError("a fault of ours")

    faulty, sound = ended(writer, "faulty"), ended(writer, "sound")
    faulty.later.append(fail)
    sound.later.append(lambda: sound.answers.append(AnswerNote(("RELAY",), "6", "5", TX_ID.lower())))
    with capture_logs() as lines:
        await writer.write()
    assert [(each["event"], each["request_id"]) for each in lines] == [("trail_not_noted", "faulty")]
    assert await names(history) == ["sound", "faulty"]
    (kept,) = await history.of(TX_ID)
    assert kept.request_id == "sound"
    assert writer.trails.dropped == 0
