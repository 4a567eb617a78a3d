"""Webhooks: an integrator's endpoints, and what was delivered to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from rhumbline.domain.record_event import EventKind

TEST = "webhook.test"
"""The type of the message that shows whether an endpoint works."""
TYPES = tuple(kind.type for kind in EventKind)
DEFAULT_TYPES = (EventKind.SEEN.type, EventKind.STATUS.type, EventKind.FINAL.type, EventKind.WITHDRAWN.type)


@dataclass(frozen=True, slots=True)
class Webhook:
    """An endpoint, without its secret; ``off_reason`` says why nothing is sent to it, None while something is.

    ``old_until`` is the time until which the secret before signs too, None once it does not.
    """

    id: str
    integrator: str
    url: str
    types: Sequence[str]
    created_at: datetime
    failing_since: datetime | None
    off_at: datetime | None
    off_reason: str | None
    old_until: datetime | None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt: the status that was answered, or why there was none."""

    at: datetime
    status: int | None
    error: str | None
    ms: int


@dataclass(frozen=True, slots=True)
class WebhookDelivery:
    """One event for one endpoint: ``pending``, ``delivered``, ``failed``, or ``skipped`` where it was withdrawn since.

    ``number`` is the event's, None for a test; ``due_at`` is the time of the next attempt.
    """

    id: int
    number: int | None
    type: str
    state: str
    due_at: datetime | None
    created_at: datetime
    attempts: Sequence[Attempt]


@dataclass(frozen=True, slots=True)
class PushStanding:
    """How all deliveries stand. ``written`` events were ever written, of ``unqueued`` no delivery was made yet.

    ``waiting`` deliveries to endpoints that are on wait for an attempt, the oldest for ``oldest_s`` seconds; of these
    ``retrying`` have failed before. To an endpoint that does not fail an attempt is due for ``overdue_s`` at most. The
    rest are numbers of endpoints.
    """

    written: int
    unqueued: int
    waiting: int
    retrying: int
    oldest_s: float
    overdue_s: float
    working: int
    failing: int
    off: int


@dataclass(frozen=True, slots=True)
class TroubledWebhook:
    """An endpoint that fails, or is switched off for ``off_reason``."""

    id: str
    integrator: str
    failing_since: datetime | None
    off_reason: str | None
