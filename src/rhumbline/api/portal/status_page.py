"""``/status``: how the service is doing, for anybody, and ``/status.json``, the same for programs.

Everything comes from ``ServiceStatus``, in which there is no text of a node, an upstream or an integrator.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rhumbline.accounts.rate_limits import RateScope
from rhumbline.api.http.headers import NO_STORE
from rhumbline.api.pages.assets import OPEN
from rhumbline.api.portal.access import Refused
from rhumbline.api.portal.services import ReadStatus
from rhumbline.api.portal.views import PortalViews, retry_headers
from rhumbline.api.wire.service_status import StatusBody
from rhumbline.api.wire.shape import answer
from rhumbline.domain.duration import in_largest_unit
from rhumbline.domain.service_status import ChainStatus, NodeState, Overall, ServiceStatus, UpstreamState

STATUS = "/status"


class _Words(NamedTuple):
    """A state in words, and its colour."""

    text: str
    tone: str


_OVERALL: Mapping[Overall, _Words] = MappingProxyType({
    Overall.OK: _Words("Everything works", "good"),
    Overall.DEGRADED: _Words("Some parts do not work", "mind"),
    Overall.UNAVAILABLE: _Words("Not available", "bad"),
})  # fmt: skip
_NODES: Mapping[NodeState, _Words] = MappingProxyType({
    NodeState.ANSWERING: _Words("answering", "good"),
    NodeState.LATE: _Words("late", "mind"),
    NodeState.SILENT: _Words("silent", "bad"),
})  # fmt: skip
_UPSTREAMS: Mapping[UpstreamState, _Words] = MappingProxyType({
    UpstreamState.ANSWERING: _Words("answering", "good"),
    UpstreamState.QUIET: _Words("quiet", "soft"),
    UpstreamState.RATE_LIMITED: _Words("rate limited", "mind"),
    UpstreamState.BREAKER_OPEN: _Words("breaker open", "bad"),
    UpstreamState.PAUSED: _Words("paused", "mind"),
})  # fmt: skip


def status_routes(views: PortalViews, status: ReadStatus) -> list[Route]:
    """Return the routes of the page and of the JSON beside it."""

    async def get_page(request: Request) -> Response:
        try:
            await views.count(request, RateScope.STATUS)
        except Refused as refusal:
            page = views.page("status.html", None, refusal.status, shown=None, problem=refusal)
            page.headers.update(retry_headers(refusal))
            return page
        return views.page("status.html", None, shown=shown_status(await status()), problem=None)

    async def get_json(request: Request) -> Response:
        try:
            await views.count(request, RateScope.STATUS)
        except Refused as refusal:
            headers = {**NO_STORE, **OPEN, **retry_headers(refusal)}
            return JSONResponse({"error": refusal.text}, refusal.status, headers)
        return answer(StatusBody.of(await status()), headers={**NO_STORE, **OPEN})

    return [Route(STATUS, get_page), Route(f"{STATUS}.json", get_json)]


def shown_status(found: ServiceStatus) -> Mapping[str, object]:
    """Return what the template shows. Pure."""
    return {
        "overall": _OVERALL[found.overall],
        "at": found.at.strftime("%Y-%m-%d %H:%M:%S UTC"),
        "store_ok": found.store_ok,
        "clock_ok": found.clock_ok,
        "chains": [
            (each.name, _NODES[each.node], _head(each), _age(each.head_age_s), _tracking(each)) for each in found.chains
        ],
        "adapters": [(each.name, _UPSTREAMS[each.state]) for each in found.adapters],
        "transfers": (
            None
            if found.transfers is None
            else [(each.name, f"{each.count:,}") for each in found.transfers if each.count]
        ),
        "push": found.push,
        "paused": [(each.name, each.since.strftime("%Y-%m-%d %H:%M UTC"), each.reason) for each in found.paused],
    }


def _head(chain: ChainStatus) -> str:
    return "not known" if chain.head is None else f"{chain.head:,}"


def _age(seconds: int | None) -> str:
    return "not known" if seconds is None else in_largest_unit(seconds)


def _tracking(chain: ChainStatus) -> str:
    """Write how far a chain is followed."""
    if chain.followed is None:
        return "not known"
    if not chain.followed:
        return "not followed"
    if chain.behind is None:
        return "followed"
    return f"{chain.behind:,} block{'' if chain.behind == 1 else 's'} behind"
