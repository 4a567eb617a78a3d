"""One answer has one price of a token; which prices may be evidence against an upstream."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.app.sections import PriceSettings
from rhumbline.domain.price import POOL_READERS, PriceSnapshot, PriceTier
from rhumbline.routing.planner import Planner
from rhumbline.routing.quote_prices import PriceReader, QuotePrices, fresh_price, independent_price, usd_price
from tests.routing.quote_fixture import KEY, QuoteFixture
from tests.routing.venues import DAI, PoolVenue, toy_token

USDC_1, DAI_1 = toy_token(), toy_token(DAI, "DAI", 18)


class MovingPrices:
    """A reader whose prices rise by a thousandth with every read."""

    def __init__(self, usd: dict[str, str]) -> None:
        self.usd = usd
        self.reads: list[str] = []

    def __call__(self, chain_id: int, token: str) -> PriceSnapshot | None:
        self.reads.append(token)
        if token not in self.usd:
            return None
        usd = Decimal(self.usd[token]) * (1000 + len(self.reads)) / 1000
        return PriceSnapshot(chain_id, token, usd, "defillama", datetime.now(UTC), False, PriceTier.HOT, False)


def test_each_price_is_read_once_and_those_of_the_pair_from_the_beginning() -> None:
    moving = MovingPrices({USDC_1.address: "1"})
    prices = QuotePrices(moving, (USDC_1,))
    assert moving.reads == [USDC_1.address]
    assert {usd_price(USDC_1, prices), fresh_price(USDC_1, prices)} == {Decimal("1.001")}
    assert [usd_price(DAI_1, prices) for _ in range(2)] == [None, None]
    assert moving.reads == [USDC_1.address, DAI_1.address]


async def test_an_answer_never_mixes_two_moments(quotes: QuoteFixture) -> None:
    venues = [PoolVenue(quotes.described, quotes.rpc, fee, f"POOL{fee}") for fee in (500, 3000)]
    usd = {quotes.token("USDC"): "1", quotes.token("WETH"): "3000", quotes.token("ETH"): "3000"}
    moving = MovingPrices(usd)
    service = quotes.with_(*venues, prices=moving).service
    answer = await service.answer(quotes.ask("USDC", "WETH", 10**8))
    assert sorted(moving.reads) == sorted(usd)
    first = {token: Decimal(usd[token]) * (1001 + place) / 1000 for place, token in enumerate(moving.reads)}
    assert answer.prices is not None
    assert [each.usd for each in answer.prices] == [first[quotes.token("USDC")], first[quotes.token("WETH")]]
    assert answer.fees.unit_usd == first[quotes.token("USDC")]
    assert {item.unit_usd for item in answer.fees.items} <= set(first.values())

    moving.reads.clear()
    plans = await Planner(service, (KEY,)).routes(quotes.ask("USDC", "WETH", 10**8), 10)
    assert sorted(moving.reads) == sorted(usd)
    assert len({plan.fees.unit_usd for plan in plans}) == 1


TOKEN, STRANGERS = toy_token(), toy_token(listed=False)
SOURCES = get_args(get_args(PriceSettings.model_fields["sources"].annotation)[0])


def said(
    source: str | None, *agreeing: str, usd: str | None = "3000", stale: bool = False, asked: list[str] | None = None
) -> PriceReader:
    def read(chain_id: int, token: str) -> PriceSnapshot:
        if asked is not None:
            asked.append(token)
        at = datetime(2026, 11, 22, tzinfo=UTC)
        price = None if usd is None else Decimal(usd)
        return PriceSnapshot(chain_id, token, price, source, at, stale, PriceTier.HOT, False, agreeing)

    return read


def test_the_names_are_those_of_the_settings() -> None:
    assert set(SOURCES) > POOL_READERS
    assert set(SOURCES) - POOL_READERS == {"defillama", "jupiter", "coingecko"}


@pytest.mark.parametrize(
    ("prices", "vendor", "counts"),
    [
        (said("defillama"), "RELAY", True),
        (said("defillama", "onchain"), "RELAY", True),
        (said("coingecko"), "RELAY", True),
        (said("jupiter"), "RELAY", True),
        (said("jupiter"), "JUPITER", False),
        (said("jupiter", "dexscreener"), "JUPITER", False),
        (said("jupiter", "defillama"), "JUPITER", True),
        (said("onchain"), "RELAY", False),
        (said("dexscreener"), "RELAY", False),
        (said("dexscreener", "onchain"), "RELAY", False),
        (said("onchain", "dexscreener"), "RELAY", False),
        (said("dexscreener", "defillama"), "RELAY", True),
        (said("onchain", "defillama"), "RELAY", True),
        (said("dexscreener", "jupiter"), "JUPITER", False),
        (said(None), "RELAY", False),
        (said("defillama", stale=True), "RELAY", False),
        (said("defillama", "coingecko", stale=True), "RELAY", False),
        (said("defillama", usd=None), "RELAY", False),
        (said("defillama", usd="0"), "RELAY", False),
        (said("defillama", usd="-1"), "RELAY", False),
        (lambda *_: None, "RELAY", False),
    ],
)
def test_who_must_stand_behind_a_price(prices: PriceReader, vendor: str, counts: bool) -> None:
    assert independent_price(TOKEN, prices, vendor) == (Decimal(3000) if counts else None)
    assert independent_price(STRANGERS, prices, vendor) is None


def test_a_token_on_no_list_is_not_even_asked_for() -> None:
    asked: list[str] = []
    assert independent_price(STRANGERS, said("defillama", asked=asked), "RELAY") is None
    assert asked == []


names = st.sampled_from(SOURCES)


@given(names, st.lists(names, unique=True), st.sampled_from((*SOURCES, "relay")), st.booleans(), st.booleans())
def test_neither_pools_nor_the_vendor_are_evidence(
    source: str, others: list[str], vendor: str, stale: bool, listed: bool
) -> None:
    """Whoever agrees besides: without one that is neither, nothing counts, and what counts is the price itself."""
    prices, token = said(source, *others, stale=stale), TOKEN if listed else STRANGERS
    found = independent_price(token, prices, vendor.upper())
    behind = {source, *others} - POOL_READERS - {vendor}
    assert (found is not None) == (bool(behind) and listed and not stale)
    assert found in (None, fresh_price(token, prices))
