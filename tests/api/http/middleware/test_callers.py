"""An API key as it arrives over HTTP, with the real accounts: what is not the very key counts as none, and is told."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import aiohttp
import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service import Accounts
from rhumbline.api.server.application import create_app
from rhumbline.domain.clock import system_clock
from tests.api.api_service import ApiService, services
from tests.api.conftest import Client, served
from tests.api.wire.test_quote_request import GOOD


@dataclass(frozen=True)
class Gatehouse:
    """A service with one integrator and its key."""

    client: Client
    accounts: Accounts
    api_service: ApiService
    key: str
    number: int


@pytest.fixture
async def gate(store_engine: AsyncEngine) -> AsyncIterator[Gatehouse]:
    accounts, api_service = Accounts(store_engine, system_clock), ApiService()
    await accounts.create_integrator("Acme", None, None)
    key, text = await accounts.create_key("Acme")
    app = create_app(replace(services(api_service, {}), accounts=accounts.caller))
    async with aiohttp.ClientSession() as session, served(app) as (url, port):
        yield Gatehouse(Client(url, port, session), accounts, api_service, text, key.id)


async def is_taken(gate: Gatehouse, headers: dict[str, str]) -> bool:
    """Ask for metadata, a quote and transactions; all must agree on whether there is a valid key."""
    chains = await gate.client.ask("/v1/chains", headers=headers)
    quote = await gate.client.ask("/v1/quotes", GOOD, headers=headers)
    records = await gate.client.ask("/v1/transactions", headers=headers)
    assert (chains.status, quote.status) == (200, 200)
    caller = gate.api_service.asked[-1].client
    if records.status == 200:
        assert caller.integrator is not None
        assert (caller.integrator.name, caller.key_id) == ("Acme", gate.number)
        assert "X-Api-Key-Status" not in chains.headers
        assert gate.api_service.pages[-1][0] == "Acme"
        return True
    assert (records.status, records.json["details"]["errorCode"]) == (401, "API_KEY_INVALID")
    assert (caller.integrator, caller.key_id) == (None, None)
    assert chains.headers["X-Api-Key-Status"] == quote.headers["X-Api-Key-Status"] == "invalid"
    return False


async def test_the_key_is_taken_under_any_spelling_of_the_headers_name(gate: Gatehouse) -> None:
    for name in ("x-api-key", "X-API-Key", "X-API-KEY"):
        assert await is_taken(gate, {name: gate.key})


async def test_blanks_around_a_value_are_no_part_of_it(gate: Gatehouse) -> None:
    """RFC 9110, 5.5 (https://www.rfc-editor.org/rfc/rfc9110, read 2026-11)."""
    for value in (f"  {gate.key}", f"\t{gate.key}", f"{gate.key} ", f" {gate.key}\t "):
        assert await is_taken(gate, {"x-api-key": value})


@pytest.mark.parametrize(
    "spelt",
    [
        str.swapcase,
        str.upper,
        str.lower,
        lambda key: key[:20] + " " + key[20:],
        lambda key: key[:-1],
        lambda key: key + "x",
        lambda key: f"{key}, {key}",
        lambda key: f'"{key}"',
        lambda key: f"Bearer {key}",
        lambda key: key + "\u00a0",
        lambda key: key.replace("rl_live_", "rl_test_"),
        lambda key: "x" * 8000,
    ],
    ids=["swapped", "upper", "lower", "blank", "short", "long", "twice", "quoted", "bearer", "nbsp", "test", "huge"],
)
async def test_whatever_is_not_the_key_counts_as_none(gate: Gatehouse, spelt: object) -> None:
    assert callable(spelt)
    assert not await is_taken(gate, {"x-api-key": spelt(gate.key)})


async def test_a_revoked_key_counts_as_none(gate: Gatehouse) -> None:
    assert await is_taken(gate, {"x-api-key": gate.key})
    await gate.accounts.revoke_key(gate.number)
    assert not await is_taken(gate, {"x-api-key": gate.key})


async def test_an_empty_key_is_no_key(gate: Gatehouse) -> None:
    for value in ("", "   "):
        chains = await gate.client.ask("/v1/chains", headers={"x-api-key": value})
        assert "X-Api-Key-Status" not in chains.headers
        records = await gate.client.ask("/v1/transactions", headers={"x-api-key": value})
        assert (records.status, records.json["details"]["errorCode"]) == (401, "API_KEY_MISSING")
