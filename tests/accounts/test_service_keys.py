"""The service's secrets are made once, shared by all processes, and kept when they are rotated."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service_keys import load_keys, rotate_keys
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


async def test_rotation_puts_the_new_one_first_and_keeps_the_old(store_engine: AsyncEngine) -> None:
    (first,) = await load_keys(store_engine, "cursor")
    other = await load_keys(store_engine, "transaction-id")
    second, *old = await rotate_keys(store_engine, "cursor")
    assert old == [first]
    assert second != first
    assert await load_keys(store_engine, "cursor") == (second, first)
    assert await load_keys(store_engine, "transaction-id") == other


async def test_without_a_store_there_are_none(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable):
        await load_keys(create_engine(f"postgresql://u@/d?host={tmp_path}"), "cursor")
