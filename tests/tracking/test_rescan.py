"""Whose a record is that is made again, and how long a node is insisted on."""

from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service import Accounts
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.tracking import rescan
from rhumbline.tracking.rescan import TRIES, disown, insisted
from rhumbline.tracking.store import add_records
from tests.tracking.conftest import kept
from tests.tracking.test_listing import row


@pytest.mark.parametrize(("age", "owner"), [(timedelta(hours=1), None), (-timedelta(hours=1), "newcomer")])
async def test_who_registered_later_has_nothing_of_it(
    store_engine: AsyncEngine, age: timedelta, owner: str | None
) -> None:
    await Accounts(store_engine, system_clock).create_integrator("newcomer", None, None)
    now = system_clock()
    made = row(5, integrator="newcomer", origin_time=now - age, created_at=now)
    async with store_engine.begin() as connection:
        await add_records(connection, [made])
        await disown(connection, made.origin_chain_id, 5, 5, now)
    assert [each.integrator for each in await kept(store_engine)] == [owner]


async def test_a_node_is_asked_five_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rescan, "_PAUSE_S", 0)
    asked: list[int] = []

    async def work() -> int:
        asked.append(1)
        if len(asked) % TRIES:
            raise NodeUnavailable("away")
        return len(asked)

    assert await insisted(work) == TRIES

    async def never() -> int:
        raise NodeUnavailable("away")

    with pytest.raises(NodeUnavailable):
        await insisted(never)
