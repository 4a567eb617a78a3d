"""The service's secrets are made once, shared by all processes, and kept when they are rotated."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service_keys import SPREAD_S, load_keys, rotate_keys, service_secrets
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.gateways.postgres.engine import create_engine


async def test_many_at_once_get_the_same_one(store_dsn: str) -> None:
    engines = [create_engine(store_dsn) for _ in range(8)]
    found = await asyncio.gather(*[load_keys(engine, "cursor") for engine in engines])
    assert len(set(found)) == 1
    assert [len(key) for key in found[0]] == [32]
    for engine in engines:
        await engine.dispose()


async def test_purposes_do_not_share(store_engine: AsyncEngine) -> None:
    assert await load_keys(store_engine, "cursor") != await load_keys(store_engine, "transaction-id")


async def aged(engine: AsyncEngine, seconds: float) -> None:
    async with engine.begin() as connection:
        older = service_secrets.c.created_at - timedelta(seconds=seconds)
        await connection.execute(update(service_secrets).values(created_at=older))


async def test_a_new_one_is_written_with_once_every_process_has_read_it(store_engine: AsyncEngine) -> None:
    (first,) = await load_keys(store_engine, "cursor")
    other = await load_keys(store_engine, "transaction-id")
    _, second = await rotate_keys(store_engine, "cursor")
    _, _, third = await rotate_keys(store_engine, "cursor")
    await aged(store_engine, SPREAD_S - 30)
    assert await load_keys(store_engine, "cursor") == (first, second, third)
    await aged(store_engine, 30)
    *_, fourth = await rotate_keys(store_engine, "cursor")
    assert await load_keys(store_engine, "cursor") == (third, second, first, fourth)
    assert len({first, second, third, fourth}) == 4
    assert await load_keys(store_engine, "transaction-id") == other


async def test_without_a_store_there_are_none(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable):
        await load_keys(create_engine(f"postgresql://u@/d?host={tmp_path}"), "cursor")
