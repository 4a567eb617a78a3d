"""What an integrator's users did and what it earned: overview, transactions, fees."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.portal.access import Visitor
from rhumbline.api.portal.charts import DAYS, Bar, daily_bars
from rhumbline.api.portal.formatting import quantity
from rhumbline.api.portal.keys import is_live
from rhumbline.api.portal.rows import record_row
from rhumbline.api.portal.services import PortalServices
from rhumbline.api.portal.views import HOME, PortalViews
from rhumbline.domain.tracking import TransactionFilter, TransferState
from rhumbline.tracking.collected import CollectedFees

PAGE = 25
MOST_UNLISTED = 20
_LATEST = 5
_LONGEST_CURSOR = 4096


@dataclass(frozen=True, slots=True)
class Earned:
    """Fees in one token, with the bars of its chart."""

    chain: str
    symbol: str
    token: str
    total: str
    count: int
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Unlisted:
    """Fees in one token that is on no list: ``total`` in whole tokens, as its contract counts them, without a name."""

    chain: str
    token: str
    total: str
    count: int


@dataclass(frozen=True, slots=True)
class Earnings:
    """What an integrator earned in listed tokens, and apart from it in others, of which ``more`` are not shown."""

    earned: tuple[Earned, ...]
    others: tuple[Unlisted, ...]
    more: int


def record_routes(views: PortalViews) -> APIRouter:
    services = views.services

    async def get_overview(request: Request, visitor: Visitor) -> Response:
        integrator = await views.integrator(request, visitor)
        keys = await services.accounts.list_keys(integrator.name)
        latest = await services.listing.page(integrator.name, TransactionFilter(), _LATEST, None)
        return views.page(
            "overview.html",
            visitor,
            integrator=integrator,
            tab="overview",
            keys=sum(is_live(key, services.clock()) for key in keys),
            records=[record_row(services.chains, item) for item in latest.transactions],
            earnings=await earned_by(services, integrator.name),
            base_url=services.base_url,
        )

    async def get_transactions(request: Request, visitor: Visitor) -> Response:
        integrator = await views.integrator(request, visitor)
        status = request.query_params.get("status", "")
        cursor = request.query_params.get("cursor", "")[:_LONGEST_CURSOR] or None
        known = status in {str(state) for state in TransferState}
        wanted = TransactionFilter(status=TransferState(status) if known else None)
        page = await services.listing.page(integrator.name, wanted, PAGE, cursor)
        return views.page(
            "transactions.html",
            visitor,
            integrator=integrator,
            tab="transactions",
            records=[record_row(services.chains, item) for item in page.transactions],
            states=[str(state) for state in TransferState],
            chosen=status if known else "",
            cursor=cursor,
            following=page.next_cursor,
        )

    async def get_fees(request: Request, visitor: Visitor) -> Response:
        integrator = await views.integrator(request, visitor)
        return views.page(
            "fees.html",
            visitor,
            integrator=integrator,
            tab="fees",
            earnings=await earned_by(services, integrator.name),
            days=DAYS,
        )

    router, path = APIRouter(), HOME + "/i/{name}"
    for end, endpoint in (("", get_overview), ("/transactions", get_transactions), ("/fees", get_fees)):
        router.add_api_route(path + end, views.reading(endpoint), include_in_schema=False)
    return router


async def earned_by(services: PortalServices, integrator: str) -> Earnings:
    """Return earnings by token, with charts; unlisted tokens, which anybody can send, stand apart, few of them."""
    today = services.clock().astimezone(UTC).date()
    since = datetime.combine(today - timedelta(days=DAYS - 1), time(), UTC)
    found = await services.collected.of(integrator, since)
    others = [fees for fees in found if not fees.listed]
    return Earnings(
        tuple(_earned(services, fees, today) for fees in found if fees.listed),
        tuple(
            Unlisted(_network(services, fees), fees.token, quantity(fees.raw, fees.decimals), fees.count)
            for fees in others[:MOST_UNLISTED]
        ),
        max(len(others) - MOST_UNLISTED, 0),
    )


def _earned(services: PortalServices, fees: CollectedFees, today: date) -> Earned:
    return Earned(
        chain=_network(services, fees),
        symbol=fees.symbol,
        token=fees.token,
        total=quantity(fees.raw, fees.decimals, fees.symbol),
        count=fees.count,
        bars=daily_bars(fees.days, today, fees.decimals, fees.symbol),
    )


def _network(services: PortalServices, fees: CollectedFees) -> str:
    chain = services.chains.by_id(fees.chain_id)
    return str(fees.chain_id) if chain is None else chain.name
