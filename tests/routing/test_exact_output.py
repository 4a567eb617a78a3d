"""Quotes for a wanted output on the sandbox: what was asked for arrives, for the least input that was found."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction

import pytest

from rhumbline.devnet.evm.pools import PRICES
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import AmountTooLow, BelowMinimum, NoAvailableQuotes, RhumblineError, SlippageExceeded
from rhumbline.domain.fee import ChainWallets, FeeRule
from rhumbline.domain.metrics import NoMetrics
from rhumbline.domain.plan import StepRequest
from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.domain.quote import Quote, QuoteRequest, Refusal
from rhumbline.domain.route import Estimate, RouteAnswer, RouteRequest
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.exact_output import ExactOutput
from rhumbline.routing.exact_planner import ExactPlanner
from rhumbline.routing.fees import FeeSettings
from rhumbline.routing.input_search import MOST_QUESTIONS
from rhumbline.routing.planner import Planner
from tests.routing.quote_fixture import KEY, QuoteFixture
from tests.routing.venues import PairVenue, PoolVenue, Toy, raising

MOST_CALLS = MOST_QUESTIONS + 1
"""An adapter that takes outputs itself is asked that as well."""
WALLET = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"


@dataclass
class Calls(NoMetrics):
    """Counts the calls of adapters."""

    quotes: Counter[str] = field(default_factory=Counter)

    def called(self, adapter: str, call: str, outcome: str, seconds: float) -> None:
        if call == "quote":
            self.quotes[adapter] += 1


@dataclass(frozen=True)
class Naming(PoolVenue):
    """A pool whose upstream takes outputs too; it names the input for one and multiplies it, where it lies."""

    key: str = "NAMING"
    factor: Fraction = Fraction(1)
    unpriced_only: bool = False

    def names_input(self, request: QuoteRequest, /, *, priced: bool) -> bool:
        return not (priced and self.unpriced_only)

    async def input_for(self, request: QuoteRequest, output: int, /) -> int:
        low, high = 1, 1
        while (await self.quote(replace(request, amount=high))).output_amount < output:
            low, high = high, high * 4
        while high - low > max(high // 10**5, 1):
            middle = (low + high) // 2
            enough = (await self.quote(replace(request, amount=middle))).output_amount >= output
            low, high = (low, middle) if enough else (middle, high)
        return int(high * self.factor)


@dataclass(frozen=True)
class Fixing(PoolVenue):
    """A pool whose upstream writes the minimum by the slippage that it was asked with."""

    key: str = "FIXING"

    async def quote(self, request: QuoteRequest, /) -> Quote[int]:
        quote = await PoolVenue.quote(self, request)
        return replace(quote, min_output_amount=int(quote.output_amount * (1 - request.slippage)))


@dataclass(frozen=True)
class Prices:
    """The prices at which the sandbox's pools were made, but for those that are ``unknown`` or ``worthless``."""

    names: Mapping[str, str]
    unknown: frozenset[str] = frozenset()
    worthless: tuple[str, ...] = ()

    def __call__(self, chain_id: int, address: str) -> PriceSnapshot | None:
        symbol = self.names[address]
        if symbol in self.unknown:
            return None
        usd = Decimal("1e-70") if symbol in self.worthless else Decimal(PRICES[symbol]) / 100
        return PriceSnapshot(chain_id, address, usd, "reference", system_clock(), False, PriceTier.HOT, False)


def prices_of(quotes: QuoteFixture, *unknown: str, worthless: tuple[str, ...] = ()) -> Prices:
    names = {token.address: symbol for symbol, token in quotes.described.tokens.items()}
    return Prices({**names, NATIVE_EVM: "WETH"}, frozenset(unknown), worthless)


def asking(quotes: QuoteFixture, sold: str, bought: str, wanted: int, **changes: object) -> RouteRequest:
    return quotes.ask(sold, bought, 0, wanted_output=wanted, **changes)


async def answered(quotes: QuoteFixture, request: RouteRequest) -> tuple[RouteAnswer, Counter[str]]:
    calls = Calls()
    service = replace(quotes.service, notes=CallNotes(calls))
    return await ExactOutput(service).answer(request), calls.quotes


PAIRS = [
    ("USDC", "WETH", 10**17),
    ("USDC", "ETH", 3 * 10**17 + 1),
    ("ETH", "USDC", 1234 * 10**6 + 7),
    ("WETH", "USDC", 20_000),
    ("ETH", "WETH", 10**15),
]


@pytest.mark.parametrize(("sold", "bought", "wanted"), PAIRS)
async def test_what_is_wanted_arrives(quotes: QuoteFixture, sold: str, bought: str, wanted: int) -> None:
    quotes = quotes.with_(*quotes.service.adapters, prices=prices_of(quotes))
    answer, calls = await answered(quotes, asking(quotes, sold, bought, wanted))
    assert answer.min_output_amount >= wanted
    assert answer.surplus == answer.output_amount - wanted
    assert calls["POOL"] <= MOST_QUESTIONS
    # The default slippage, and what rounding and the search leave: a unit of input may be worth many of output.
    unit = -(-answer.output_amount // answer.request.amount)
    assert answer.min_output_amount <= wanted + wanted // 2_000 + 4 * unit + 4
    gain, _ = await quotes.execute(answer)
    assert gain >= wanted


async def test_fees_are_on_top_so_that_the_receiver_loses_nothing(quotes: QuoteFixture) -> None:
    fees = FeeSettings(FeeRule(Fraction(1, 1000)), ChainWallets(WALLET))
    quotes = quotes.with_(*quotes.service.adapters, prices=prices_of(quotes), fees=fees)
    wanted = 10**17
    plain, _ = await answered(quotes, asking(quotes, "USDC", "WETH", wanted, integrator="acme"))
    request = asking(quotes, "USDC", "WETH", wanted, integrator="acme", fee_share=Fraction(1, 10))
    answer, calls = await answered(quotes, request)
    assert calls["POOL"] <= MOST_QUESTIONS
    taken = {charge.recipient: charge.amount for charge in answer.charges}
    assert set(taken.values()) == {answer.request.amount // 10, answer.request.amount // 1000}
    assert answer.request.amount - sum(taken.values()) >= plain.request.amount * 998 // 1000
    gain, _ = await quotes.execute(answer)
    assert gain >= wanted


async def test_the_least_input_wins(quotes: QuoteFixture) -> None:
    dear = PoolVenue(quotes.described, quotes.rpc, 3000, key="DEAR")
    told: list[Estimate | Refusal] = []
    small = Toy("NONE", raising(BelowMinimum("too low", 5)), chains=(quotes.chain.id,))
    quotes = quotes.with_(dear, *quotes.service.adapters, small, prices=prices_of(quotes))
    answer = await ExactOutput(quotes.service).answer(asking(quotes, "USDC", "WETH", 10**17), told.append)
    assert answer.adapter == "POOL"
    inputs = {each.adapter: each.input_amount for each in told if isinstance(each, Estimate)}
    assert inputs["POOL"] == answer.request.amount
    assert inputs["DEAR"] is not None
    assert inputs["DEAR"] > answer.request.amount
    plans = await ExactPlanner(Planner(quotes.service, (KEY,))).routes(asking(quotes, "USDC", "WETH", 10**17), 5)
    assert [plan.steps[0].adapter for plan in plans] == ["POOL", "DEAR"]
    assert plans[0].request.amount < plans[1].request.amount
    assert all(plan.min_output_amount >= 10**17 for plan in plans)


@pytest.mark.parametrize("factor", [Fraction(1), Fraction(1, 3), Fraction(3), Fraction(0), Fraction(10**40)])
async def test_a_named_input_is_only_where_the_search_begins(quotes: QuoteFixture, factor: Fraction) -> None:
    venue = Naming(quotes.described, quotes.rpc, factor=factor)
    quotes = quotes.with_(venue, prices=prices_of(quotes))
    answer, calls = await answered(quotes, asking(quotes, "USDC", "WETH", 10**17))
    assert calls["NAMING"] <= MOST_CALLS
    assert answer.min_output_amount >= 10**17
    assert answer.request.amount <= 400 * 10**6
    if factor == 1:
        assert calls["NAMING"] == 2


async def test_without_prices_it_begins_with_what_an_upstream_names_or_not_at_all(quotes: QuoteFixture) -> None:
    blind = quotes.with_(PoolVenue(quotes.described, quotes.rpc), prices=prices_of(quotes, "USDC"))
    with pytest.raises(NoAvailableQuotes, match="no price from which the input could be guessed"):
        await answered(blind, asking(blind, "USDC", "WETH", 10**17))
    for venue in (Naming(quotes.described, quotes.rpc), Naming(quotes.described, quotes.rpc, unpriced_only=True)):
        naming = blind.with_(venue)
        found, calls = await answered(naming, asking(naming, "USDC", "WETH", 10**17))
        assert (found.min_output_amount >= 10**17, calls["NAMING"]) == (True, 2)


async def test_one_that_knows_few_venues_is_not_asked_what_a_price_tells(quotes: QuoteFixture) -> None:
    """Its own quote may be far better: it is asked by inputs from the price on, like any other."""
    worse = Naming(quotes.described, quotes.rpc, factor=Fraction(3, 2), unpriced_only=True)
    quotes = quotes.with_(worse, prices=prices_of(quotes))
    found, calls = await answered(quotes, asking(quotes, "USDC", "WETH", 10**17))
    assert (found.min_output_amount >= 10**17, calls["NAMING"]) == (True, 2)


async def test_a_tax_on_transfers_is_never_promised_away(quotes: QuoteFixture) -> None:
    """The venue quotes as if there were no tax; what a simulation measures falls below the minimum."""
    quotes = quotes.with_(PairVenue(quotes.described, quotes.rpc), prices=prices_of(quotes))
    with pytest.raises(RhumblineError) as refused:
        await answered(quotes, asking(quotes, "WETH", "TAX", 10**18))
    assert "PAIR" in str(refused.value.details)


async def test_a_boast_is_dropped(quotes: QuoteFixture) -> None:
    liar = PoolVenue(quotes.described, quotes.rpc, key="LIAR", boast=10**16)
    quotes = quotes.with_(liar, *quotes.service.adapters, prices=prices_of(quotes))
    answer, _ = await answered(quotes, asking(quotes, "USDC", "WETH", 10**17))
    assert answer.adapter == "POOL"
    assert answer.min_output_amount >= 10**17


async def test_a_step_stands_a_price_that_fell_a_little(quotes: QuoteFixture) -> None:
    """Its venue fixes the minimum by the slippage: half of that loss still leaves what was planned, all of it not."""
    quotes = quotes.with_(Fixing(quotes.described, quotes.rpc))
    planner, asked = ExactPlanner(Planner(quotes.service, (KEY,))), quotes.ask("USDC", "WETH", 10**8)
    asked = replace(asked, slippage=Fraction(1, 100))
    for share, kept in (("99/100", True), ("994/1000", True), ("996/1000", False)):
        output = (await quotes.service.answer(asked)).output_amount
        wanted = replace(asked, wanted_output=int(output * Fraction(share)))
        step = StepRequest("route", 1, "FIXING", wanted)
        if not kept:
            with pytest.raises(SlippageExceeded, match=f"where at least {wanted.wanted_output} is wanted"):
                await planner.step(step)
            continue
        gain, _ = await quotes.execute(await planner.step(step))
        assert gain >= (wanted.wanted_output or 0)


async def test_what_cannot_be_is_refused(quotes: QuoteFixture) -> None:
    quotes = quotes.with_(*quotes.service.adapters, prices=prices_of(quotes))
    with pytest.raises(NoAvailableQuotes, match="amount: nobody has"):
        await answered(quotes, asking(quotes, "USDC", "WETH", 2**256 - 1))
    with pytest.raises(NoAvailableQuotes, match="amount: it is worth more than"):
        await answered(quotes, asking(quotes, "USDC", "WETH", 10**30))
    # More than the pools have: they are asked, and none gives so much for any input.
    with pytest.raises(NoAvailableQuotes, match=r"POOL: (none of the 3 inputs|no input that anybody could have)"):
        await answered(quotes, asking(quotes, "USDC", "WETH", 10**25))
    # By these prices the input would be beyond 2^256.
    worthless = quotes.with_(*quotes.service.adapters, prices=prices_of(quotes, worthless=("USDC",)))
    with pytest.raises(NoAvailableQuotes, match=f"POOL: would need more than the largest possible input, {2**128 - 1}"):
        await answered(worthless, asking(worthless, "USDC", "WETH", 10**18))
    small = quotes.with_(Toy("SMALL", raising(BelowMinimum("too low", 5_000_000)), chains=(quotes.chain.id,)))
    with pytest.raises(AmountTooLow):
        await answered(small, asking(small, "USDC", "WETH", 10**12))


async def test_an_exact_input_goes_on_to_the_service(quotes: QuoteFixture) -> None:
    answer, calls = await answered(quotes, quotes.ask("USDC", "WETH", 10**8))
    assert (answer.request.amount, answer.surplus, calls["POOL"]) == (10**8, None, 1)
