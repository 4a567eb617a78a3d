"""An integrator's pages: overview, transactions with CSV, fees."""

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from rhumbline.api.portal.access import Refused, Visitor
from rhumbline.api.portal.csv_export import AT_ONCE, MOST_ROWS, csv_lines
from rhumbline.api.portal.earnings import SPANS, Span, earned_by, read_span
from rhumbline.api.portal.filters import read_search, written_position
from rhumbline.api.portal.first_command import first_command
from rhumbline.api.portal.rows import STATES, record_row
from rhumbline.api.portal.views import PortalViews
from rhumbline.api.portal.webhook_rows import endpoint_row
from rhumbline.domain.account import Integrator
from rhumbline.domain.sentence import Sentence, joined
from rhumbline.domain.tracking import TrackedTransaction, TransferState
from rhumbline.tracking.pages import HistoryFilter

PAGE = 25
_LATEST = 5


def record_routes(views: PortalViews) -> list[Route]:
    """Return the routes of an integrator's overview, transactions and fees; errors become pages."""
    services = views.services

    async def get_overview(request: Request, visitor: Visitor, integrator: Integrator) -> Response:
        keys = await services.accounts.list_keys(integrator.name)
        latest, _ = await services.listing.history(integrator.name, HistoryFilter(), _LATEST)
        endpoints = [endpoint_row(visitor.language, each) for each in await services.webhooks.all(integrator.name)]
        return views.page(
            "overview.html",
            visitor,
            integrator=integrator,
            tab="overview",
            keys=sum(key.is_live(services.clock()) for key in keys),
            command=first_command(services, visitor.wallet),
            records=[record_row(visitor.language, services.chains, services.tool_names, item) for item in latest],
            earnings=await earned_by(visitor.language, services, integrator.name, Span()),
            days=Span().days,
            troubled=[row for row in endpoints if row.trouble is not None],
        )

    async def get_transactions(request: Request, visitor: Visitor, integrator: Integrator) -> Response:
        search = read_search(request.query_params, services.chains, services.tokens)
        found: tuple[TrackedTransaction, ...] = ()
        following = None
        if not search.faults:
            found, following = await services.listing.history(integrator.name, search.wanted, PAGE, search.after)
        return views.page(
            "transactions.html",
            visitor,
            400 if search.faults else 200,
            integrator=integrator,
            tab="transactions",
            records=[record_row(visitor.language, services.chains, services.tool_names, item) for item in found],
            states=[(state, STATES[state]) for state in TransferState],
            chains=list(services.chains),
            search=search,
            older=None if following is None else search.address(cursor=written_position(following)),
        )

    async def get_csv(request: Request, visitor: Visitor, integrator: Integrator) -> Response:
        search = read_search(request.query_params, services.chains, services.tokens)
        if search.faults:
            raise Refused(400, Sentence("Not possible"), joined(search.faults.values()))
        await views.count(request)
        if await services.listing.count(integrator.name, search.wanted, MOST_ROWS + 1) > MOST_ROWS:
            told = Sentence(
                "These are more than %(most)s transactions, the most of one file: choose a shorter time",
                most=visitor.language.number(MOST_ROWS),
            )
            raise Refused(400, Sentence("Too many"), told)
        lines = csv_lines(
            services.chains,
            lambda after: services.listing.history(integrator.name, search.wanted, AT_ONCE, after),
        )
        headers = {
            "content-disposition": f'attachment; filename="{integrator.name}-transactions.csv"',
            "cache-control": "no-store",
        }
        return StreamingResponse(lines, 200, headers, "text/csv; charset=utf-8")

    async def get_fees(request: Request, visitor: Visitor, integrator: Integrator) -> Response:
        span = read_span(request.query_params, services)
        return views.page(
            "fees.html",
            visitor,
            400 if span.faults else 200,
            integrator=integrator,
            tab="fees",
            span=span,
            spans=SPANS,
            chains=list(services.chains),
            earnings=None if span.faults else await earned_by(visitor.language, services, integrator.name, span),
        )

    return [
        views.reading("", get_overview),
        views.reading("/transactions", get_transactions),
        views.reading("/transactions.csv", get_csv),
        views.reading("/fees", get_fees),
    ]
