"""``GET /v1/scorecards``: how adapters did, by day and pair of chains. Beyond the contract."""

from dataclasses import replace
from fractions import Fraction

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.http.headers import FOR_A_MINUTE
from rhumbline.api.parameters.lists import Names
from rhumbline.api.parameters.parameter import CHAIN_ID, Parameter, Reading, Whole
from rhumbline.api.parameters.source import query_source
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.scorecard import ScorecardList
from rhumbline.api.wire.shape import answer
from rhumbline.catalog.tools import KNOWN_ADAPTERS
from rhumbline.domain.scorecard import AdapterPair, RecordRanking, ScorecardFilter, Scorecards

SCORECARDS = "/v1/scorecards"
MOST_DAYS, _DAYS = 90, 7
MOST_RECORDS = 500
DAYS = Parameter(
    "days", Whole(1, MOST_DAYS, default=_DAYS), "Of the last days, today (UTC) included.", "7",
    remedy=f"a number from 1 to {MOST_DAYS}",
)  # fmt: skip
ADAPTERS = Parameter(
    "adapters", Names(tuple(KNOWN_ADAPTERS), "adapters"), "Comma-separated keys: only these.", "ACROSS,RELAY",
    remedy="keys of adapters, separated by commas; GET /v1/tools lists them",
)  # fmt: skip
SOURCE_CHAIN = Parameter(
    "sourceChainId", CHAIN_ID, "Only from this chain.", "1", remedy="the chain's numeric ID; GET /v1/chains lists them"
)
DEST_CHAIN = Parameter(
    "destChainId", CHAIN_ID, "Only to this chain.", "8453", remedy="the chain's numeric ID; GET /v1/chains lists them"
)
_SCORECARDS = Operation(
    "getScorecards",
    "Metadata",
    "How adapters did",
    "By adapter, pair of chains and day: how often it was asked and what came of that, and of the transactions that "
    "were executed, what arrived compared with what was quoted, and how long it took. Beside that, what it costs "
    "adapters in the ranking. At most 500 scorecards, the newest day first; the figures are up to a minute old. "
    "Beyond the contract.",
    (DAYS, ADAPTERS, SOURCE_CHAIN, DEST_CHAIN),
    (400, 404, 429, 503),
)


def scorecard_route(services: Services) -> ApiRoute:
    """Return the route; it raises StoreUnavailable if the store does not answer."""

    async def get_scorecards(request: Request) -> Response:
        wanted = _read(request, services)
        found = Scorecards((), complete=True, read_at=services.clock())
        if services.scorecards is not None:
            found = await services.scorecards.by_day(wanted)
        ranking = None if services.record_ranking is None else services.record_ranking()
        return answer(ScorecardList.of(found, _narrowed(ranking, wanted)), headers=FOR_A_MINUTE)

    return ApiRoute(SCORECARDS, get_scorecards, _SCORECARDS, ScorecardList)


def _read(request: Request, services: Services) -> ScorecardFilter:
    reading = Reading(query_source(request.scope["query_string"]))
    days, adapters = reading.take(DAYS), reading.take(ADAPTERS)
    origin, destination = reading.take(SOURCE_CHAIN), reading.take(DEST_CHAIN)
    for parameter, chain_id in ((SOURCE_CHAIN, origin), (DEST_CHAIN, destination)):
        if chain_id is not None and chain_id not in services.chains.by_id:
            reading.unknown_chain(parameter.name, chain_id)
    reading.finish()
    return ScorecardFilter(days or _DAYS, None if adapters is None else frozenset(adapters), origin, destination)


def _narrowed(ranking: RecordRanking | None, wanted: ScorecardFilter) -> RecordRanking:
    if ranking is None:
        return RecordRanking(Fraction(0), ())
    records = [each for each in ranking.records if _is_wanted(each.pair, wanted)]
    return replace(ranking, records=tuple(records[:MOST_RECORDS]))


def _is_wanted(pair: AdapterPair, wanted: ScorecardFilter) -> bool:
    return (
        (wanted.adapters is None or pair.adapter in wanted.adapters)
        and wanted.origin_chain_id in (None, pair.origin_chain_id)
        and wanted.destination_chain_id in (None, pair.destination_chain_id)
    )
