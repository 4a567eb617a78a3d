"""What an integrator's requests came to: volume and failures over time, by endpoint, and the latest failures."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rhumbline.accounts.request_history import EndpointUse, Part, Span
from rhumbline.accounts.request_store import EVERY_S
from rhumbline.accounts.request_tally import BOUNDS_MS
from rhumbline.api.pages.language import Language
from rhumbline.api.portal.access import Visitor
from rhumbline.api.portal.charts import Amount, Charts, column_charts
from rhumbline.api.portal.display import brief, labelled
from rhumbline.api.portal.views import PortalViews
from rhumbline.domain.account import Integrator
from rhumbline.domain.sentence import Sentence

SPANS = (
    (Span.HOUR, Sentence("the last hour")),
    (Span.DAY, Sentence("the last day")),
    (Span.WEEK, Sentence("the last 7 days")),
    (Span.MONTH, Sentence("the last 30 days")),
    (Span.QUARTER, Sentence("the last 90 days")),
)
FAILURES = 20


@dataclass(frozen=True, slots=True)
class EndpointRow:
    """An endpoint in the table."""

    endpoint: str
    requests: str
    refused: str
    failed: str
    share: str
    median: str
    p95: str
    slowest: str
    statuses: str


def request_routes(views: PortalViews) -> list[Route]:
    services = views.services

    async def get_requests(request: Request, visitor: Visitor, integrator: Integrator) -> Response:
        wanted, number = (request.query_params.get(name, "") for name in ("span", "key"))
        keys = {str(key.id): key for key in await services.accounts.list_keys(integrator.name)}
        language = visitor.language
        faults = []
        if wanted and wanted not in set(Span):
            faults.append(Sentence("span: must be one of %(spans)s", spans=", ".join(Span)))
        if number and number not in keys:
            faults.append(
                Sentence("key: %(integrator)s has no such key: see the list of its keys", integrator=integrator.name)
            )
        span = Span.DAY if faults or not wanted else Span(wanted)
        key_id = keys[number].id if number in keys else None
        found = await services.history.of(integrator.name, span, key_id)
        failures = await services.history.latest_failures(integrator.name, FAILURES, key_id)
        total = sum(part.requests for part in found.parts)
        failed = sum(part.refused + part.failed for part in found.parts)
        return views.page(
            "requests.html",
            visitor,
            400 if faults else 200,
            integrator=integrator,
            tab="requests",
            faults=faults,
            span=span,
            spans=SPANS,
            keys=list(reversed(keys.values())),
            chosen=number,
            total=total,
            failed=failed,
            share=share_of(language, failed, total),
            volume=_charts(language, language.say("Requests"), span, [(part, part.requests) for part in found.parts]),
            failing=_charts(
                language,
                language.say("Refused and failed requests"),
                span,
                [(part, part.refused + part.failed) for part in found.parts],
            ),
            parts_shown=[
                (moment_of(language, part.start, span), part) for part in reversed(found.parts) if part.requests
            ],
            endpoints=[_row(language, use) for use in found.endpoints],
            failures=[(each, language.exact_moment(each.at), keys.get(str(each.key_id))) for each in failures],
            every=int(EVERY_S),
        )

    return [views.reading("/requests", get_requests)]


def moment_of(language: Language, start: datetime, span: Span) -> str:
    """Name a part of a span by its start, in UTC."""
    if span in (Span.HOUR, Span.DAY):
        return f"{start:%H:%M}"
    return language.day_name(start)


def share_of(language: Language, part: int, whole: int) -> str:
    """Write a share in per cent with one decimal, cut off; some is never written as none."""
    if not whole or not part:
        return language.percent("0")
    tenths = part * 1000 // whole
    return language.percent(f"{tenths // 10}.{tenths % 10}") if tenths else f"< {language.percent('0.1')}"


def _charts(language: Language, what: str, span: Span, parts: Sequence[tuple[Part, int]]) -> Charts | None:
    """Draw the parts of a span, None where there is nothing to draw."""
    if not any(number for _, number in parts):
        return None

    def axis(number: int) -> str:
        return brief(language, number, 0)

    label = language.say("%(what)s, %(time)s", what=what, time=dict(SPANS)[span])
    amounts = [
        Amount(
            number,
            moment_of(language, part.start, span),
            labelled(language, language.moment(part.start), language.number(number)),
        )
        for part, number in parts
    ]
    return column_charts(label, amounts, axis, language.number)


def _row(language: Language, use: EndpointUse) -> EndpointRow:
    number = language.number
    return EndpointRow(
        use.endpoint,
        number(use.requests),
        number(use.refused),
        number(use.failed),
        share_of(language, use.refused + use.failed, use.requests),
        _at_most(language, use.median_ms),
        _at_most(language, use.p95_ms),
        language.milliseconds(use.slowest_ms),
        ", ".join(f"{number(requests)} × {status}" for status, requests in use.statuses),
    )


def _at_most(language: Language, ms: int | None) -> str:
    return f"> {language.milliseconds(BOUNDS_MS[-1])}" if ms is None else f"≤ {language.milliseconds(ms)}"
