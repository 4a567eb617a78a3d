"""Indicative prices: from pools as a quote's, from prices otherwise, once a second, and no upstream is asked."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.account import ApiClient
from rhumbline.domain.adapter import AdapterInfo
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import NoAvailableQuotes, NoRoute, NotFound
from rhumbline.domain.fee import ChainWallets, FeeRule
from rhumbline.domain.indicative import IndicativePrice, PairRequest, PairSource
from rhumbline.domain.pauses import Pause, Pauses
from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.token import Token
from rhumbline.routing.fees import FeeSettings
from rhumbline.routing.indicative_prices import AGE_S, IndicativePrices, worth_in
from tests.routing.quote_fixture import QuoteFixture

NOW = datetime(2026, 11, 28, tzinfo=UTC)


@dataclass
class Pools:
    """The fixture's venue as one of our own, which can be told to have no pool; it counts what it is asked."""

    venue: Any
    fails: bool = False
    asked: list[QuoteRequest] = field(default_factory=list)

    @property
    def info(self) -> AdapterInfo:
        info: AdapterInfo = self.venue.info
        return replace(info, own_calls=True)

    def supports(self, request: QuoteRequest, /) -> bool:
        return bool(self.venue.supports(request))

    async def quote(self, request: QuoteRequest, /) -> Quote[Any]:
        self.asked.append(request)
        if self.fails:
            raise NoRoute("no pool")
        found: Quote[Any] = await self.venue.quote(request)
        return found

    async def build(self, quote: Quote[Any], /) -> Any:
        raise AssertionError("an indicative price builds nothing")


def snapshot(chain: int, token: str, usd: str | None, *, stale: bool = False) -> PriceSnapshot:
    value = None if usd is None else Decimal(usd)
    return PriceSnapshot(chain, token, value, "defillama", NOW, stale, PriceTier.HOT, stale)


@dataclass
class Setting:
    prices: IndicativePrices
    pools: Pools
    request: PairRequest
    fixture: QuoteFixture
    clock: list[float]
    known: dict[str, PriceSnapshot]
    paused: list[Pause] = field(default_factory=list)


@pytest.fixture
def setting(quotes: QuoteFixture) -> Setting:
    """A service whose every upstream that is not its own fails the test when it is asked."""
    pools = Pools(quotes.service.adapters[0])
    usdc = quotes.described.tokens["USDC"].address
    known = {NATIVE_EVM: snapshot(quotes.chain.id, NATIVE_EVM, "3000"), usdc: snapshot(quotes.chain.id, usdc, "1")}
    paused: list[Pause] = []
    service = replace(
        quotes.service,
        adapters=(pools,),
        prices=lambda _, token: known.get(token),
        fees=FeeSettings(FeeRule(Fraction(1, 1000)), ChainWallets(quotes.receiver, None)),
        pauses=lambda: Pauses(tuple(paused)),
        clock=lambda: NOW,
    )
    clock = [100.0]
    request = PairRequest(quotes.chain, quotes.chain, NATIVE_EVM, usdc, 10**18)
    return Setting(IndicativePrices(service, lambda: clock[0]), pools, request, quotes, clock, known, paused)


async def test_the_pools_say_what_a_quote_would(setting: Setting) -> None:
    found = await setting.prices.price(setting.request)
    assert (found.source, found.at, found.request.amount) == (PairSource.POOLS, NOW, 10**18)
    asked = setting.pools.asked[0]
    assert asked.amount == 10**18 - 10**15
    pair, sender = setting.request, setting.fixture.sender
    ends = pair.origin, pair.destination, pair.origin_token, pair.destination_token
    wallet = RouteRequest(*ends, pair.amount, sender, sender, ApiClient())
    context = await setting.prices.quotes.prepare(wallet)
    assert (await setting.pools.venue.quote(context.forms[0].request)).output_amount == found.output_amount


async def test_it_is_computed_once_a_second_for_all(setting: Setting) -> None:
    first = await setting.prices.price(setting.request)
    setting.clock[0] += AGE_S * 0.99
    assert setting.prices.known(setting.request) is first
    assert await setting.prices.price(setting.request) is first
    assert len(setting.pools.asked) == 1
    setting.clock[0] += AGE_S
    assert setting.prices.known(setting.request) is None
    assert await setting.prices.price(setting.request) is not first
    assert len(setting.pools.asked) == 2


@pytest.mark.parametrize("reason", ["no pool", "paused"])
async def test_without_pools_both_prices_say(setting: Setting, reason: str) -> None:
    setting.pools.fails = reason == "no pool"
    if reason == "paused":
        setting.paused.append(Pause(setting.pools.info.key, None, NOW, "test", "test"))
    found = await setting.prices.price(setting.request)
    assert (found.source, found.output_amount, found.rate) == (PairSource.PRICES, 2_997_000_000, Decimal(2997))


@pytest.mark.parametrize("usd", [None, "1"])
async def test_a_price_that_is_unknown_or_stale_is_none(setting: Setting, usd: str | None) -> None:
    setting.pools.fails = True
    token = setting.request.destination_token
    setting.known[token] = snapshot(setting.fixture.chain.id, token, usd, stale=True)
    with pytest.raises(NoAvailableQuotes) as told:
        await setting.prices.price(setting.request)
    assert told.value.details == {
        "message": ["USDC: its price is not known now; ask again shortly, or ask for a quote"]
    }


async def test_what_no_quote_is_given_for_has_no_price(setting: Setting) -> None:
    with pytest.raises(NoAvailableQuotes, match="No adapter is asked"):
        await setting.prices.price(replace(setting.request, amount=2**200))
    with pytest.raises(NotFound):
        await setting.prices.price(replace(setting.request, origin_token="0x" + "12" * 20))
    setting.prices.quotes = replace(setting.prices.quotes, origins=frozenset())
    with pytest.raises(NoAvailableQuotes, match="has no node of that chain"):
        await setting.prices.price(setting.request)


@given(
    amount=st.integers(1, 2**128 - 1),
    decimals=st.tuples(st.integers(0, 24), st.integers(0, 24)),
    cents=st.tuples(st.integers(1, 10**9), st.integers(1, 10**9)),
)
def test_what_is_promised_is_never_worth_more(amount: int, decimals: tuple[int, int], cents: tuple[int, int]) -> None:
    sold, bought = (Token(1, name, name, places, name) for name, places in zip("ab", decimals, strict=True))
    prices = {name: snapshot(1, name, str(Decimal(each) / 100)) for name, each in zip("ab", cents, strict=True)}
    output = worth_in(amount, sold, bought, lambda _, token: prices[token])
    paid = Fraction(amount * cents[0], 10 ** decimals[0])
    assert Fraction(output * cents[1], 10 ** decimals[1]) <= paid < Fraction((output + 1) * cents[1], 10 ** decimals[1])


def test_a_rate_is_in_whole_tokens(setting: Setting) -> None:
    native, usdc = setting.fixture.chain.native, Token(1, "b", "USDC", 6, "USDC")
    price = IndicativePrice(setting.request, native, usdc, 2_000_000_001, PairSource.POOLS, NOW)
    assert price.rate == Decimal("2000.000001")
