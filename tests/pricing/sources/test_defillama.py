"""What DefiLlama is sure of."""

from datetime import timedelta
from decimal import Decimal

from rhumbline.domain.price import PriceQuote
from tests.pricing.conftest import Sources
from tests.pricing.exchange import NOW, WETH, Exchange
from tests.pricing.test_source import STRANGER


async def test_defillama_needs_time_and_confidence(sources: Sources, exchange: Exchange) -> None:
    exchange.defillama.age_s = 100
    found = await sources.defillama.prices([(1, WETH), (1, STRANGER)])
    assert found == {(1, WETH): PriceQuote(Decimal(3000), None, NOW - timedelta(seconds=100))}
