"""Nonces count once and for one thing; sessions end when they should; the store has neither in clear."""

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.sessions import Sessions, new_token
from rhumbline.gateways.postgres.engine import create_engine
from tests.accounts.test_members import ALICE, BOB
from tests.clocks import Clock
from tests.portal_fixture import BEGIN


@pytest.fixture
def sessions(store_engine: AsyncEngine, clock: Clock) -> Sessions:
    return Sessions(store_engine, clock)


async def test_a_nonce_counts_once(sessions: Sessions) -> None:
    nonce = await sessions.new_nonce("sign-in", "a")
    assert nonce.isalnum()
    assert await sessions.use_nonce(nonce, "sign-in", "a")
    assert not await sessions.use_nonce(nonce, "sign-in", "a")


async def test_a_nonce_counts_once_for_many_processes(sessions: Sessions, store_dsn: str, clock: Clock) -> None:
    elsewhere = create_engine(store_dsn)
    other = Sessions(elsewhere, clock)
    nonce = await sessions.new_nonce("sign-in", "a")
    used = await asyncio.gather(*((sessions, other)[i % 2].use_nonce(nonce, "sign-in", "a") for i in range(12)))
    assert sum(used) == 1
    await elsewhere.dispose()


async def test_a_nonce_is_looked_for_without_taking_it(sessions: Sessions, clock: Clock) -> None:
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
    sessions: Sessions, store_engine: AsyncEngine, clock: Clock
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


async def test_a_session_lives_while_it_is_used_but_not_for_ever(sessions: Sessions, clock: Clock) -> None:
    token = await sessions.begin(ALICE)
    for _ in range(13):
        clock.move(minutes=55)
        found = await sessions.find(token)
        assert found is not None
        assert (found.address, found.begun_at) == (ALICE, BEGIN)
    clock.move(minutes=5)
    assert await sessions.find(token) is None


async def test_an_idle_session_ends(sessions: Sessions, store_engine: AsyncEngine, clock: Clock) -> None:
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
