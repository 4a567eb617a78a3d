"""How the price book is made of the settings, and what counts as a dollar where prices are read from pools."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace

import pytest

from rhumbline.app.chains import Chains, ServedEvm
from rhumbline.app.prices import build_prices, price_sources
from rhumbline.app.sections import PriceSettings
from rhumbline.app.settings import SettingsError
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.index import TokenIndex
from rhumbline.catalog.known import known_chains, to_chain
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.clock import system_clock
from rhumbline.domain.price import PriceTier
from rhumbline.domain.token import Token
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.liquidity.chain_pools import ChainPools, chain_pools
from rhumbline.liquidity.deployments import DEPLOYMENTS
from rhumbline.pricing.sources.coingecko import CoinGecko
from rhumbline.pricing.sources.defillama import DefiLlama
from rhumbline.pricing.sources.dexscreener import DexScreener
from rhumbline.pricing.sources.jupiter import Jupiter

USDC = Token(1, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "USDC", 6, "USD Coin")
FAKES = tuple(Token(1, f"0x{number:040d}", symbol, 18, "Fake") for number, symbol in enumerate(("USDC", "DAI"), 1))
SETTINGS = PriceSettings(sources=("onchain",))
ETH = to_chain(next(facts for facts in known_chains() if facts.id == 1))
CATALOG = ChainCatalog([ETH])


@pytest.fixture
async def chains() -> AsyncIterator[Chains]:
    async with HttpClient() as http:
        yield Chains(CATALOG, (ServedEvm(ETH, EvmRpc("http://127.0.0.1:1/", http), None),))


def pools_on(chains: Chains) -> Mapping[int, ChainPools]:
    return {
        served.chain.id: chain_pools(served.rpc, DEPLOYMENTS[served.chain.id], lambda: 0.0) for served in chains.evm
    }


def with_a_list(*fixed: Token) -> TokenCatalog:
    """A catalogue that has taken over a list with a USDC and a DAI of its own."""
    tokens = TokenCatalog(CATALOG, fixed, {})
    tokens.adopt(TokenIndex.of(CATALOG, fixed, FAKES), system_clock())
    return tokens


async def test_a_list_cannot_say_what_a_dollar_is(chains: Chains) -> None:
    """Where neither the operator nor the package names a stable coin, pools have no price in dollars."""
    for fixed, covered in (((), False), ((USDC,), True)):
        tokens = with_a_list(*fixed)
        assert tokens.find(ETH, "DAI") == FAKES[1]
        async with price_sources(SETTINGS, chains, tokens, pools_on(chains)) as (onchain,):
            assert onchain.covers(ETH.id) is covered
        assert tokens.find_fixed(ETH, "DAI") is None


@pytest.mark.parametrize("source", ["dexscreener", "defillama", "coingecko"])
async def test_the_operators_names_of_chains_add_to_and_win_over_the_known(chains: Chains, source: str) -> None:
    own = to_chain(next(facts for facts in known_chains() if facts.id == 10))
    both = replace(chains, catalog=ChainCatalog([replace(own, id=424242, key="own"), ETH]))
    settings = PriceSettings.model_validate({"sources": [source], f"{source}_chains": {424242: "own", 1: "fork"}})
    async with price_sources(settings, both, with_a_list(), pools_on(chains)) as (made,):
        assert isinstance(made, DexScreener | DefiLlama | CoinGecko)
        assert [made.chain_names[number] for number in (424242, 1, 8453)] == ["own", "fork", "base"]
        assert [made.covers(number) for number in (424242, 1, 31337)] == [True, True, False]


@pytest.mark.parametrize(("key", "pace"), [(None, 60 / 30), ("a-key", 60 / 60)])
async def test_jupiter_is_asked_at_one_host_and_within_what_is_free(
    chains: Chains, key: str | None, pace: float
) -> None:
    settings = PriceSettings.model_validate({"sources": ["jupiter"], "jupiter_key": key})
    async with price_sources(settings, chains, with_a_list(), pools_on(chains)) as (made,):
        assert isinstance(made, Jupiter)
        assert made.upstream.url == "https://api.jup.ag"
        assert made.interval_s > pace


async def test_a_name_for_a_chain_that_is_not_known_is_a_fault(chains: Chains) -> None:
    """Whether the source is asked or not, all at once: a name that does nothing is a mistake."""
    settings = PriceSettings(sources=("onchain",), defillama_chains={5: "five", 1: "fork"}, coingecko_chains={6: "six"})
    with pytest.raises(SettingsError) as caught:
        async with price_sources(settings, chains, with_a_list(), pools_on(chains)):
            pass
    assert caught.value.faults == (
        "prices.defillama_chains.5: there is no such chain; add it as one of the [[chains]]",
        "prices.coingecko_chains.6: there is no such chain; add it as one of the [[chains]]",
    )


async def test_only_a_fixed_stable_coin_is_always_hot(chains: Chains) -> None:
    nowhere = create_engine("postgresql://nobody@127.0.0.1:1/none", connect_timeout_s=0.5)
    async with build_prices(SETTINGS, chains, with_a_list(USDC), pools_on(chains), nowhere) as book:
        tiers = [book.peek(1, token.address).tier for token in (USDC, *FAKES)]
        assert tiers == [PriceTier.HOT, PriceTier.COLD, PriceTier.COLD]
    await nowhere.dispose()
