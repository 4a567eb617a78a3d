"""One answer has one price of a token, whatever prices do while it is made."""

from datetime import UTC, datetime
from decimal import Decimal

from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.routing.planner import Planner
from rhumbline.routing.quote_prices import QuotePrices, fresh_price, usd_price
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
