"""Two services and two workers on one store ask no more than one service, and go on when one of them is killed."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service_keys import TRANSACTION_IDS, service_secrets
from rhumbline.domain.clock import system_clock
from rhumbline.domain.record_event import EventKind
from rhumbline.gateways.postgres.lease_table import TTL_S
from rhumbline.gateways.postgres.leases import WAITING_BEAT_S
from rhumbline.tracking.evm.second_look import LOOK_EVERY
from rhumbline.tracking.store import add_records
from rhumbline.tracking.trackers import LOOK_FOR_ENDED_S, LOOK_FOR_LEAD_S
from rhumbline.tracking.webhooks.endpoints import Webhooks
from tests.tracking.conftest import KEY, new_id, records
from tests.tracking.market import Market
from tests.tracking.processes import PATIENCE_S, Process
from tests.tracking.shared_work import Outside, outside_of, pending

TRANSFERS, SWAPS = 12, 3
TRACKING = ("eth_getLogs", "eth_getTransactionReceipt", "eth_getTransactionByHash")
"""Calls that only reading a chain makes; asking whether a node is on the right one is each process's own affair."""
OFTENEST_S = 40.0
"""No price is refreshed more often, by anybody."""


@dataclass
class Shared:
    market: Market
    engine: AsyncEngine
    outside: Outside
    nonce: int = 0
    number: int = 0

    async def happens(self) -> tuple[set[str], set[str]]:
        """Have swaps mined and transfers to ask about; return the transfers' references, and the records awaited."""
        transfers = [pending(self.number + each, datetime.now(UTC)) for each in range(TRANSFERS)]
        self.number += TRANSFERS
        async with self.engine.begin() as connection:
            await add_records(connection, transfers)
        for _ in range(SWAPS):
            await self.market.swap(new_id(self.market.accounts[0], nonce=self.nonce))
            self.nonce += 1
        return {str(each.transaction_id) for each in transfers}, {each.id for each in transfers}

    async def is_recorded(self) -> bool:
        return len(await records(self.engine)) == self.nonce + self.number

    async def is_delivered(self) -> bool:
        """Return whether all that happened was queued and delivered."""
        query = """
            SELECT (SELECT count(*) FROM webhook_deliveries WHERE state <> 'delivered')
                + (SELECT settled_events()) - (SELECT max(number) FROM event_cursors WHERE name = 'webhooks')
        """
        async with self.engine.connect() as connection:
            return bool((await connection.execute(text(query))).scalar_one() == 0)

    async def measured(self) -> "Asked":
        """Return what is asked, by whom, until everything that happens meanwhile is done."""
        before, began = Counter(self.outside.asked), asyncio.get_running_loop().time()
        references, _ = await self.happens()
        await until(self.is_recorded)
        await until(self.is_delivered)

        async def are_asked() -> bool:
            return references <= set(self.outside.of("status"))

        await until(are_asked)
        took_s = asyncio.get_running_loop().time() - began
        return Asked(self.outside.asked - before, references, took_s)


@dataclass
class Asked:
    asked: Counter[tuple[str, str, str]]
    references: set[str]
    took_s: float

    def most(self, kind: str) -> int:
        """Return how often a question of a kind was put at the most, by all processes together."""
        found = Counter[str]()
        for (_, each, about), count in self.asked.items():
            if each == kind:
                found[about] += count
        return max(found.values(), default=0)

    def calls(self, *kinds: str) -> int:
        return sum(count for (_, kind, _), count in self.asked.items() if kind in kinds)

    def askers(self, *kinds: str) -> set[str]:
        return {who for who, kind, _ in self.asked if kind in kinds}


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            if await condition():
                return
            await asyncio.sleep(0.1)


@pytest.fixture
async def shared(market: Market, store_engine: AsyncEngine) -> AsyncIterator[Shared]:
    async with store_engine.begin() as connection:
        await connection.execute(insert(service_secrets).values(purpose=TRANSACTION_IDS, secret=KEY))
    async with outside_of(market) as outside:
        hooks = Webhooks(store_engine, system_clock, allow_private=True)
        await hooks.add("acme", f"{outside.url}/hook/hook", [kind.type for kind in EventKind])
        yield Shared(market, store_engine, outside)


def test_whatever_a_killed_process_did_is_taken_over_within_fifteen_seconds() -> None:
    """By the store's clock, also where the server has not seen that its session is gone."""
    assert TTL_S + WAITING_BEAT_S + LOOK_FOR_LEAD_S < 15
    assert TTL_S + LOOK_FOR_ENDED_S + LOOK_FOR_LEAD_S < 15


async def test_four_processes_ask_no_more_than_one_and_go_on_without_the_one_that_led(
    shared: Shared, store_dsn: str, tmp_path: Path
) -> None:
    outside, names = shared.outside, ("service1", "service2", "worker1", "worker2")
    async with AsyncExitStack() as stack:
        running: dict[str, Process] = {}

        async def start(name: str) -> None:
            process = outside.process(name.rstrip("12").replace("service", "serve"), tmp_path / name, store_dsn)
            running[name] = await stack.enter_async_context(process)

        await start(names[0])
        await until(partial(running[names[0]].leads, shared.market.chain.key))
        alone = await shared.measured()
        await asyncio.gather(*(start(name) for name in names[1:]))
        together = await shared.measured()
        check_shares(alone, together)
        await check_takeover(shared, running)


def check_shares(alone: Asked, together: Asked) -> None:
    for asked in (alone, together):
        assert {about: asked.most("status") for about in asked.references} == dict.fromkeys(asked.references, 1)
        assert asked.calls("status") == TRANSFERS
        assert len(asked.askers("eth_getLogs")) == 1
        assert asked.most("webhook") == 1
        assert asked.most("price") <= 1 + asked.took_s // OFTENEST_S
    # The same blocks may be read in more ranges, where a poll falls between two of them; and the longer it takes, the
    # more often whoever leads looks a second time.
    second_looks = 1 + together.took_s // LOOK_EVERY.total_seconds()
    assert together.calls(*TRACKING) <= alone.calls(*TRACKING) + 2 * SWAPS + second_looks
    assert together.calls("webhook") == alone.calls("webhook")


async def check_takeover(shared: Shared, running: dict[str, Process]) -> None:
    """Kill the leader in the middle of everything: it reads the chain, asks about transfers, delivers events."""
    outside, led = shared.outside, running["service1"]
    others = [process for process in running.values() if process is not led]
    assert await led.leads(shared.market.chain.key)
    outside.holds |= {"service1", "hook"}
    before = Counter(outside.asked)
    for each in others:
        each.freeze()
    references, _ = await shared.happens()

    async def is_in_the_middle() -> bool:
        new = outside.asked - before
        return any(kind == "status" for _, kind, _ in new) and any(kind == "webhook" for _, kind, _ in new)

    await until(is_in_the_middle)
    await led.kill()
    # On a busy machine it has given up waiting before, and tried a second time: perhaps just now.
    await outside.has_heard_all()
    tried = Counter(outside.asked)
    outside.holds.clear()
    for each in others:
        each.thaw()

    async def are_asked_by_others() -> bool:
        return all(outside.askers("status", each) - {"service1"} for each in references)

    # A claim is for two minutes, longer than the patience of this test: it did not just run out.
    await until(are_asked_by_others)
    assert any("claims taken over" in each.log for each in others)
    await until(shared.is_recorded)
    await until(shared.is_delivered)
    new = outside.asked - before
    again = outside.asked - tried
    assert {count for (_, kind, _), count in again.items() if kind == "webhook"} == {1}, "what was under way comes once"
    for reference in references:
        asked = [count for (who, _, about), count in new.items() if about == reference and who != "service1"]
        assert asked == [1], reference
