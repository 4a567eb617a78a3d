"""Webhooks: endpoints, their secrets, and what was delivered."""

from typing import Annotated, Any

from pydantic import Field

from rhumbline.api.wire.shape import Timestamp, Wire
from rhumbline.domain.webhook import TYPES, Attempt, Webhook, WebhookDelivery

_Secret = Annotated[str, Field(description="`whsec_…`, the key of the signatures; it is not shown again.")]
_Types = Annotated[
    list[str],
    Field(
        description="Which events are sent.",
        json_schema_extra={"items": {"type": "string", "enum": list(TYPES)}},
    ),
]


class WebhookAnswer(Wire):
    """An endpoint."""

    id: str
    url: str
    events: _Types
    enabled: Annotated[bool, Field(description="Whether anything is sent to it.")]
    off_reason: Annotated[str | None, Field(description="Why it was switched off.")]
    off_at: Timestamp | None
    failing_since: Annotated[Timestamp | None, Field(description="Since when it has taken nothing.")]
    created_at: Timestamp


class NewWebhook(WebhookAnswer):
    """An endpoint that was just added."""

    secret: _Secret


class WebhookList(Wire):
    """The integrator's endpoints, oldest first."""

    webhooks: list[WebhookAnswer]


class WebhookSecret(Wire):
    """An endpoint's new secret."""

    id: str
    secret: _Secret


class WebhookRemoved(Wire):
    """An endpoint that was removed."""

    id: str


class WebhookAttempt(Wire):
    """One attempt of a delivery."""

    at: Timestamp
    status: Annotated[int | None, Field(description="What the endpoint answered; null without an answer.")]
    error: str | None
    ms: int


class WebhookDeliveryAnswer(Wire):
    """One event for one endpoint."""

    id: int
    number: Annotated[int | None, Field(description="The event's; null for a test.")]
    type: str
    state: Annotated[str, Field(description="`pending`, `delivered`, `failed`, `skipped`.")]
    next_attempt_at: Timestamp | None
    created_at: Timestamp
    attempts: list[WebhookAttempt]


class WebhookDeliveries(Wire):
    """An endpoint's deliveries, newest first."""

    deliveries: list[WebhookDeliveryAnswer]


def to_webhook(webhook: Webhook) -> WebhookAnswer:
    return WebhookAnswer(**_fields(webhook))


def to_new_webhook(webhook: Webhook, secret: str) -> NewWebhook:
    return NewWebhook(**_fields(webhook), secret=secret)


def to_delivery(delivery: WebhookDelivery) -> WebhookDeliveryAnswer:
    return WebhookDeliveryAnswer(
        id=delivery.id,
        number=delivery.number,
        type=delivery.type,
        state=delivery.state,
        next_attempt_at=delivery.due_at,
        created_at=delivery.created_at,
        attempts=[_attempt(each) for each in delivery.attempts],
    )


def _fields(webhook: Webhook) -> dict[str, Any]:
    return {
        "id": webhook.id,
        "url": webhook.url,
        "events": list(webhook.types),
        "enabled": webhook.off_at is None,
        "off_reason": webhook.off_reason,
        "off_at": webhook.off_at,
        "failing_since": webhook.failing_since,
        "created_at": webhook.created_at,
    }


def _attempt(attempt: Attempt) -> WebhookAttempt:
    return WebhookAttempt(at=attempt.at, status=attempt.status, error=attempt.error, ms=attempt.ms)
