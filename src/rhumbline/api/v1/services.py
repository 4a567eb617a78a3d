"""What the HTTP floor needs from the rest of the house, built by the wiring."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rhumbline.accounts.admission import Admission
from rhumbline.accounts.counters import Limiter
from rhumbline.api.http.request_log import RequestLog, log_request
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.catalog.tools import ToolCatalog
from rhumbline.domain.account import ApiClient
from rhumbline.domain.clock import Clock
from rhumbline.domain.followed_chain import FollowedChain
from rhumbline.domain.plan import Plan, StepRequest
from rhumbline.domain.price import PriceKey, PriceSnapshot
from rhumbline.domain.route import RouteAnswer, RouteRequest, Tell
from rhumbline.domain.tracking import PublicRecord, TrackedTransaction, TransactionFilter, TransactionPage
from rhumbline.pricing.answer_cache import CachedAnswer


class QuoteAnswerer(Protocol):
    """Answers quotes."""

    async def __call__(self, request: RouteRequest, tell: Tell = ..., /) -> RouteAnswer:
        """Return the best route, having told what each adapter offers; raise a RhumblineError that says why not."""
        ...


class RoutePlanner(Protocol):
    """Plans of one step or several; each call raises a RhumblineError that says why there is none."""

    async def routes(self, request: RouteRequest, most: int, /) -> tuple[Plan, ...]:
        """Return at most ``most`` plans, best first."""
        ...

    async def step(self, asked: StepRequest, /) -> RouteAnswer:
        """Return a step quoted anew, with its transaction."""
        ...


class TransactionListing(Protocol):
    """The records of one integrator; another's are never shown and never told apart from unknown ones."""

    async def page(
        self, integrator: str, filter: TransactionFilter, limit: int, cursor: str | None, /
    ) -> TransactionPage:
        """Return at most ``limit`` records, newest first; raise InvalidRequest naming ``cursor`` for a bad one."""
        ...

    async def find(self, integrator: str, lookup_key: str, /) -> TrackedTransaction | None:
        """Return the record with this transaction ID, source hash or destination hash."""
        ...

    async def seen(self, transaction_id: str, /) -> PublicRecord | None:
        """Return what anybody may know of the earliest record with this full transaction ID, whoever's it is."""
        ...


def never_known(key: str | None) -> ApiClient | None:
    """Know only clients without a key: the owner of a key always has to be looked up."""
    return ApiClient() if key is None else None


@dataclass(frozen=True, slots=True)
class Services:
    """Everything a handler may call.

    ``quotes`` answers a checked question or raises a RhumblineError; so does what
    ``planner`` does. ``accounts`` tells who owns a key; it never raises
    for a bad one. ``prices`` is a cached snapshot, None for a token never asked for; to ask keeps a price fresh, which
    ``listed_prices`` (None: the same) must not do for lists of all tokens. ``ready`` names each dependency of the
    service: ``ok``, what is wrong in words that may be shown, or ``degraded`` and why for one that it can do without
    for a while, or that only some requests need. ``followed`` tells how each chain is followed, by its key, and
    ``process`` what this process is called among those who do. ``metrics`` None measures nothing. ``admission`` bounds
    what is quoted at once.

    ``served`` are the chains that the service has a node of, None for all: nothing can be sent from others.

    Three make hot paths fast: ``cached_prices`` is ``prices`` for several tokens, to be shown again while
    nothing differs; ``known_caller`` is who owns a key as far as that is known without asking, else None.
    """

    brand: str
    base_url: str
    chains: ChainCatalog
    tokens: TokenCatalog
    tools: ToolCatalog
    quotes: QuoteAnswerer
    planner: RoutePlanner
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
