"""Mints by Jupiter."""

from decimal import Decimal

import pytest

from rhumbline.domain.price import PriceQuote
from tests.pricing.conftest import PricingFixture, Sources
from tests.pricing.exchange import JUPITER_KEY, NOW, SOLANA, SOLANA_USDC, WSOL, Exchange


async def test_jupiter_sends_its_key(sources: Sources, exchange: Exchange) -> None:
    found = await sources.jupiter.prices([(SOLANA, WSOL), (SOLANA, SOLANA_USDC)])
    assert found[SOLANA, WSOL] == PriceQuote(Decimal("150.25"), Decimal(30_000_000), NOW)
    assert exchange.keys == [JUPITER_KEY]


@pytest.mark.parametrize("liquidity", ["0", "0.0", "-5", '"n/a"', "null", "true", "1e-400"])
async def test_a_liquidity_that_jupiter_does_not_tell_is_none_that_counts(
    pricing: PricingFixture, sources: Sources, exchange: Exchange, liquidity: str
) -> None:
    """Jupiter lists whatever is traded: unlike that of a source with a judgement of its own, its word needs depth."""
    exchange.jupiter.liquidity = liquidity
    found = await sources.jupiter.prices([(SOLANA, WSOL)])
    assert found == {(SOLANA, WSOL): PriceQuote(Decimal("150.25"), Decimal(0), NOW)}
    for one_alone in (pricing.book(sources.jupiter), pricing.book(sources.jupiter, sources.dexscreener)):
        exchange.dexscreener.unknown = {WSOL}
        one_alone.read(SOLANA, WSOL)
        assert await one_alone.refresh_due() == 1
        assert one_alone.peek(SOLANA, WSOL).usd is None


async def test_a_mint_without_a_word_about_liquidity_has_none(sources: Sources, exchange: Exchange) -> None:
    exchange.jupiter.silent = True
    found = await sources.jupiter.prices([(SOLANA, WSOL)])
    assert found == {(SOLANA, WSOL): PriceQuote(Decimal("150.25"), Decimal(0), NOW)}
