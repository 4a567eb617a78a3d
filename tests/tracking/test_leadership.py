"""One process leads a chain; whoever loses its session loses the lead."""

import asyncio

import pytest
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.tracking.leadership import SURE_FOR_S, Leadership, lock_key
from tests.tracking.test_idle import statements
from tests.tracking.test_trackers import cut, until


async def test_one_leads_and_another_takes_over(store_dsn: str, store_engine: AsyncEngine) -> None:
    first, second = Leadership(store_engine), Leadership(store_engine)
    assert [await first.leads(1), await second.leads(1), await second.leads(2)] == [True, False, True]
    assert [await first.leads(1), await first.leads(2)] == [True, False]
    await first.release()
    await until(lambda: second.leads(1), 2)
    assert await first.leads(1) is False
    await first.release()
    await second.release()


async def test_many_ask_at_once_and_releasing_twice_is_harmless(store_engine: AsyncEngine) -> None:
    leadership = Leadership(store_engine)
    assert all(await asyncio.gather(*(leadership.leads(n % 5) for n in range(50))))
    await leadership.release()
    await leadership.release()


async def test_a_lost_session_loses_the_lead_and_gets_it_back(store_engine: AsyncEngine) -> None:
    seconds = iter((0.0, SURE_FOR_S, SURE_FOR_S))
    leadership = Leadership(store_engine, lambda: next(seconds))
    assert await leadership.leads(1)
    await cut(store_engine)
    with pytest.raises((SQLAlchemyError, OSError)):
        await leadership.leads(1)
    assert await leadership.leads(1)
    await leadership.release()


def test_locks_differ_by_chain_and_fit_the_store() -> None:
    keys = {lock_key(chain_id) for chain_id in range(1000)}
    assert len(keys) == 1000
    assert all(-(2**63) <= key < 2**63 for key in keys)


async def test_a_lead_is_believed_in_for_a_while(store_engine: AsyncEngine) -> None:
    now = [0.0]
    leadership = Leadership(store_engine, lambda: now[0])
    assert not leadership.holds(1)
    assert await leadership.leads(1)
    with statements(store_engine) as seen:
        for _ in range(100):
            assert await leadership.leads(1)
        assert seen == []
        now[0] = SURE_FOR_S
        assert await leadership.leads(1)
        assert len(seen) == 1
    await leadership.release()
    assert not leadership.holds(1)
