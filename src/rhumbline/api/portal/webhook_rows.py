"""Webhooks and their deliveries as the portal's pages show them. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.api.pages.language import Language
from rhumbline.domain.record_event import EventKind
from rhumbline.domain.sentence import Sentence
from rhumbline.domain.webhook import Attempt, Webhook, WebhookDelivery

EVENTS: Mapping[str, Sentence] = MappingProxyType({
    EventKind.SEEN.type: Sentence("A transaction was seen on its chain"),
    EventKind.STATUS.type: Sentence("Its status changed, and is not the last one"),
    EventKind.FINAL.type: Sentence("It ended: arrived, refunded or failed"),
    EventKind.UPDATED.type: Sentence("Something else of it became known, as a fee or a value"),
    EventKind.WITHDRAWN.type: Sentence("Its chain took it back (a reorganisation)"),
})  # fmt: skip
"""What can be chosen, in words."""
_STATES: Mapping[str, Sentence] = MappingProxyType(
    {"pending": Sentence("pending"), "delivered": Sentence("delivered"), "failed": Sentence("failed")}
)
_STORED: Mapping[str, Sentence] = MappingProxyType({
    str(each): each
    for each in (
        Sentence("it answered 410 Gone"),
        Sentence("it took nothing for a day"),
        Sentence("not a public address"),
        Sentence("not a valid address"),
        Sentence("no answer in time"),
        Sentence("no valid certificate"),
        Sentence("no such host"),
        Sentence("cannot connect"),
        Sentence("not a valid answer"),
    )
})  # fmt: skip
"""What the store has as a text: why an attempt failed, or an endpoint was switched off."""
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
    """A delivery, with its attempts, newest first; ``due`` is the time of the next one.

    A test has no ``number``.
    """

    id: int
    number: str | None
    type: str
    state: str
    tone: str
    created: str
    due: str | None
    attempts: tuple[AttemptRow, ...]


def endpoint_row(language: Language, webhook: Webhook) -> EndpointRow:
    is_off, since = webhook.off_at is not None, webhook.failing_since
    if webhook.off_at is not None:
        state, tone = language.say("switched off"), "bad"
        trouble = language.say(
            "On %(time)s: %(reason)s. Nothing is sent to it.",
            time=language.moment(webhook.off_at),
            reason=_STORED.get(webhook.off_reason or "", webhook.off_reason),
        )
    elif since is not None:
        state, tone = language.say("failing"), "mind"
        trouble = language.say(
            "It has taken nothing since %(time)s. After a day of that it is switched off.", time=language.moment(since)
        )
    else:
        state, tone, trouble = language.say("active"), "good", None
    until = webhook.old_until
    return EndpointRow(
        webhook.id,
        webhook.url,
        ", ".join(each.removeprefix("transaction.") for each in webhook.types),
        state,
        tone,
        trouble,
        is_off,
        language.moment(webhook.created_at),
        None if until is None else language.moment(until),
    )


def delivery_row(language: Language, delivery: WebhookDelivery) -> DeliveryRow:
    return DeliveryRow(
        delivery.id,
        None if delivery.number is None else f"{delivery.number}",
        delivery.type,
        language.translated(_STATES[delivery.state]) if delivery.state in _STATES else delivery.state,
        _TONES.get(delivery.state, "soft"),
        language.exact_moment(delivery.created_at).removesuffix(" UTC"),
        None if delivery.due_at is None or not delivery.attempts else language.exact_moment(delivery.due_at),
        tuple(
            AttemptRow(language.exact_moment(each.at), _answer(language, each)) for each in reversed(delivery.attempts)
        ),
    )


def _answer(language: Language, attempt: Attempt) -> str:
    given = _STORED.get(attempt.error or "", attempt.error) if attempt.status is None else f"{attempt.status}"
    return language.say("%(answer)s after %(time)s", answer=given, time=language.milliseconds(attempt.ms))
