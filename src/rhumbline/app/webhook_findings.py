"""The doctor's line about webhooks: endpoints that do not take what is sent, and deliveries that nobody makes."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.app.checkups import Finding, State
from rhumbline.domain.duration import in_largest_unit
from rhumbline.domain.webhook import PushStanding, TroubledWebhook
from rhumbline.tracking.webhooks.push_state import standing, troubled

LATE_S = 60.0
"""A delivery that is due for so long, to an endpoint that works, is made by nobody."""
_MOST_NAMED = 3


async def webhook_findings(engine: AsyncEngine) -> list[Finding]:
    """Return what there is to say, nothing without any endpoint; raise a database error."""
    async with engine.connect() as connection:
        found, named = await standing(connection), await troubled(connection, _MOST_NAMED)
    return webhook_lines(found, named)


def webhook_lines(found: PushStanding, named: Sequence[TroubledWebhook]) -> list[Finding]:
    count = found.working + found.failing + found.off
    if not count:
        return []
    waiting = f"{found.waiting} deliveries wait"
    if found.waiting:
        waiting += f", the oldest for {in_largest_unit(found.oldest_s)}"
    faults = []
    if found.overdue_s > LATE_S:
        faults.append(
            f"nobody has delivered for {in_largest_unit(found.overdue_s)}: run rhumbline serve with tracking.enabled, "
            "or rhumbline worker"
        )
    if found.failing or found.off:
        each = "; ".join(map(_named, named))
        more = found.failing + found.off - len(named)
        faults.append(
            f"{found.failing} fail and {found.off} are switched off: {each}{f'; and {more} more' if more > 0 else ''}; "
            "rhumbline webhooks deliveries shows their answers, and enable switches one on"
        )
    text = f"{count} endpoints; {waiting}"
    if faults:
        return [Finding("webhooks", State.WARNS, "; ".join((text, *faults)))]
    return [Finding("webhooks", State.OK, text)]


def _named(webhook: TroubledWebhook) -> str:
    what = webhook.off_reason
    if what is None and webhook.failing_since is not None:
        what = f"fails since {webhook.failing_since.isoformat(timespec='minutes')}"
    return f"{webhook.id} of {webhook.integrator} ({what})"
