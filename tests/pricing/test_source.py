"""Every HTTP source against a host that speaks as its API does."""

from decimal import Decimal

import pytest

from rhumbline.pricing.source import PriceSource, SourceUnavailable
from tests.pricing.conftest import Sources
from tests.pricing.exchange import SOLANA, SOLANA_USDC, WETH, WSOL, Exchange, Manner

STRANGER = "0x00000000000000000000000000000000000A11cE"


def manners(exchange: Exchange, sources: Sources) -> list[tuple[PriceSource, Manner, tuple[int, str]]]:
    return [
        (sources.dexscreener, exchange.dexscreener, (1, WETH)),
        (sources.defillama, exchange.defillama, (1, WETH)),
        (sources.jupiter, exchange.jupiter, (SOLANA, WSOL)),
        (sources.coingecko, exchange.coingecko, (1, WETH)),
    ]


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("mode", ["down", "html", "busy", "cut", "list", "huge"])
async def test_a_source_that_misbehaves_is_unavailable(
    exchange: Exchange, sources: Sources, place: int, mode: str
) -> None:
    source, manner, token = manners(exchange, sources)[place]
    manner.mode = mode
    with pytest.raises(SourceUnavailable) as caught:
        await source.prices([token])
    assert str(caught.value).startswith(source.name)
    assert exchange.url not in str(caught.value)
    assert caught.value.retry_after_s == (77 if mode == "busy" else None)


async def test_each_source_prices_solana_by_mint(exchange: Exchange, sources: Sources) -> None:
    for source in (sources.dexscreener, sources.defillama, sources.jupiter):
        found = await source.prices([(SOLANA, WSOL), (SOLANA, SOLANA_USDC)])
        assert {token: quote.usd for token, quote in found.items()} == {
            (SOLANA, WSOL): Decimal("150.25"),
            (SOLANA, SOLANA_USDC): Decimal("0.9999"),
        }


@pytest.mark.parametrize("mint", [WSOL, SOLANA_USDC])
async def test_mints_that_differ_in_case_are_two(exchange: Exchange, sources: Sources, mint: str) -> None:
    """Base58 means something by it; a source that lowers it prices nothing, rather than another token."""
    other = mint.swapcase()
    exchange.truth[other] = ("7", "90000000")
    for source in (sources.dexscreener, sources.defillama, sources.jupiter):
        found = await source.prices([(SOLANA, mint), (SOLANA, other)])
        assert found[SOLANA, other].usd == Decimal(7) != found[SOLANA, mint].usd
    assert await sources.coingecko.prices([(SOLANA, mint)]) == {}
