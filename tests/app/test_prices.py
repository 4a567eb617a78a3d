"""What counts as a dollar where prices are read from pools."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from rhumbline.adapters.uniswap.deployments import DEPLOYMENTS
from rhumbline.app.chains import Chains, ServedChain
from rhumbline.app.prices import build_prices, price_sources
from rhumbline.app.sections import PriceSettings
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.index import TokenIndex
from rhumbline.catalog.known import known_chains, to_chain
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.clock import system_clock
from rhumbline.domain.price import PriceTier
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.rpc import EvmRpc
from rhumbline.gateways.postgres.engine import create_engine

USDC = Token(1, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "USDC", 6, "USD Coin")
FAKES = tuple(Token(1, f"0x{number:040d}", symbol, 18, "Fake") for number, symbol in enumerate(("USDC", "DAI"), 1))
SETTINGS = PriceSettings(sources=("onchain",))
ETH = to_chain(next(facts for facts in known_chains() if facts.id == 1))
CATALOG = ChainCatalog([ETH])


@pytest.fixture
async def chains() -> AsyncIterator[Chains]:
    async with aiohttp.ClientSession() as session:
        yield Chains(CATALOG, (ServedChain(ETH, EvmRpc("http://127.0.0.1:1/", session), None),))


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
        async with price_sources(SETTINGS, chains, tokens, DEPLOYMENTS) as (onchain,):
            assert onchain.covers(ETH.id) is covered
        assert tokens.find_fixed(ETH, "DAI") is None


async def test_only_a_fixed_stable_coin_is_always_hot(chains: Chains) -> None:
    nowhere = create_engine("postgresql://nobody@127.0.0.1:1/none", connect_timeout_s=0.5)
    async with build_prices(SETTINGS, chains, with_a_list(USDC), DEPLOYMENTS, nowhere) as book:
        tiers = [book.peek(1, token.address).tier for token in (USDC, *FAKES)]
        assert tiers == [PriceTier.HOT, PriceTier.COLD, PriceTier.COLD]
    await nowhere.dispose()
