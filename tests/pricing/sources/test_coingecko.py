"""Coins by CoinGecko."""

from decimal import Decimal

from rhumbline.domain.price import PriceQuote
from tests.pricing.conftest import Sources
from tests.pricing.exchange import DEMO_KEY, NOW, USDC, Exchange


async def test_coingecko_asks_for_one_at_a_time(sources: Sources, exchange: Exchange) -> None:
    assert sources.coingecko.batch_size == 1
    assert await sources.coingecko.prices([(1, USDC)]) == {(1, USDC): PriceQuote(Decimal("1.0001"), None, NOW)}
    assert exchange.keys == [DEMO_KEY]
