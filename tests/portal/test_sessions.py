"""Nonces count once and for one thing; sessions end when they should; the store has neither in clear."""

import asyncio
from urllib.parse import urlencode

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.owners import MOST_INTEGRATORS, Owners
from rhumbline.accounts.sessions import Sessions, new_token
from rhumbline.domain.account import Integrator
from rhumbline.domain.errors import InvalidRequest, NotFound
from rhumbline.gateways.postgres.engine import create_engine
from tests.portal.conftest import BEGIN, MovableClock, ServedPortal

ALICE = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
BOB = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"


@pytest.fixture
def sessions(store_engine: AsyncEngine, clock: MovableClock) -> Sessions:
    return Sessions(store_engine, clock)


@pytest.fixture
def owners(store_engine: AsyncEngine, clock: MovableClock) -> Owners:
    return Owners(store_engine, clock)


async def test_a_nonce_counts_once(sessions: Sessions) -> None:
    nonce = await sessions.new_nonce("sign-in", "a")
    assert nonce.isalnum()
    assert await sessions.use_nonce(nonce, "sign-in", "a")
    assert not await sessions.use_nonce(nonce, "sign-in", "a")


async def test_a_nonce_counts_once_for_many_processes(sessions: Sessions, store_dsn: str, clock: MovableClock) -> None:
    elsewhere = create_engine(store_dsn)
    other = Sessions(elsewhere, clock)
    nonce = await sessions.new_nonce("sign-in", "a")
    used = await asyncio.gather(*((sessions, other)[i % 2].use_nonce(nonce, "sign-in", "a") for i in range(12)))
    assert sum(used) == 1
    await elsewhere.dispose()


async def test_a_nonce_is_looked_for_without_taking_it(sessions: Sessions, clock: MovableClock) -> None:
    nonce = await sessions.new_nonce("sign-in", "a")
    for _ in range(2):
        assert await sessions.has_nonce(nonce, "sign-in", "a")
    for other in (("sign-in", "b"), ("fee-wallet", "a")):
        assert not await sessions.has_nonce(nonce, *other)
    assert not await sessions.has_nonce("0" * 32, "sign-in", "a")
    assert not await sessions.has_nonce("no nonce", "sign-in", "a")
    clock.move(minutes=5)
    assert not await sessions.has_nonce(nonce, "sign-in", "a")
    clock.move(minutes=-5)
    assert await sessions.use_nonce(nonce, "sign-in", "a")
    assert not await sessions.has_nonce(nonce, "sign-in", "a")


@pytest.mark.parametrize(("purpose", "holder"), [("fee-wallet", "a"), ("sign-in", "b"), ("sign-in\0a", ""), ("", "")])
async def test_a_nonce_is_for_one_thing(sessions: Sessions, purpose: str, holder: str) -> None:
    nonce = await sessions.new_nonce("sign-in", "a")
    assert not await sessions.use_nonce(nonce, purpose, holder)
    assert await sessions.use_nonce(nonce, "sign-in", "a")


@pytest.mark.parametrize("nonce", ["", "0", "g" * 32, "0" * 31, "0" * 32, "\x00", "ä" * 32])
async def test_what_was_never_given_is_no_nonce(sessions: Sessions, nonce: str) -> None:
    assert not await sessions.use_nonce(nonce, "sign-in", "a")


async def test_a_nonce_lives_five_minutes_and_leaves_nothing(
    sessions: Sessions, store_engine: AsyncEngine, clock: MovableClock
) -> None:
    early, late = await sessions.new_nonce("sign-in", "a"), await sessions.new_nonce("sign-in", "a")
    clock.move(minutes=4, seconds=59)
    assert await sessions.use_nonce(early, "sign-in", "a")
    clock.move(seconds=1)
    assert not await sessions.use_nonce(late, "sign-in", "a")
    await sessions.new_nonce("sign-in", "a")
    clock.move(minutes=6)
    await sessions.new_nonce("sign-in", "a")
    async with store_engine.connect() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM portal_nonces"))).scalar_one() == 1


async def test_a_session_lives_while_it_is_used_but_not_for_ever(sessions: Sessions, clock: MovableClock) -> None:
    token = await sessions.begin(ALICE)
    for _ in range(13):
        clock.move(minutes=55)
        found = await sessions.find(token)
        assert found is not None
        assert (found.address, found.begun_at) == (ALICE, BEGIN)
    clock.move(minutes=5)
    assert await sessions.find(token) is None


async def test_an_idle_session_ends(sessions: Sessions, store_engine: AsyncEngine, clock: MovableClock) -> None:
    token = await sessions.begin(ALICE)
    clock.move(minutes=60)
    assert await sessions.find(token) is None
    await sessions.begin(BOB)
    async with store_engine.connect() as connection:
        assert (await connection.execute(text("SELECT address FROM portal_sessions"))).scalars().all() == [BOB]


async def test_sessions_end_at_once(sessions: Sessions) -> None:
    first, second, other = [await sessions.begin(address) for address in (ALICE, ALICE, BOB)]
    await sessions.end(first)
    assert await sessions.find(first) is None
    assert await sessions.find(second) is not None
    await sessions.end_all(ALICE)
    assert await sessions.find(second) is None
    assert await sessions.find(other) is not None
    await sessions.end(new_token())


@pytest.mark.parametrize("token", ["", "x", "\x00" * 43, "é" * 43, "a" * 44, "' OR 1=1 --"])
async def test_what_is_no_token_finds_nothing(sessions: Sessions, token: str) -> None:
    await sessions.begin(ALICE)
    assert await sessions.find(token) is None


async def test_the_store_has_no_secret_in_clear(sessions: Sessions, store_engine: AsyncEngine) -> None:
    secrets = [await sessions.begin(ALICE), await sessions.new_nonce("sign-in", "a")]
    async with store_engine.connect() as connection:
        for query in ("SELECT s::text FROM portal_sessions s", "SELECT n::text FROM portal_nonces n"):
            kept = str((await connection.execute(text(query))).scalars().all())
            for secret in secrets:
                assert secret not in kept
                assert secret.encode().hex() not in kept


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


async def test_a_session_that_ends_in_the_middle_goes_on_where_it_was(portal: ServedPortal) -> None:
    visitor = portal.visitor()
    await visitor.sign_in()
    await visitor.register("Acme")
    csrf = await visitor.csrf()
    portal.clock.move(hours=2)
    page = "/portal/i/Acme/transactions?status=success&chain=base"
    away = await visitor.get(page)
    sign_in = f"/portal?{urlencode({'then': page})}"
    assert (away.status, away.headers["location"]) == (303, sign_in)
    shown = await visitor.get(sign_in)
    assert f'data-then="{page.replace("&", "&amp;")}"' in shown.text
    referer = {"referer": f"{portal.url}/portal/i/Acme/keys", "content-type": "application/x-www-form-urlencoded"}
    lost = await visitor.ask("POST", "/portal/i/Acme/keys", f"csrf={csrf}".encode(), referer)
    assert (lost.status, "nothing was changed" in lost.text) == (403, True)
    assert 'href="/portal?then=%2Fportal%2Fi%2FAcme%2Fkeys"' in lost.text
    assert await portal.services.accounts.list_keys("Acme") == ()
    await visitor.sign_in()
    back = await visitor.get(sign_in)
    assert (back.status, back.headers["location"]) == (303, page)


@pytest.mark.parametrize(
    "then",
    ["//evil.example", "https://evil.example/portal/i/x", "/portal/i/", "/portal/i/x\\evil", "/portal/i/x#<", "/docs"],
)
async def test_a_sign_in_leads_nowhere_but_into_the_portal(portal: ServedPortal, then: str) -> None:
    visitor = portal.visitor()
    asked = f"/portal?{urlencode({'then': then})}"
    assert 'data-then="/portal"' in (await visitor.get(asked)).text
    await visitor.sign_in()
    assert (await visitor.get(asked)).status == 200


async def test_a_name_that_is_registered_twice_by_its_owner_is_theirs(portal: ServedPortal) -> None:
    visitor, stranger = portal.visitor(), portal.visitor(2)
    await visitor.sign_in()
    await stranger.sign_in()
    for _ in range(2):
        answer = await visitor.send_form("/portal/integrators", await visitor.csrf(), name="Acme")
        assert (answer.status, answer.headers["location"]) == (303, "/portal/i/Acme")
    taken = await stranger.send_form("/portal/integrators", await stranger.csrf(), name="Acme")
    assert (taken.status, "is taken" in taken.text) == (400, True)
