"""What the HTTP floor needs from other floors, built by the wiring."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rhumbline.accounts.admission import Admission
from rhumbline.accounts.counters import Limiter
from rhumbline.accounts.request_tally import RequestTally
from rhumbline.accounts.trails import Trails
from rhumbline.api.http.event_stream import StreamPlaces
from rhumbline.api.http.message_signatures import AnswerSigner
from rhumbline.api.http.request_log import RequestLog, log_request
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.catalog.tools import ToolCatalog
from rhumbline.domain.account import ApiClient
from rhumbline.domain.clock import Clock
from rhumbline.domain.followed_chain import FollowedChain
from rhumbline.domain.indicative import IndicativePrice, PairRequest
from rhumbline.domain.plan import Plan, StepRequest
from rhumbline.domain.price import PriceKey, PriceSnapshot
from rhumbline.domain.route import OnAnswer, RouteAnswer, RouteRequest
from rhumbline.domain.scorecard import RecordRanking, ScorecardFilter, Scorecards
from rhumbline.domain.spans import Tracing
from rhumbline.domain.tracking import (
    PublicRecord,
    TrackedTransaction,
    TransactionFilter,
    TransactionPage,
    TransactionRecord,
)
from rhumbline.domain.trail import KeptTrail
from rhumbline.pricing.answer_cache import CachedAnswer
from rhumbline.tracking.record_events.feed import EventFeed
from rhumbline.tracking.webhooks.endpoints import Webhooks


class QuoteAnswerer(Protocol):
    """Answers quotes."""

    async def __call__(self, request: RouteRequest, on_answer: OnAnswer | None = None, /) -> RouteAnswer:
        """Return the best route after reporting each adapter's offer; raise a RhumblineError that says why not."""
        ...


class RoutePlanner(Protocol):
    """Plans of one or several steps; each call raises a RhumblineError that says why there is none."""

    async def routes(self, request: RouteRequest, most: int, /) -> tuple[Plan, ...]:
        """Return at most ``most`` plans, best first."""
        ...

    async def step(self, request: StepRequest, /) -> RouteAnswer:
        """Return a step quoted again, with its transaction."""
        ...


class PairPricer(Protocol):
    """Prices pairs of tokens without a wallet."""

    def known(self, request: PairRequest, /) -> IndicativePrice | None:
        """Return a price that is cached."""
        ...

    async def price(self, request: PairRequest, /) -> IndicativePrice:
        """Return a price; raise a RhumblineError that says why there is none."""
        ...


class TransactionListing(Protocol):
    """The records of one integrator; another's look like unknown ones."""

    async def page(
        self, integrator: str, filter: TransactionFilter, limit: int, cursor: str | None, /
    ) -> TransactionPage:
        """Return at most ``limit`` records, newest first; raise InvalidRequest naming ``cursor`` for a bad one."""
        ...

    async def find(self, integrator: str, lookup_key: str, /) -> TrackedTransaction | None:
        """Return the record with this transaction ID, source hash or destination hash."""
        ...

    async def seen(self, transaction_id: str, /) -> PublicRecord | None:
        """Return the public part of the earliest record with this full transaction ID, of any integrator."""
        ...

    def shown(self, record: TransactionRecord, /) -> TrackedTransaction:
        """Return a record as its integrator sees it."""
        ...

    def public(self, record: TransactionRecord, /) -> PublicRecord:
        """Return the part of a record that anybody with its ID may see."""
        ...


class TrailReader(Protocol):
    """What is kept of requests for quotes."""

    async def of(self, identifier: str, integrator: str | None = None, /) -> tuple[KeptTrail, ...]:
        """Return the trails under a request's ID, or of an answered transaction ID; of an integrator only its own."""
        ...


class ScorecardSource(Protocol):
    """How adapters did."""

    async def by_day(self, wanted: ScorecardFilter, /) -> Scorecards:
        """Return the scorecards of each day, newest first; raise StoreUnavailable."""
        ...


def never_known(key: str | None) -> ApiClient | None:
    """Identify only clients without a key: the owner of a key always has to be looked up."""
    return ApiClient() if key is None else None


@dataclass(frozen=True, slots=True)
class Services:
    """Everything a handler may call.

    ``quotes`` answers a checked request or raises a RhumblineError, like ``planner`` and ``pairs``. ``accounts``
    identifies a key's owner; it never raises for an invalid one. ``prices`` is a cached snapshot, None for a token that
    was never requested; reading it keeps a price fresh, which ``listed_prices`` (None: the same) must not do for lists
    of all tokens. ``ready`` names each dependency of the service: ``ok``, its fault in words that may be shown, or
    ``degraded`` and why for one that the service can do without for a while, or that only some requests need.
    ``followed`` is how each chain is followed, by its key, and ``process`` this process's name there. ``metrics`` None
    measures nothing. ``admission`` bounds concurrent quotes. ``tally`` counts requests with keys for their integrators,
    None counts none. ``served`` are the chains for which the service has a node, None for all: nothing can be sent from
    others.

    ``events`` hands out what happens to records, None where nobody does; ``cursor_keys`` seal their IDs, the first one,
    and open them; ``streams`` counts who reads them. ``webhooks`` are integrators' endpoints, None without a store.
    ``outputs`` answers requests for an output, ``quotes`` all others. ``tracing`` records requests for quotes.
    ``scorecards`` has what adapters did, None nothing; ``record_ranking`` is what that costs them in the ranking.
    ``signer`` signs answers, None signs none.
    ``trails`` takes what is kept of requests for quotes, and ``kept_trails`` has it; None keeps and has nothing.

    Three make hot paths fast: ``cached_prices`` is ``prices`` for several tokens, reusable while nothing changes;
    ``known_caller`` is a key's owner if it is cached, otherwise None.
    """

    brand: str
    base_url: str
    chains: ChainCatalog
    tokens: TokenCatalog
    tools: ToolCatalog
    quotes: QuoteAnswerer
    outputs: QuoteAnswerer
    planner: RoutePlanner
    pairs: PairPricer
    accounts: Callable[[str | None], Awaitable[ApiClient]]
    listing: TransactionListing
    prices: Callable[[int, str], PriceSnapshot | None]
    ready: Callable[[], Awaitable[Mapping[str, str]]]
    clock: Clock
    limiter: Limiter
    metrics: ServiceMetrics | None = None
    listed_prices: Callable[[int, str], PriceSnapshot | None] | None = None
    cached_prices: Callable[[Sequence[PriceKey]], CachedAnswer] | None = None
    known_caller: Callable[[str | None], ApiClient | None] = never_known
    request_log: RequestLog = log_request
    served: frozenset[int] | None = None
    followed: Callable[[], Mapping[str, FollowedChain]] = dict
    process: str = ""
    admission: Admission = field(default_factory=Admission)
    tally: RequestTally | None = None
    events: EventFeed | None = None
    cursor_keys: tuple[bytes, ...] = field(default=(), repr=False)
    streams: StreamPlaces = field(default_factory=StreamPlaces)
    webhooks: Webhooks | None = None
    tracing: Tracing | None = None
    trails: Trails | None = None
    kept_trails: TrailReader | None = None
    scorecards: ScorecardSource | None = None
    record_ranking: Callable[[], RecordRanking] | None = None
    signer: AnswerSigner | None = None
