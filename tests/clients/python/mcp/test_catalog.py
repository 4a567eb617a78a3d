"""Chains and tokens by the names that people use: what could mean two is never guessed."""

import asyncio

import pytest

from rhumbline_client import ServiceError
from rhumbline_client.mcp.catalog import FAILED_S, FRESH_S, Catalog
from rhumbline_client.mcp.failures import ToolFailure
from rhumbline_client.mcp.service import Service
from tests.clients.python.mcp.answers import CHAINS, ONE_CHAIN, TOKEN, TOKENS, USDC, chain, token
from tests.clients.python.scripted_service import Reply, ScriptedService, error

TWO_CHAINS = Reply(body={"chains": [chain(1, "eth", "Ethereum"), chain(5, "bsc", "Double"), chain(7, "bsd", "Double")]})
FAKE = "0x" + "0f" * 20


@pytest.mark.parametrize("name", ["1", "eth", "ETH", "Ethereum", " ethereum "])
async def test_a_chain_is_found_by_key_name_or_id(service: Service, name: str) -> None:
    assert (await service.catalog.chain("chain", name)).id == 1


async def test_a_chain_that_is_not_known_names_those_that_are(service: Service) -> None:
    with pytest.raises(ToolFailure, match=r"^to_chain: no chain is called 'mars'; there are: eth \(1, Ethereum\)$"):
        await service.catalog.chain("to_chain", "mars")


async def test_a_name_of_two_chains_is_asked_back(service: Service, answering: ScriptedService) -> None:
    answering.replies[CHAINS] = [TWO_CHAINS]
    with pytest.raises(ToolFailure, match=r"several chains are called 'double': bsc .*, bsd .*; give one's key"):
        await service.catalog.chain("chain", "double")


@pytest.mark.parametrize("symbol", ["USDC", "usdc", " USDC "])
async def test_a_token_is_found_by_its_symbol(service: Service, symbol: str) -> None:
    assert (await service.catalog.token("token", await service.catalog.chain("chain", "eth"), symbol)).address == USDC


async def test_a_symbol_of_two_tokens_lists_both_and_guesses_none(service: Service, answering: ScriptedService) -> None:
    """A fake has the same symbol, or one that only looks different in its case."""
    answering.replies[TOKENS] = [
        Reply(body={"1": [token(1, "USDC", address=USDC), token(1, "usdc", address=FAKE, name="USD\n\u202eCoin")]})
    ]
    eth = await service.catalog.chain("chain", "eth")
    with pytest.raises(ToolFailure) as raised:
        await service.catalog.token("from_token", eth, "USDC")
    assert str(raised.value) == (
        "from_token: 2 tokens of eth have the symbol 'USDC', and some may be fakes. Ask the person which one is "
        f"meant and give its address: USDC {USDC} (A token); usdc {FAKE} (USD Coin)"
    )
    assert f"GET /v1/token?{FAKE}" not in answering.asked


async def test_a_symbol_that_no_token_has_is_said(service: Service) -> None:
    eth = await service.catalog.chain("chain", "eth")
    with pytest.raises(ToolFailure, match="no listed token of eth has the symbol 'DOGE'; look with `tokens`"):
        await service.catalog.token("to_token", eth, "DOGE")


async def test_an_address_finds_an_unlisted_token(service: Service, answering: ScriptedService) -> None:
    answering.replies[TOKEN] = [Reply(body=token(1, "NEW", address=FAKE))]
    eth = await service.catalog.chain("chain", "eth")
    found = await service.catalog.token("token", eth, FAKE)
    shown = await service.catalog.shown(found, eth)
    assert (shown.symbol, shown.listed) == ("NEW", False)


async def test_an_address_without_a_token_is_said(service: Service, answering: ScriptedService) -> None:
    answering.replies[TOKEN] = [error(404, "NOT_FOUND")]
    eth = await service.catalog.chain("chain", "eth")
    with pytest.raises(ToolFailure, match=f"token: eth has no token at {FAKE}: as a test has it"):
        await service.catalog.token("token", eth, FAKE)


async def test_lists_are_asked_once_a_minute(service: Service, answering: ScriptedService) -> None:
    times = [0.0]
    catalog = Catalog(service.client, lambda: times[-1])
    for passed, questions in ((0.0, 1), (FRESH_S - 1, 1), (FRESH_S + 1, 2)):
        times.append(passed)
        await catalog.chains()
        await catalog.listed(1)
        assert answering.asked == [CHAINS, TOKENS] * questions


async def test_calls_that_wait_together_share_a_failure(service: Service, answering: ScriptedService) -> None:
    answering.replies[CHAINS] = [error(503, "UNKNOWN"), *ONE_CHAIN[CHAINS]]
    times = [0.0]
    catalog = Catalog(service.client, lambda: times[-1])
    found = await asyncio.gather(*(catalog.chains() for _ in range(100)), return_exceptions=True)
    assert {type(each) for each in found} == {ServiceError}
    assert answering.asked == [CHAINS]
    times.append(FAILED_S)
    assert len(await catalog.chains()) == 1
