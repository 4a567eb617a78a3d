"""Which integrators a wallet has."""

import asyncio

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.owners import MOST_INTEGRATORS, Owners
from rhumbline.domain.account import Integrator
from rhumbline.domain.errors import InvalidRequest, NotFound
from tests.clocks import Clock
from tests.portal_fixture import BEGIN

ALICE = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
BOB = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"


@pytest.fixture
def owners(store_engine: AsyncEngine, clock: Clock) -> Owners:
    return Owners(store_engine, clock)


async def test_an_owner_finds_its_own_alone(owners: Owners) -> None:
    assert await owners.register(ALICE, "Acme") == Integrator("Acme", None, None, BEGIN)
    assert await owners.integrators_of(ALICE) == ("Acme",)
    assert await owners.integrators_of(BOB) == ()
    assert await owners.find(BOB, "Acme") is None
    assert (await owners.find(ALICE, "Acme")) == Integrator("Acme", None, None, BEGIN)
    await owners.add(BOB, "aCME")
    await owners.add(BOB, "Acme")
    assert await owners.integrators_of(BOB) == ("Acme",)
    with pytest.raises(NotFound):
        await owners.add(BOB, "nobody")


@pytest.mark.parametrize("name", ["acme", "ACME", "rhumbline", "Admin", "", " ", "a b", "x" * 32, "<b>", "ä", "."])
async def test_a_name_must_be_free_and_well_formed(owners: Owners, name: str) -> None:
    await owners.register(ALICE, "Acme")
    with pytest.raises(InvalidRequest) as caught:
        await owners.register(BOB, name)
    assert caught.value.faults[0].startswith("integrator: ")
    assert await owners.integrators_of(BOB) == ()


async def test_a_wallet_has_enough_some_day(owners: Owners) -> None:
    """At once, too: of many registrations no more go through than there is room for."""
    made = await asyncio.gather(*(owners.register(ALICE, f"n{i}") for i in range(14)), return_exceptions=True)
    assert sum(isinstance(one, Integrator) for one in made) == MOST_INTEGRATORS
    assert len(await owners.integrators_of(ALICE)) == MOST_INTEGRATORS
    assert await owners.register(BOB, "n-bob") is not None
