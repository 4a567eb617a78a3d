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
from rhumbline.api.pages.language import Language, language_of
from rhumbline.api.portal.access import Refused
from rhumbline.api.portal.scorecard_rows import scorecard_rows
from rhumbline.api.portal.services import ReadStatus
from rhumbline.api.portal.views import PortalViews, retry_headers
from rhumbline.api.wire.service_status import StatusBody
from rhumbline.api.wire.shape import answer
from rhumbline.domain.sentence import Sentence
from rhumbline.domain.service_status import ChainStatus, NodeState, Overall, ServiceStatus, UpstreamState

STATUS = "/status"


class _Words(NamedTuple):
    """A state in words, and its colour."""

    text: Sentence
    tone: str


_ANSWERING = _Words(Sentence("answering"), "good")
_OVERALL: Mapping[Overall, _Words] = MappingProxyType({
    Overall.OK: _Words(Sentence("Everything works"), "good"),
    Overall.DEGRADED: _Words(Sentence("Some parts do not work"), "mind"),
    Overall.UNAVAILABLE: _Words(Sentence("Not available"), "bad"),
})  # fmt: skip
_NODES: Mapping[NodeState, _Words] = MappingProxyType({
    NodeState.ANSWERING: _ANSWERING,
    NodeState.LATE: _Words(Sentence("late"), "mind"),
    NodeState.SILENT: _Words(Sentence("silent"), "bad"),
})  # fmt: skip
_UPSTREAMS: Mapping[UpstreamState, _Words] = MappingProxyType({
    UpstreamState.ANSWERING: _ANSWERING,
    UpstreamState.QUIET: _Words(Sentence("quiet"), "soft"),
    UpstreamState.RATE_LIMITED: _Words(Sentence("rate limited"), "mind"),
    UpstreamState.BREAKER_OPEN: _Words(Sentence("breaker open"), "bad"),
    UpstreamState.PAUSED: _Words(Sentence("paused"), "mind"),
})  # fmt: skip


def status_routes(views: PortalViews, status: ReadStatus) -> list[Route]:
    """Return the routes of the page and of the JSON beside it."""

    async def get_page(request: Request) -> Response:
        language = language_of(request)
        try:
            await views.count(request, RateScope.STATUS)
        except Refused as refusal:
            page = views.page("status.html", None, refusal.status, language=language, shown=None, problem=refusal)
            page.headers.update(retry_headers(refusal))
            return page
        shown = shown_status(language, await status())
        return views.page("status.html", None, language=language, shown=shown, problem=None)

    async def get_json(request: Request) -> Response:
        try:
            await views.count(request, RateScope.STATUS)
        except Refused as refusal:
            headers = {**NO_STORE, **OPEN, **retry_headers(refusal)}
            return JSONResponse({"error": refusal.text}, refusal.status, headers)
        return answer(StatusBody.of(await status()), headers={**NO_STORE, **OPEN})

    return [Route(STATUS, get_page), Route(f"{STATUS}.json", get_json)]


def shown_status(language: Language, found: ServiceStatus) -> Mapping[str, object]:
    """Return what the template shows. Pure."""
    return {
        "overall": language.translated(_OVERALL[found.overall].text),
        "tone": _OVERALL[found.overall].tone,
        "at": language.exact_moment(found.at),
        "store_ok": found.store_ok,
        "clock_ok": found.clock_ok,
        "chains": [_chain(language, each) for each in found.chains],
        "adapters": [
            (each.name, language.translated(_UPSTREAMS[each.state].text), _UPSTREAMS[each.state].tone)
            for each in found.adapters
        ],
        "transfers": (
            None
            if found.transfers is None
            else [(each.name, language.number(each.count)) for each in found.transfers if each.count]
        ),
        "push": found.push,
        "scorecards": None if found.scorecards is None else scorecard_rows(language, found.scorecards),
        "paused": [(language.translated(each.name), language.moment(each.since), each.reason) for each in found.paused],
    }


def _chain(language: Language, chain: ChainStatus) -> tuple[str, str, str, str, str, str]:
    """Return a chain's name, its node's state and colour, head, the head's age, and how far it is followed."""
    unknown = language.say("not known")
    return (
        chain.name,
        language.translated(_NODES[chain.node].text),
        _NODES[chain.node].tone,
        unknown if chain.head is None else language.number(chain.head),
        unknown if chain.head_age_s is None else language.duration(chain.head_age_s),
        language.translated(_tracking(language, chain)),
    )


def _tracking(language: Language, chain: ChainStatus) -> Sentence:
    """Say how far a chain is followed."""
    if chain.followed is None:
        return Sentence("not known")
    if not chain.followed:
        return Sentence("not followed")
    if chain.behind is None:
        return Sentence("followed")
    blocks = language.number(chain.behind)
    return Sentence.counted("%(blocks)s block behind", "%(blocks)s blocks behind", chain.behind, blocks=blocks)
