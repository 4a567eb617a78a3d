"""The deepest pool of a token."""

from decimal import Decimal

from rhumbline.domain.price import PriceQuote
from tests.pricing.conftest import Sources
from tests.pricing.exchange import DAI, NOW, WETH, Exchange
from tests.pricing.test_source import STRANGER


async def test_dexscreener_takes_the_deepest_pool(sources: Sources, exchange: Exchange) -> None:
    found = await sources.dexscreener.prices([(1, WETH), (1, STRANGER), (1, DAI)])
    assert found == {
        (1, WETH): PriceQuote(Decimal(3000), Decimal(90_000_000), NOW),
        (1, DAI): PriceQuote(Decimal(1), Decimal(20_000), NOW),
    }
    assert exchange.dexscreener.calls == [[WETH, STRANGER, DAI]]


async def test_dexscreener_prices_a_token_that_is_only_a_quote_token(sources: Sources) -> None:
    # The emulator's pairs cost 2.5 of 0x…aa each; the deepest one is that of WETH at 3000.
    quote_token = "0x00000000000000000000000000000000000000AA"
    found = await sources.dexscreener.prices([(1, WETH), (1, quote_token)])
    assert found[1, quote_token] == PriceQuote(Decimal(1200), Decimal(90_000_000), NOW)
