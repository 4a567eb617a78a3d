"""Every HTTP source against a host that speaks as its API does."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from rhumbline.domain.price import PriceQuote
from rhumbline.pricing.source import PriceSource, SourceUnavailable
from rhumbline.pricing.sources.answers import moment, positive
from rhumbline.pricing.sources.chain_names import COINGECKO, DEFILLAMA, DEXSCREENER
from tests.pricing.conftest import PricingFixture, Sources
from tests.pricing.exchange import (
    DAI,
    DEMO_KEY,
    JUPITER_KEY,
    NOW,
    SOLANA,
    SOLANA_USDC,
    USDC,
    WETH,
    WSOL,
    Exchange,
    Manner,
)

STRANGER = "0x00000000000000000000000000000000000A11cE"


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


async def test_defillama_needs_time_and_confidence(sources: Sources, exchange: Exchange) -> None:
    exchange.defillama.age_s = 100
    found = await sources.defillama.prices([(1, WETH), (1, STRANGER)])
    assert found == {(1, WETH): PriceQuote(Decimal(3000), None, NOW - timedelta(seconds=100))}


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


async def test_coingecko_asks_for_one_at_a_time(sources: Sources, exchange: Exchange) -> None:
    assert sources.coingecko.batch_size == 1
    assert await sources.coingecko.prices([(1, USDC)]) == {(1, USDC): PriceQuote(Decimal("1.0001"), None, NOW)}
    assert exchange.keys == [DEMO_KEY]


def test_what_the_sources_cover(sources: Sources) -> None:
    assert [source.covers(1) for source in sources.all()] == [True, True, False, True]
    assert [source.covers(SOLANA) for source in sources.all()] == [True, True, True, True]
    assert not any(source.covers(31337) for source in sources.all())
    assert DEXSCREENER.keys() == DEFILLAMA.keys() == COINGECKO.keys()


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


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("1.50", Decimal("1.50")),
        (Decimal("0.1"), Decimal("0.1")),
        (3, Decimal(3)),
        ("1e-9", Decimal("1e-9")),
        (0, None),
        ("-1", None),
        ("NaN", None),
        ("Infinity", None),
        ("", None),
        ("abc", None),
        ("1" * 200, None),
        ("1e500", None),
        (True, None),
        (None, None),
        ({}, None),
        ([], None),
    ],
)
def test_numbers(value: object, number: Decimal | None) -> None:
    assert value is None or isinstance(value, bool | int | Decimal | str | list | dict)
    assert positive(value) == number


def test_moments() -> None:
    assert moment(int(NOW.timestamp())) == NOW
    assert moment(Decimal("1772600767.9")) == NOW
    assert [moment(value) for value in (None, "1", True, 10**30, -(10**30))] == [None] * 5


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


async def test_a_chain_of_the_operators_is_priced_by_the_name_that_it_is_given(
    exchange: Exchange, sources: Sources
) -> None:
    own = replace(sources.defillama, chain_names={900_003: "solana"})
    assert own.covers(900_003)
    assert not own.covers(SOLANA)
    found = await own.prices([(900_003, WSOL)])
    assert found[900_003, WSOL].usd == Decimal("150.25")
