"""The flow of a quote, from a caller's request to an executable answer."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import structlog

from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.clock import Clock, system_clock
from rhumbline.domain.errors import NoAvailableQuotes, NodeRefused, NodeUnavailable, RhumblineError, StoreUnavailable
from rhumbline.domain.quote import Quote, Refusal
from rhumbline.domain.route import RouteAnswer, RouteRequest
from rhumbline.domain.simulation import Simulation
from rhumbline.domain.transfer import StoredBuild
from rhumbline.routing.answering import answer_of, stored_build
from rhumbline.routing.asking import IntegratorReader, Question, nobody_sends, pays_nobody, pose
from rhumbline.routing.building import Builder
from rhumbline.routing.built import Built
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.choosing import Choice
from rhumbline.routing.deviations import Deviations
from rhumbline.routing.evm.contract_checks import Codes
from rhumbline.routing.fees import FeeSettings, PriceReader, usd_price
from rhumbline.routing.minima import confirmed, only
from rhumbline.routing.quoting import Deadlines, gather_quotes
from rhumbline.routing.ranking import Yardstick
from rhumbline.routing.refusing import is_too_low, no_quote
from rhumbline.routing.selection import select
from rhumbline.routing.value_limits import ValueLimits
from rhumbline.simulation.evm.gas import GasPrice, GasReader
from rhumbline.simulation.simulator import Simulator


@dataclass(frozen=True, slots=True)
class QuoteLimits:
    """How long a transaction may be sent, how long all simulations of one quote may take together, in seconds."""

    transaction_ttl_s: int = 1200
    simulation_budget_s: float = 1.5
    values: ValueLimits = field(default_factory=ValueLimits)


BuildKeeper = Callable[[StoredBuild], Awaitable[None]]
"""Stores a transfer that is about to be handed out; raises StoreUnavailable, and then it is not."""


async def keep_nothing(build: StoredBuild) -> None:
    """Forget a transfer: for services that track nothing."""


def no_prices(chain_id: int, token: str) -> None:
    """Know no price: for services without a price source."""


@dataclass(frozen=True, slots=True)
class _Search:
    """What came of asking: the best answer, if there is one, and why others are none."""

    question: Question
    found: tuple[Built, Simulation | None] | None
    refusals: list[Refusal]
    gas: GasPrice | None
    direct: frozenset[str]

    def gross_for(self, adapter: str, net: int) -> int:
        """Return the amount before fees of which an adapter is left ``net``."""
        return self.question.gross_for(net, direct=adapter in self.direct)


@dataclass(frozen=True, slots=True)
class QuoteService:
    """Answers quotes. ``simulators`` and ``gas`` are by chain ID; ``id_keys`` sign transaction IDs, newest first.

    ``keep`` stores transfers across chains before they are handed out, so that tracking can tell what was promised.
    ``origins`` are the chains that are served with a node of the operator's, None for all; ``codes`` looks at what must
    be there, None where that is known. ``deviations`` remembers who promised too much.
    """

    adapters: tuple[Adapter[Any], ...]
    tokens: TokenCatalog
    integrators: IntegratorReader
    simulators: Mapping[int, Simulator]
    gas: Mapping[int, GasReader]
    id_keys: tuple[bytes, ...]
    fees: FeeSettings = field(default_factory=FeeSettings)
    deadlines: Deadlines = field(default_factory=Deadlines)
    limits: QuoteLimits = field(default_factory=QuoteLimits)
    clock: Clock = system_clock
    prices: PriceReader = no_prices
    notes: CallNotes = field(default_factory=CallNotes)
    keep: BuildKeeper = keep_nothing
    origins: frozenset[int] | None = None
    codes: Codes | None = None
    deviations: Deviations = field(default_factory=Deviations)

    async def answer(self, request: RouteRequest) -> RouteAnswer:
        """Return the best executable route; raise a RhumblineError that says why there is none."""
        search = await self._search(request)
        question, found, refusals = search.question, search.found, search.refusals
        if found is None:
            raise no_quote(refusals, search.gross_for, await self._enough(request, search))
        shown_only = nobody_sends(request) or pays_nobody(request)
        if request.origin.id != request.destination.id and not shown_only:
            await self._kept(stored_build(question, found[0], self.clock()))
        scan_url = next(item.info.scan_url for item in self.adapters if item.info.key == found[0].quote.adapter)
        return answer_of(question, *found, refusals=refusals, gas=search.gas, prices=self.prices, scan_url=scan_url)

    async def _enough(self, request: RouteRequest, search: _Search) -> int | None:
        """Return an amount that was seen to be enough, where the amount is what stands in the way."""
        if not is_too_low(search.refusals):
            return None
        try:
            async with asyncio.timeout(self.deadlines.hard_s):
                return await confirmed(search.refusals, search.gross_for, partial(self._works, request))
        except TimeoutError:
            return None

    async def _works(self, request: RouteRequest, adapter: str, amount: int) -> bool:
        """Tell whether an adapter has an executable quote for another amount; nothing of it is kept."""
        try:
            return (await self._search(only(request, adapter, amount))).found is not None
        except RhumblineError:
            return False

    async def _search(self, request: RouteRequest) -> _Search:
        """Ask whom the request permits, and choose; raise a RhumblineError for what cannot be asked at all."""
        if self.origins is not None and request.origin.id not in self.origins:
            raise NoAvailableQuotes(f"Nothing can be sent from {request.origin.name}: this service has no node of it")
        deadline = int(self.clock().timestamp()) + self.limits.transaction_ttl_s
        question = await pose(request, self.tokens, self.integrators, self.fees, deadline, self.deadlines.hard_s)
        selection = select(self.adapters, question.forms, request.adapters)
        direct = {ask.adapter.info.key for ask in selection.asks if question.is_direct(ask.request)}
        gathered, gas, objection = await asyncio.gather(
            gather_quotes(selection.asks, self.notes, self.deadlines, question.forgoes),
            self._gas_price(request.origin.id),
            self._objection(request),
        )
        if objection is not None:
            raise objection
        refusals = [*selection.refusals, *gathered.refusals]
        found = await self._choice(question, gathered.quotes, gas, refusals).best(gathered.quotes)
        return _Search(question, found, refusals, gas, frozenset(direct))

    async def _objection(self, request: RouteRequest) -> RhumblineError | None:
        return None if self.codes is None else await self.codes.objection(request)

    async def _kept(self, build: StoredBuild) -> None:
        try:
            async with asyncio.timeout(self.deadlines.hard_s):
                await self.keep(build)
        except TimeoutError as error:
            raise StoreUnavailable("The store does not answer in time; try again") from error

    async def _gas_price(self, chain_id: int) -> GasPrice | None:
        reader = self.gas.get(chain_id)
        if reader is None:
            return None
        try:
            async with asyncio.timeout(self.deadlines.soft_s):
                return await reader.read()
        except (TimeoutError, NodeRefused, NodeUnavailable) as error:
            structlog.get_logger().warning("gas_price_unknown", chain_id=chain_id, reason=str(error))
            return None

    def _choice(
        self, question: Question, quotes: Sequence[Quote[Any]], gas: GasPrice | None, refusals: list[Refusal]
    ) -> Choice:
        native = question.request.origin.native
        yardstick = Yardstick(
            output_usd=usd_price(question.destination_token, self.prices),
            native_usd=usd_price(native, self.prices),
            native=native,
            gas_price=None if gas is None else gas.now,
            hungriest=max((quote.gas_units or 0 for quote in quotes), default=0),
        )
        return Choice(
            question=question,
            yardstick=yardstick,
            adapters={adapter.info.key: adapter for adapter in self.adapters},
            builder=Builder(self.notes, self.id_keys, self.deadlines.hard_s, self.clock),
            simulators=self.simulators,
            tokens=self.tokens,
            prices=self.prices,
            limits=self.limits.values,
            deviations=self.deviations,
            budget_s=self.limits.simulation_budget_s,
            refusals=refusals,
        )
