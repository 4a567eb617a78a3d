"""Webhooks and deliveries in words."""

from datetime import timedelta

from rhumbline.api.pages.language import ENGLISH
from rhumbline.api.portal.webhook_rows import EVENTS, AttemptRow, delivery_row, endpoint_row
from rhumbline.domain.webhook import TYPES, Attempt, Webhook, WebhookDelivery
from tests.portal_fixture import BEGIN

HOUR = timedelta(hours=1)


def test_every_event_has_its_words() -> None:
    assert tuple(EVENTS) == TYPES


def test_an_endpoint_is_active_failing_or_off() -> None:
    given = ("wh_1", "acme", "https://example.com/a", ("transaction.seen", "transaction.final"), BEGIN)
    active = endpoint_row(ENGLISH, Webhook(*given, None, None, None, BEGIN + HOUR))
    assert (active.state, active.trouble, active.types, active.old_until) == (
        "active",
        None,
        "seen, final",
        "2026-11-21 13:00 UTC",
    )
    failing = endpoint_row(ENGLISH, Webhook(*given, BEGIN, None, None, None))
    assert (failing.state, failing.tone, failing.is_off) == ("failing", "mind", False)
    assert failing.trouble == "It has taken nothing since 2026-11-21 12:00 UTC. After a day of that it is switched off."
    off = endpoint_row(ENGLISH, Webhook(*given, BEGIN, BEGIN + HOUR, "it answered 410 Gone", None))
    assert (off.state, off.is_off) == ("switched off", True)
    assert off.trouble == "On 2026-11-21 13:00 UTC: it answered 410 Gone. Nothing is sent to it."


def test_a_delivery_tells_of_its_attempts_newest_first() -> None:
    attempts = (Attempt(BEGIN, None, "no answer in time", 10_000), Attempt(BEGIN + HOUR, 503, None, 7))
    given = WebhookDelivery(9, 42, "transaction.final", "pending", BEGIN + 2 * HOUR, BEGIN, attempts)
    row = delivery_row(ENGLISH, given)
    assert (row.number, row.tone, row.due) == ("42", "soft", "2026-11-21 14:00:00 UTC")
    assert row.attempts == (
        AttemptRow("2026-11-21 13:00:00 UTC", "503 after 7 ms"),
        AttemptRow("2026-11-21 12:00:00 UTC", "no answer in time after 10,000 ms"),
    )
    test = delivery_row(ENGLISH, WebhookDelivery(10, None, "webhook.test", "delivered", None, BEGIN, ()))
    assert (test.number, test.tone, test.due) == (None, "good", None)
