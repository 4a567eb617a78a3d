"""Real processes on one store: one that is frozen is replaced, and one whose clock is wrong harms nobody."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service_keys import TRANSACTION_IDS, service_secrets
from rhumbline.gateways.postgres.lease_table import TTL_S
from rhumbline.gateways.postgres.leases import WAITING_BEAT_S
from rhumbline.tracking.issued_transactions import KEPT_FOR, IssuedTransactions, builds
from rhumbline.tracking.trackers import LOOK_FOR_LEAD_S
from tests.tracking.conftest import KEY, new_id, records
from tests.tracking.crossings import Crossing
from tests.tracking.market import Market
from tests.tracking.processes import PATIENCE_S, Process, running

HOUR, DAY = 3600, 86_400
# `make campaign` sets clocks by libfaketime as well, which Debian has.
MEANS = [False, True] if "FAKE_CLOCKS" in os.environ else [False]


@pytest.fixture
async def keyed(store_engine: AsyncEngine) -> AsyncEngine:
    """A store that signs transaction IDs as the tests do."""
    async with store_engine.begin() as connection:
        await connection.execute(insert(service_secrets).values(purpose=TRANSACTION_IDS, secret=KEY))
    return store_engine


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as opened:
        yield opened


async def until(condition: Callable[[], Awaitable[bool]]) -> float:
    """Wait, and tell for how long."""
    began = asyncio.get_running_loop().time()
    async with asyncio.timeout(PATIENCE_S):
        while True:
            if await condition():
                return asyncio.get_running_loop().time() - began
            await asyncio.sleep(0.1)


def seen(engine: AsyncEngine, count: int) -> Callable[[], Awaitable[bool]]:
    async def are_there() -> bool:
        return len(await records(engine)) == count

    return are_there


def test_a_frozen_leader_is_replaced_within_fifteen_seconds() -> None:
    assert TTL_S + WAITING_BEAT_S + LOOK_FOR_LEAD_S < 15


async def test_a_frozen_process_is_replaced_and_writes_nothing_when_it_wakes(
    market: Market, keyed: AsyncEngine, store_dsn: str, tmp_path: Path, stack: AsyncExitStack
) -> None:
    workers = [await stack.enter_async_context(running("worker", market, tmp_path / n, store_dsn)) for n in "ab"]
    key = market.chain.key
    await market.swap(new_id(market.accounts[0]))
    await until(seen(keyed, 1))
    leader = await the_leader(workers, key)
    heir = next(each for each in workers if each is not leader)
    leader.freeze()
    await market.swap(new_id(market.accounts[0], nonce=1))
    took_s = await until(seen(keyed, 2))
    await until(lambda: heir.leads(key))
    assert took_s > 1, "the lead was free before"
    leader.thaw()
    await until(lambda: says(leader, "lease lost"))
    for nonce in range(2, 5):
        await market.swap(new_id(market.accounts[0], nonce=nonce))
        await until(seen(keyed, nonce + 1))
    await until(lambda: heir.leads(key))
    head = await market.rpc.block_number()
    for each in workers:
        await until(partial(tells, each, f'rhumbline_tracking_next_block{{chain="{key}"}}', head + 1))
        metrics, name = await each.measured(), (await heir.ready())[1]["process"]
        assert metrics[f'rhumbline_chain_leader{{chain="{key}",leader="{name}"}}'] == 1
        assert metrics[f'rhumbline_chain_leads{{chain="{key}"}}'] == (each is heir)
        assert metrics[f'rhumbline_chain_head_block{{chain="{key}"}}'] == head


async def tells(process: Process, metric: str, value: float) -> bool:
    return (await process.measured()).get(metric) == value


async def the_leader(workers: list[Process], chain: str) -> Process:
    found: list[Process] = []

    async def one_leads() -> bool:
        found[:] = [each for each in workers if await each.leads(chain)]
        return len(found) == 1

    await until(one_leads)
    return found[0]


async def says(process: Process, words: str) -> bool:
    return words in process.log


@pytest.mark.parametrize("faketime", MEANS, ids=str)
async def test_a_clock_that_jumps_is_told_and_nothing_is_handed_out_meanwhile(
    market: Market, keyed: AsyncEngine, store_dsn: str, tmp_path: Path, stack: AsyncExitStack, faketime: bool
) -> None:
    service = await stack.enter_async_context(
        running("serve", market, tmp_path / "service", store_dsn, faketime=faketime)
    )

    async def clock_is(state: str) -> bool:
        return str((await service.ready())[1]["dependencies"]["clock"]).endswith(state)

    async def quoted() -> tuple[int, str | None, str]:
        path = f"http://127.0.0.1:{service.server}/v1/quotes"
        async with service.session.get(path, params=question(market)) as answer:
            return answer.status, answer.headers.get("retry-after"), await answer.text()

    await until(lambda: clock_is("ok"))
    assert (await quoted())[0] != 503
    for seconds in (-HOUR, 40 * DAY, -6):
        service.set_clock(seconds)
        await until(partial(clock_is, "behind the store's" if seconds < 0 else "ahead of the store's"))
        assert (await service.ready())[0] == 503
        status, wait, body = await quoted()
        assert (status, wait) == (503, "5")
        assert "This process's clock is" in body
        assert (await service.measured())["rhumbline_clock_off_seconds"] == pytest.approx(seconds, abs=2)
    await until(lambda: says(service, "clock_off"))
    service.set_clock(0)
    await until(lambda: clock_is("ok"))
    assert (await service.ready())[0] == 200
    assert (await quoted())[0] != 503
    await until(lambda: says(service, "clock_right_again"))


def question(market: Market) -> dict[str, str]:
    chain = str(market.chain.id)
    return {
        "senderAddress": market.accounts[0],
        "originChainId": chain,
        "destinationChainId": chain,
        "originCurrency": market.chain.native.address,
        "destinationCurrency": market.weth,
        "amount": "1000000",
    }


@pytest.mark.parametrize("faketime", MEANS, ids=str)
async def test_a_worker_whose_clock_is_forty_days_ahead_forgets_nothing_and_records_rightly(
    market: Market, keyed: AsyncEngine, store_dsn: str, tmp_path: Path, stack: AsyncExitStack, faketime: bool
) -> None:
    store = IssuedTransactions(keyed)
    async with keyed.connect() as connection:
        now = (await connection.execute(select(func.now()))).scalar_one()
    for nonce, age in enumerate((timedelta(), timedelta(days=9), KEPT_FOR + timedelta(hours=1))):
        await store.keep(Crossing(market, nonce=nonce).build(expires_at=now - age))
    wrong = await stack.enter_async_context(
        running("worker", market, tmp_path / "wrong", store_dsn, shift=40 * DAY, faketime=faketime)
    )
    await market.swap(new_id(market.accounts[0]))
    await until(seen(keyed, 1))
    await until(lambda: says(wrong, "clock_off"))
    assert await kept(keyed) == 3
    async with keyed.connect() as connection:
        late = "SELECT max(abs(extract(epoch FROM created_at - clock_timestamp()))) FROM transactions"
        assert (await connection.execute(text(late))).scalar_one() < HOUR
    await stack.enter_async_context(running("worker", market, tmp_path / "right", store_dsn))

    async def what_is_old_is_forgotten() -> bool:
        return await kept(keyed) == 2

    await until(what_is_old_is_forgotten)


async def kept(engine: AsyncEngine) -> int:
    async with engine.connect() as connection:
        return int((await connection.execute(select(func.count()).select_from(builds))).scalar_one())
