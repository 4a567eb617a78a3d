"""Webhooks and their deliveries as the portal's pages show them. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from rhumbline.api.portal.display import moment
from rhumbline.domain.record_event import EventKind
from rhumbline.domain.webhook import Attempt, Webhook, WebhookDelivery

EVENTS: Mapping[str, str] = MappingProxyType({
    EventKind.SEEN.type: "A transaction was seen on its chain",
    EventKind.STATUS.type: "Its status changed, and is not the last one",
    EventKind.FINAL.type: "It ended: arrived, refunded or failed",
    EventKind.UPDATED.type: "Something else of it became known, as a fee or a value",
    EventKind.WITHDRAWN.type: "Its chain took it back (a reorganisation)",
})  # fmt: skip
"""What can be chosen, in words."""
_TONES: Mapping[str, str] = MappingProxyType({"pending": "soft", "delivered": "good", "failed": "bad"})


@dataclass(frozen=True, slots=True)
class EndpointRow:
    """An endpoint; ``tone`` colours its ``state``, ``trouble`` says what is wrong, None where nothing is."""

    id: str
    url: str
    types: str
    state: str
    tone: str
    trouble: str | None
    is_off: bool
    created: str
    old_until: str | None


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """An attempt: when, and what was answered after how long."""

    at: str
    answer: str


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    """A delivery, with its attempts, newest first; ``due`` is the time of the next one."""

    id: int
    number: str
    type: str
    state: str
    tone: str
    created: str
    due: str | None
    attempts: tuple[AttemptRow, ...]


def endpoint_row(webhook: Webhook) -> EndpointRow:
    is_off, since = webhook.off_at is not None, webhook.failing_since
    if webhook.off_at is not None:
        state, tone = "switched off", "bad"
        trouble = f"On {moment(webhook.off_at)}: {webhook.off_reason}. Nothing is sent to it."
    elif since is not None:
        state, tone = "failing", "mind"
        trouble = f"It has taken nothing since {moment(since)}. After a day of that it is switched off."
    else:
        state, tone, trouble = "active", "good", None
    until = webhook.old_until
    return EndpointRow(
        webhook.id,
        webhook.url,
        ", ".join(each.removeprefix("transaction.") for each in webhook.types),
        state,
        tone,
        trouble,
        is_off,
        moment(webhook.created_at),
        None if until is None else moment(until),
    )


def delivery_row(delivery: WebhookDelivery) -> DeliveryRow:
    return DeliveryRow(
        delivery.id,
        "test" if delivery.number is None else f"{delivery.number}",
        delivery.type,
        delivery.state,
        _TONES.get(delivery.state, "soft"),
        second(delivery.created_at).removesuffix(" UTC"),
        None if delivery.due_at is None or not delivery.attempts else second(delivery.due_at),
        tuple(AttemptRow(second(each.at), _answer(each)) for each in reversed(delivery.attempts)),
    )


def second(time: datetime) -> str:
    """Write a time in UTC, to the second."""
    return f"{time:%Y-%m-%d %H:%M:%S} UTC"


def _answer(attempt: Attempt) -> str:
    given = attempt.error if attempt.status is None else f"{attempt.status}"
    return f"{given} after {attempt.ms:,} ms"
