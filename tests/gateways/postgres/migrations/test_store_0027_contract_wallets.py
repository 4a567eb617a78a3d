"""Accounts of contract wallets are kept beside those of keys, and nothing else is."""

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.engine import create_engine

ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
_SESSION = """
    INSERT INTO portal_sessions (digest, address, begun_at, used_at)
    VALUES (sha256(convert_to(:address, 'UTF8')), :address, now(), now())
"""


@pytest.fixture
async def store(store_dsn: str) -> AsyncIterator[AsyncEngine]:
    engine = create_engine(store_dsn)
    yield engine
    await engine.dispose()


async def keep(store: AsyncEngine, address: str) -> None:
    async with store.begin() as connection:
        await connection.execute(text(_SESSION), {"address": address})


@pytest.mark.parametrize("address", [ADDRESS, f"eip155:1:{ADDRESS}", f"eip155:8453:{ADDRESS}"])
async def test_accounts_are_kept(store: AsyncEngine, address: str) -> None:
    await keep(store, address)


@pytest.mark.parametrize(
    "address",
    ["", ADDRESS[:-1], f"eip155:{ADDRESS}", f"eip155:01:{ADDRESS}", f"eip155:1:{ADDRESS}\n", f"eip155x1:{ADDRESS}"],
)
async def test_nothing_else_is(store: AsyncEngine, address: str) -> None:
    with pytest.raises(IntegrityError):
        await keep(store, address)
