"""A candidate counts with the smaller of promise and measure, and nobody wins by a promise that nobody measured."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from rhumbline.domain.adapter import AdapterInfo
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.simulation import ExecutionStatus, Simulation
from rhumbline.domain.transaction import UpstreamTransaction
from rhumbline.routing.deviations import Deviations
from rhumbline.routing.planner import Planner
from rhumbline.routing.search import MOST_UNSEEN
from rhumbline.routing.slippage import least_output
from rhumbline.routing.trial import MeasuredGas
from rhumbline.simulation.evm.task import EvmSimulationTask
from rhumbline.simulation.simulator import Simulator
from rhumbline.simulation.verdict import Finding, simulation_of
from tests.routing.evm.test_composer import Crossing, PayBridge, both, crossing
from tests.routing.quote_fixture import KEY, QuoteFixture
from tests.routing.venues import PoolVenue

__all__ = ["crossing"]

AMOUNT = 10**9
PASSES_ON = "0x600060006000600060643460310204730000000000000000000000000000000000c0ffee5af100"
"""A contract that pays 49 of 100 of what it is paid to somebody else."""
LOSS = Fraction(5, 1000)


@dataclass(frozen=True)
class Skimmer(PoolVenue):
    """Promises ``boasted`` more than its pool gives, and trades ``skimmed`` less than the input.

    ``told`` of the input is left out of the promise too, by one that keeps something and says so.
    """

    key: str = "SKIMMER"
    boasted: Fraction = Fraction(5, 10_000)
    skimmed: Fraction = Fraction(4, 1000)
    told: Fraction = Fraction(0)
    said_gas: int | None = None
    vendor: str | None = None
    built: list[str] = field(default_factory=list)

    @property
    def info(self) -> AdapterInfo:
        return replace(super().info, vendor=self.vendor)

    async def quote(self, request: QuoteRequest, /) -> Quote[int]:
        less = replace(request, amount=int(request.amount * (1 - self.told)))
        quote = replace(await super().quote(less), request=request)
        quote = quote if self.said_gas is None else replace(quote, gas_units=self.said_gas)
        return replace(quote, output_amount=int(quote.output_amount * (1 + self.boasted)))

    async def build(self, quote: Quote[int], /) -> UpstreamTransaction:
        self.built.append(self.key)
        less = int(quote.request.amount * (1 - self.skimmed))
        return await super().build(replace(quote, request=replace(quote.request, amount=less)))


@dataclass(frozen=True)
class Odd:
    """A simulator that is too late for one adapter's calls, or lets somebody else stand in for the wallet."""

    plain: Simulator[EvmSimulationTask]
    odd_about: tuple[str, ...]
    stands_in: bool = False

    async def simulate(self, task: EvmSimulationTask, /, budget_s: float | None = None) -> Simulation:
        if not any(key.encode().ljust(32, b"\0") in task.data for key in self.odd_about):
            return await self.plain.simulate(task, budget_s)
        if self.stands_in:
            return replace(await self.plain.simulate(task, budget_s), stood_in=True)
        return simulation_of(task, Finding(ExecutionStatus.TIMEOUT, reason="no result"), 0)


def skimmer(quotes: QuoteFixture, **changes: Any) -> Skimmer:
    return Skimmer(quotes.described, quotes.rpc, **changes)


def dollars(quotes: QuoteFixture, there: int = 1) -> Callable[[int, str], PriceSnapshot]:
    """Prices of which ether is 3,000 dollars, and anything else one, or ``there`` on another chain."""

    def read(chain_id: int, token: str) -> PriceSnapshot:
        ether = token in (NATIVE_EVM, quotes.token("WETH"))
        usd = Decimal(3000 if ether else 1 if chain_id == quotes.chain.id else there)
        return PriceSnapshot(chain_id, token, usd, "test", datetime.now(UTC), False, PriceTier.HOT, False)

    return read


def honest(quotes: QuoteFixture, **changes: Any) -> PoolVenue:
    return PoolVenue(quotes.described, quotes.rpc, **changes)


def odd(quotes: QuoteFixture, *keys: str, stands_in: bool = False) -> QuoteFixture:
    plain = quotes.service.simulators[quotes.chain.id]
    return replace(
        quotes, service=replace(quotes.service, simulators={quotes.chain.id: Odd(plain, keys, stands_in)})
    )  # fmt: skip


async def test_an_inflated_promise_inside_the_slippage_does_not_win(quotes: QuoteFixture) -> None:
    request = quotes.ask("USDC", "WETH", AMOUNT)
    alone = await quotes.with_(honest(quotes)).service.answer(request)
    answer = await quotes.with_(skimmer(quotes), honest(quotes)).service.answer(request)
    assert answer.adapter == "POOL"
    assert answer.output_amount == alone.output_amount


async def test_a_broken_promise_does_not_win_over_who_says_too_much_gas(quotes: QuoteFixture) -> None:
    """A tenth of a percent is not delivered; the honest one would bring it, and says it needs a million gas."""
    liar = skimmer(quotes, boasted=Fraction(0), skimmed=Fraction(1, 1000))
    modest = skimmer(quotes, key="HONEST", boasted=Fraction(0), skimmed=Fraction(0), said_gas=1_000_000)
    request = quotes.ask("USDC", "WETH", AMOUNT)
    assert (await quotes.with_(liar, modest, prices=dollars(quotes)).service.answer(request)).adapter == "HONEST"


async def test_alone_it_promises_what_was_measured_and_shows_by_how_much_it_overstated(quotes: QuoteFixture) -> None:
    answer = await quotes.with_(skimmer(quotes)).service.answer(quotes.ask("USDC", "WETH", AMOUNT))
    assert answer.adapter == "SKIMMER"
    assert answer.simulation is not None
    result = answer.simulation.result
    assert answer.output_amount == result.simulated_output
    assert answer.output_amount < answer.simulation.advertised_output
    assert answer.min_output_amount == least_output(answer.output_amount, LOSS)
    assert result.deviation is not None
    assert result.deviation.bps < -40
    gain, _ = await quotes.execute(answer)
    assert gain == answer.output_amount


async def test_a_half_percent_that_is_not_delivered(quotes: QuoteFixture) -> None:
    """1.0000 is advertised and 0.9950 delivered, beside an honest 0.9990, in a trade too small to move the price."""
    liar = skimmer(quotes, boasted=Fraction(0), skimmed=LOSS)
    modest = skimmer(quotes, key="HONEST", boasted=Fraction(0), skimmed=Fraction(1, 1000), told=Fraction(1, 1000))
    request = quotes.ask("USDC", "WETH", AMOUNT // 100, slippage=Fraction(1, 100))
    both = await quotes.with_(liar, modest).service.answer(request)
    assert both.adapter == "HONEST"
    alone = await quotes.with_(liar).service.answer(request)
    assert alone.simulation is not None
    deviation = alone.simulation.result.deviation
    assert deviation is not None
    assert deviation.bps == Decimal("-50.00")
    assert alone.output_amount == alone.simulation.result.simulated_output
    assert abs(alone.output_amount - alone.simulation.advertised_output * Fraction(9950, 10_000)) < 10**12
    assert alone.min_output_amount == least_output(alone.output_amount, Fraction(1, 100))
    gain, _ = await quotes.execute(alone)
    assert gain == alone.output_amount >= alone.min_output_amount


async def test_in_a_list_nobody_comes_first_by_a_promise_that_was_not_tried(quotes: QuoteFixture) -> None:
    """More liars than are tried at first, each of which promises more than the honest one gives."""
    liars = [skimmer(quotes, key=f"LIAR{number}", boasted=Fraction(0), skimmed=LOSS) for number in range(7)]
    modest = skimmer(quotes, key="HONEST", boasted=Fraction(0), skimmed=Fraction(1, 1000), told=Fraction(1, 1000))
    request = quotes.ask("USDC", "WETH", AMOUNT, slippage=Fraction(1, 100))
    plans = await Planner(quotes.with_(*liars, modest).service, (KEY,)).routes(request, 10)
    assert plans[0].steps[0].adapter == "HONEST"
    assert len(plans) == 8
    assert all(plan.output_amount < plans[0].output_amount for plan in plans[1:])


@pytest.mark.parametrize("stands_in", [False, True], ids=["too late", "stand-in"])
async def test_what_was_not_measured_counts_with_its_minimum(quotes: QuoteFixture, stands_in: bool) -> None:
    """Else a liar would only have to make the simulation late, or see through it."""
    unseen = odd(quotes, "SKIMMER", stands_in=stands_in)
    answer = await unseen.with_(skimmer(quotes), honest(quotes)).service.answer(quotes.ask("USDC", "WETH", AMOUNT))
    assert answer.adapter == "POOL"
    alone = await unseen.with_(skimmer(quotes)).service.answer(quotes.ask("USDC", "WETH", AMOUNT))
    assert alone.adapter == "SKIMMER"
    assert alone.min_output_amount == least_output(alone.output_amount, LOSS)


@pytest.mark.parametrize("stands_in", [False, True], ids=["too late", "stand-in"])
async def test_nothing_is_preferred_to_what_was_measured_for_not_having_been(
    quotes: QuoteFixture, stands_in: bool
) -> None:
    """Although it guarantees more than the other was measured to bring; alone it is answered, and not hidden."""
    unseen = odd(quotes, "SKIMMER", stands_in=stands_in)
    better = skimmer(quotes, boasted=Fraction(0), skimmed=Fraction(0))
    modest = skimmer(quotes, key="MODEST", boasted=Fraction(0), skimmed=Fraction(2, 100), told=Fraction(2, 100))
    request = quotes.ask("USDC", "WETH", AMOUNT)
    alone = await unseen.with_(better).service.answer(request)
    answer = await unseen.with_(better, modest).service.answer(request)
    assert (alone.adapter, answer.adapter) == ("SKIMMER", "MODEST")
    assert alone.min_output_amount > answer.output_amount
    plans = await Planner(unseen.with_(better, modest).service, (KEY,)).routes(request, 10)
    assert {plan.steps[0].adapter for plan in plans} == {"MODEST", "SKIMMER"}


async def test_where_nothing_is_measured_the_largest_minimum_wins(quotes: QuoteFixture) -> None:
    unseen = odd(quotes, "SKIMMER", "POOL")
    answer = await unseen.with_(skimmer(quotes), honest(quotes)).service.answer(quotes.ask("USDC", "WETH", AMOUNT))
    assert answer.adapter == "SKIMMER"


async def test_the_search_goes_on_until_no_promise_could_win(quotes: QuoteFixture) -> None:
    """More liars than are tried at a time, each of which promises too much to be seen to keep it."""
    liars = [skimmer(quotes, key=f"LIAR{number}", boasted=Fraction(1, 50)) for number in range(7)]
    answer = await quotes.with_(*liars, honest(quotes)).service.answer(quotes.ask("USDC", "WETH", AMOUNT))
    assert answer.adapter == "POOL"
    assert {refusal.adapter for refusal in answer.refusals} == {liar.key for liar in liars}
    assert answer.simulation is not None
    assert len(answer.simulation.providers) == 8


@dataclass(frozen=True)
class Slow:
    """A simulator whose node takes all the time there is and tells nothing."""

    async def simulate(self, task: EvmSimulationTask, /, budget_s: float | None = None) -> Simulation:
        await asyncio.sleep(budget_s or 0)
        return simulation_of(task, Finding(ExecutionStatus.TIMEOUT, reason="no result"), 0)


async def test_when_the_time_for_simulation_is_spent_nobody_else_is_built(quotes: QuoteFixture) -> None:
    built: list[str] = []
    many = [skimmer(quotes, key=f"GOOD{n}", boasted=Fraction(n, 1000), built=built) for n in range(9)]
    slow = replace(quotes, service=replace(quotes.service, simulators={quotes.chain.id: Slow()}))
    answer = await slow.with_(*many).service.answer(quotes.ask("USDC", "WETH", AMOUNT))
    assert answer.adapter in built
    # The first was late, so that two were tried beside it.
    assert sorted(built) == ["GOOD6", "GOOD7", "GOOD8"]
    built.clear()
    await Planner(slow.with_(*many).service, (KEY,)).routes(quotes.ask("USDC", "WETH", AMOUNT), 10)
    assert len(built) <= 5


@dataclass(frozen=True)
class OneHangs:
    """A simulator whose node hangs about SKIMMER's call until it has told of another, or the time is over."""

    plain: Simulator[EvmSimulationTask]
    another: asyncio.Event = field(default_factory=asyncio.Event)

    async def simulate(self, task: EvmSimulationTask, /, budget_s: float | None = None) -> Simulation:
        if b"SKIMMER".ljust(32, b"\0") not in task.data:
            self.another.set()
            return await self.plain.simulate(task, budget_s)
        with suppress(TimeoutError):
            async with asyncio.timeout(budget_s):
                await self.another.wait()
        return simulation_of(task, Finding(ExecutionStatus.TIMEOUT, reason="no result"), 0)


async def test_others_are_tried_beside_a_first_that_is_late(
    quotes: QuoteFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A transaction that takes a node long must not win for not having been measured."""
    monkeypatch.setattr("rhumbline.routing.search._ALONE", 0.0)
    hanging = OneHangs(quotes.service.simulators[quotes.chain.id])
    one = replace(quotes, service=replace(quotes.service, simulators={quotes.chain.id: hanging}))
    better = skimmer(quotes, boasted=Fraction(0), skimmed=Fraction(0))
    modest = skimmer(quotes, key="MODEST", boasted=Fraction(0), skimmed=Fraction(2, 100), told=Fraction(2, 100))
    answer = await one.with_(better, modest).service.answer(quotes.ask("USDC", "WETH", AMOUNT))
    assert answer.adapter == "MODEST"
    assert hanging.another.is_set()


async def test_what_could_not_win_is_not_built(quotes: QuoteFixture) -> None:
    built: list[str] = []
    good = [skimmer(quotes, key=f"GOOD{n}", boasted=Fraction(0), skimmed=Fraction(0), built=built) for n in range(3)]
    worse = [skimmer(quotes, key=f"BAD{n}", boasted=Fraction(-1, 100), built=built) for n in range(3)]
    answer = await quotes.with_(*worse, *good).service.answer(quotes.ask("USDC", "WETH", AMOUNT))
    assert answer.adapter == "GOOD0"
    assert built == ["GOOD0"]


async def test_gas_that_only_a_run_shows_makes_nobody_seem_better_who_was_not_run(quotes: QuoteFixture) -> None:
    """All give the same and leave the same gas unsaid, what the service's contracts take: the first is enough."""

    built: list[str] = []
    alike = [skimmer(quotes, key=f"GOOD{n}", boasted=Fraction(0), skimmed=Fraction(0), built=built) for n in range(7)]
    answer = await quotes.with_(*alike, prices=dollars(quotes)).service.answer(quotes.ask("USDC", "WETH", AMOUNT))
    assert answer.simulation is not None
    assert (answer.simulation.result.gas_used or 0) > 180_000
    # Which of them is left to their random IDs: a byte of zeros costs less gas.
    assert answer.adapter in built
    assert built == ["GOOD0"]


async def test_who_was_measured_to_use_less_gas_than_it_says_is_tried(quotes: QuoteFixture) -> None:
    """One keeps a twentieth of a percent and says so; the other brings it, and says that it needs a million gas."""
    dear = skimmer(quotes, key="DEAR", boasted=Fraction(0), skimmed=Fraction(5, 10_000), told=Fraction(5, 10_000))
    modest = skimmer(quotes, key="MODEST", boasted=Fraction(0), skimmed=Fraction(0), said_gas=1_000_000)
    request, gas = quotes.ask("USDC", "WETH", AMOUNT), MeasuredGas()
    both_of_them = quotes.with_(dear, modest, prices=dollars(quotes), gas=gas).service
    assert (await both_of_them.answer(request)).adapter == "DEAR"
    await quotes.with_(modest, prices=dollars(quotes), gas=gas).service.answer(request)
    assert (await both_of_them.answer(request)).adapter == "MODEST"


async def test_a_vendor_has_one_place(quotes: QuoteFixture) -> None:
    built: list[str] = []
    same = [skimmer(quotes, key=f"KIND{n}", vendor="ONE", built=built) for n in range(5)]
    answer = await quotes.with_(*same, honest(quotes)).service.answer(quotes.ask("USDC", "WETH", AMOUNT))
    assert answer.adapter == "POOL"
    # The honest one was measured in the first batch, and the others' promises still had to be tried, one at a time.
    assert built == ["KIND0", "KIND1", "KIND2", "KIND3", "KIND4"]


async def test_who_promised_too_much_is_believed_less_for_a_while(quotes: QuoteFixture) -> None:
    now = [0.0]
    deviations = Deviations(now=lambda: now[0])
    built: list[str] = []
    venues = [skimmer(quotes, key=f"KIND{n}", vendor="ONE", built=built) for n in range(3)]
    service = quotes.with_(*venues, honest(quotes), deviations=deviations).service
    for expected in (3, 0):
        built.clear()
        assert (await service.answer(quotes.ask("USDC", "WETH", AMOUNT))).adapter == "POOL"
        assert len(built) == expected
    request = quotes.ask("USDC", "WETH", AMOUNT)
    context = await service.prepare(request)
    assert deviations.penalty("KIND0", context.forms[0].request) > Fraction(4, 1000)
    turned = await service.prepare(quotes.ask("WETH", "USDC", 10**17))
    assert deviations.penalty("KIND0", turned.forms[0].request) == 0
    now[0] = 600.0
    built.clear()
    assert (await service.answer(quotes.ask("USDC", "WETH", AMOUNT))).adapter == "POOL"
    assert len(built) == 3


@dataclass(frozen=True)
class Better(PayBridge):
    """Stands for more than the plain one, by so many thousandths, and says how much gas it needs."""

    by: int = 1
    gas: int = 100_000

    async def quote(self, request: QuoteRequest, /) -> Quote[None]:
        quote = await super().quote(request)
        return replace(quote, output_amount=quote.output_amount * (1000 + self.by) // 1000, gas_units=self.gas)


def late(crossing: Crossing, *keys: str) -> QuoteFixture:
    """The service with both bridges, whose runs come too late for some."""
    better = (Better(both(crossing), key=key, by=9 - n) for n, key in enumerate(("FIRST", "SECOND", "THIRD")))
    return odd(crossing.with_(PayBridge(both(crossing), key="SEEN"), *better), *keys)


@pytest.mark.parametrize("unseen", [("FIRST",), ("FIRST", "SECOND")])
async def test_one_that_was_seen_comes_first(crossing: Crossing, unseen: tuple[str, ...]) -> None:
    answer = await late(crossing, *unseen).service.answer(crossing.ask("USDC", "USDC", AMOUNT))
    assert answer.adapter == ("SECOND" if len(unseen) == 1 else "THIRD")
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.SUCCESS


async def test_across_chains_who_was_measured_to_use_less_gas_than_it_says_is_tried(crossing: Crossing) -> None:
    request, gas = crossing.ask("USDC", "USDC", AMOUNT), MeasuredGas()
    plain = PayBridge(both(crossing))
    modest = Better(both(crossing), key="MODEST", gas=1_000_000)
    prices = dollars(crossing.quotes, 2)
    both_of_them = crossing.with_(plain, modest, prices=prices, gas=gas).service
    assert (await both_of_them.answer(request)).adapter == "PAYBRIDGE"
    assert (await crossing.with_(modest, prices=prices, gas=gas).service.answer(request)).adapter == "MODEST"
    assert (await both_of_them.answer(request)).adapter == "MODEST"


async def test_of_a_few_that_were_not_the_first_is_answered(crossing: Crossing) -> None:
    """It is not hidden, and not everybody is asked to build for it."""
    assert MOST_UNSEEN == 3
    answer = await late(crossing, "FIRST", "SECOND", "THIRD").service.answer(crossing.ask("USDC", "USDC", AMOUNT))
    assert answer.adapter == "FIRST"
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.TIMEOUT


async def test_a_receiver_that_passes_on_what_it_gets_makes_nobody_look_worse(quotes: QuoteFixture) -> None:
    """What a caller's own contract does is not held against an adapter: a stand-in in its place gains everything."""
    address = "0x00000000000000000000000000000000A5510001"
    await quotes.rpc.call("anvil_setCode", [address, PASSES_ON])
    service = quotes.with_(honest(quotes, key="RIVAL"), honest(quotes, boast=-(10**12))).service
    before = await service.answer(quotes.ask("USDC", "ETH", AMOUNT))
    bad = quotes.ask("USDC", "ETH", AMOUNT, receiver=address, slippage=Fraction(1, 2))
    answer = await service.answer(bad)
    assert answer.simulation is not None
    assert answer.simulation.measured_output is not None
    assert answer.simulation.measured_output < before.output_amount * 52 // 100
    context = await service.prepare(bad)
    assert [service.deviations.penalty(key, context.forms[0].request) for key in ("RIVAL", "POOL")] == [0, 0]
    assert (await service.answer(quotes.ask("USDC", "ETH", AMOUNT))).adapter == before.adapter == "RIVAL"
