"""The doctor's line about webhooks."""

from datetime import UTC, datetime

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.app.checkups import State
from rhumbline.app.webhook_findings import webhook_findings, webhook_lines
from rhumbline.domain.webhook import PushStanding, TroubledWebhook
from tests.tracking.webhooks.running_webhooks import webhooks

OFF = TroubledWebhook("wh_1", "acme", None, "it answered 410 Gone")
FAILING = TroubledWebhook("wh_2", "acme", datetime(2026, 11, 27, 10, tzinfo=UTC), None)
WELL = PushStanding(9, 0, 0, 0, 0, 0, 3, 0, 0)


async def test_a_store_without_webhooks_has_no_line(store_engine: AsyncEngine) -> None:
    assert await webhook_findings(store_engine) == []
    hook, _ = await webhooks(store_engine).add("acme", "https://example.com/secret-path")
    (found,) = await webhook_findings(store_engine)
    assert (found.state, found.text) == (State.OK, "1 endpoints; 0 deliveries wait")
    assert hook.id


@pytest.mark.parametrize(
    ("found", "named", "state", "words"),
    [
        (WELL, [], State.OK, "3 endpoints; 0 deliveries wait"),
        (PushStanding(9, 0, 4, 0, 30, 30, 3, 0, 0), [], State.OK, "4 deliveries wait, the oldest for 30 s"),
        (
            PushStanding(9, 0, 4, 0, 900, 600, 3, 0, 0),
            [],
            State.WARNS,
            "nobody has delivered for 10 min: run",
        ),
        (
            PushStanding(9, 0, 4, 1, 9000, 0, 3, 1, 1),
            [FAILING, OFF],
            State.WARNS,
            "the oldest for 2 h; 1 fail and 1",
        ),
        (PushStanding(9, 0, 0, 0, 0, 0, 0, 0, 1), [OFF], State.WARNS, "wh_1 of acme (it answered 410 Gone); rhumbline"),
        (
            PushStanding(9, 0, 0, 0, 0, 0, 0, 3, 1),
            [FAILING],
            State.WARNS,
            "since 2026-11-27T10:00+00:00); and 3",
        ),
    ],
)
def test_it_names_what_is_to_be_done(
    found: PushStanding, named: list[TroubledWebhook], state: State, words: str
) -> None:
    (line,) = webhook_lines(found, named)
    assert line.state is state
    assert words in line.text
