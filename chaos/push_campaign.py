"""Transfers while processes and the store are killed and a receiver fails: are clients told everything?

The judge compares what two clients were told, by webhooks and by the stream, with the store's own events, and each
transfer that was sent with the record that it has.
"""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random

from sqlalchemy import text

from chaos.push_clients import HeardEvent, Receiver, StreamReader, running_receiver
from chaos.push_transfers import SentTransfer, Transfers
from chaos.service_world import ServiceWorld
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.failures import DATABASE_ERRORS

TYPES = tuple(f"transaction.{kind}" for kind in ("seen", "status", "final", "updated", "withdrawn"))
_EVENTS = text("""
SELECT number, 'transaction.' || kind AS type, subject FROM events WHERE number > :first ORDER BY number
""")
_LAST = text("SELECT coalesce(max(number), 0) FROM events")
_RECORDS = text("SELECT transaction_id, status, next_bridge_check_at IS NULL AS final FROM transactions")
Event = tuple[int, str, str]
Records = dict[str, list[tuple[str, bool]]]
"""Status of each record, and whether it is final, by transaction ID."""


@dataclass(frozen=True)
class PushPlan:
    """How much of it: kills of ``things`` come one by one while transfers are sent, with ``late`` when all have ended.

    What is killed while a bridge is asked is asked again two minutes later. ``bridges`` are all where none is named.
    """

    seed: int
    transfers: int
    kills: int
    fails_s: float
    bridges: tuple[str, ...] = ()
    things: tuple[str, ...] = ("worker", "store", "service")
    late: bool = False
    workers: int = 2
    settle_s: float = 300.0


@dataclass(frozen=True)
class PushVerdict:
    """What is amiss, in words, and the figures."""

    lost: tuple[str, ...]
    doubled: tuple[str, ...]
    wrong: tuple[str, ...]
    sent: Counter[str]
    ended: Counter[str]
    outcomes: Counter[str]
    events: int

    @property
    def faults(self) -> tuple[str, ...]:
        return self.lost + self.doubled + self.wrong


@dataclass
class PushCampaign:
    """Runs a plan on a world. ``done`` counts what was killed."""

    plan: PushPlan
    world: ServiceWorld
    receiver: Receiver
    say: Callable[[str], None] = lambda line: None
    done: Counter[str] = field(default_factory=Counter)
    settled_s: float = 0.0
    first: int = 0
    """The last event of what was before."""

    def __post_init__(self) -> None:
        self.chance = Random(self.plan.seed)
        self.transfers = Transfers(self.world, Random(self.plan.seed))
        self.reader = StreamReader(self.world.url, self.world.key)

    async def run(self) -> PushVerdict:
        """Do all of it; return what became of it."""
        webhook = await self._add_webhook()
        reading = asyncio.create_task(self.reader.run(self.world.session))
        try:
            async with asyncio.timeout(60):
                await self.reader.ready.wait()
            self.first = await self._last_event()
            sending = asyncio.create_task(self.transfers.send(self.plan.transfers, self.plan.bridges))
            trouble = [asyncio.create_task(each) for each in (self._kill(sending), self._fail())]
            await sending
            await asyncio.gather(*trouble)
            began = time.monotonic()
            events, records = await self._settle()
            self.settled_s = time.monotonic() - began
            return self._judged(events, records)
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            await self._remove_webhook(webhook)

    async def _add_webhook(self) -> str:
        body = {"url": self.receiver.url, "events": list(TYPES)}
        headers = {"x-api-key": self.world.key}
        async with self.world.session.post(f"{self.world.url}/v1/webhooks", json=body, headers=headers) as answer:
            answer.raise_for_status()
            made = await answer.json()
            self.receiver.secret = made["secret"]
            return str(made["id"])

    async def _remove_webhook(self, webhook: str) -> None:
        """Have nothing more sent to a receiver that ends."""
        headers = {"x-api-key": self.world.key}
        url = f"{self.world.url}/v1/webhooks/{webhook}/remove"
        async with self.world.session.post(url, json={}, headers=headers) as answer:
            answer.raise_for_status()

    async def _kill(self, sending: "asyncio.Task[None]") -> None:
        """Kill something each time that another part of the transfers was sent; each thing as often as the others."""
        things = list(self.plan.things)
        for number in range(self.plan.kills):
            due = (number + 1) * self.plan.transfers // (self.plan.kills + 1)
            while (self.plan.late or len(self.transfers.sent) < due) and not sending.done():  # noqa: ASYNC110 there is no event
                await asyncio.sleep(0.1)
            await asyncio.sleep(self.chance.random())
            if not number % len(things):
                self.chance.shuffle(things)
            thing = things[number % len(things)]
            await self.world.kill(thing, self.chance.randint(1, self.plan.workers))
            self.done[thing] += 1
            self.say(f"  {thing} killed; {len(self.transfers.sent)} sent, {len(self.receiver.taken)} messages taken")

    async def _fail(self) -> None:
        """Once a third was sent, have the receiver refuse everything for a while, and at least one message."""
        while len(self.transfers.sent) < self.plan.transfers // 3:  # noqa: ASYNC110 there is no event
            await asyncio.sleep(0.1)
        self.receiver.fails = True
        await asyncio.sleep(self.plan.fails_s)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.plan.settle_s):
                await self.receiver.refusal.wait()
        self.receiver.fails = False
        self.say(f"  the receiver works again; it has refused {self.receiver.refused}")

    async def _settle(self) -> tuple[list[Event], Records]:
        """Wait until nothing is open and both clients have everything, or the time is over."""
        end = time.monotonic() + self.plan.settle_s
        sent = {each.transaction_id for each in self.transfers.sent if each.ends}
        while True:
            events, records = await self._read()
            wanted = {number for number, _, _ in events}
            is_over = sent <= {name for name, found in records.items() if found[0][1]}
            has_all = all(wanted == {each.number for each in came} for came in (self._taken(), self._came()))
            if (is_over and has_all) or time.monotonic() > end:
                return events, records
            await asyncio.sleep(0.5)

    def _taken(self) -> list[HeardEvent]:
        return [each for each in self.receiver.taken.values() if each.number > self.first]

    def _came(self) -> list[HeardEvent]:
        return [each for each in self.reader.came if each.number > self.first]

    async def _last_event(self) -> int:
        engine = create_engine(self.world.dsn)
        try:
            async with engine.connect() as connection:
                return int((await connection.execute(_LAST)).scalar_one())
        finally:
            await engine.dispose()

    async def _read(self) -> tuple[list[Event], Records]:
        while True:
            engine = create_engine(self.world.dsn)
            try:
                async with engine.connect() as connection:
                    found = await connection.execute(_EVENTS, {"first": self.first})
                    events = [(row.number, row.type, row.subject) for row in found]
                    records: Records = {}
                    for name, status, final in await connection.execute(_RECORDS):
                        records.setdefault(name, []).append((status, final))
                return events, records
            except (*DATABASE_ERRORS, OSError):
                await asyncio.sleep(0.5)
            finally:
                await engine.dispose()

    def _judged(self, events: Sequence[Event], records: Records) -> PushVerdict:
        sent = self.transfers.sent
        lost = [f"{each} has no record" for each in sent if each.transaction_id not in records]
        doubled = [f"{name} has {len(found)} records" for name, found in records.items() if len(found) > 1]
        wrong = list(self.transfers.failures)
        wrong += [f"not signed rightly: {each}" for each in self.receiver.unsigned]
        wrong += [f"the stream refused: {each}" for each in self.reader.refused]
        wrong += ["the stream told of a gap"] * self.reader.gaps
        for by, told in (("webhooks", self._taken()), ("stream", self._came())):
            lost += never_told(by, events, told)
            wrong += told_amiss(by, events, told)
            wrong += ended_amiss(sent, records, told)
        names = {each.transaction_id for each in sent}
        return PushVerdict(
            tuple(lost),
            tuple(doubled),
            tuple(wrong),
            Counter(each.adapter for each in sent),
            Counter(status for name, found in records.items() if name in names for status, _ in found),
            Counter(each.outcome for each in sent),
            len(events),
        )


def never_told(by: str, events: Sequence[Event], came: Sequence[HeardEvent]) -> Iterable[str]:
    """Name events that a client was not told."""
    wanted = {number: (kind, subject) for number, kind, subject in events}
    numbers = {each.number for each in came}
    yield from (f"{by}: never told {number} {wanted[number]}" for number in sorted(wanted.keys() - numbers))


def told_amiss(by: str, events: Sequence[Event], came: Sequence[HeardEvent]) -> Iterable[str]:
    """Name events that a client was told though there are not, or in another order than they happened."""
    wanted = {number: (kind, subject) for number, kind, subject in events}
    last: dict[str, int] = {}
    for each in came:
        if wanted.get(each.number) != (each.type, each.subject):
            yield f"{by}: told {each}, which there is not"
        if last.get(each.subject, 0) >= each.number:
            yield f"{by}: told {each} after {last[each.subject]}"
        last[each.subject] = each.number


def ended_amiss(sent: Sequence[SentTransfer], records: Records, came: Sequence[HeardEvent]) -> Iterable[str]:
    """Name transfers without an end, and those that a client was told another beginning or status of."""
    told: dict[str, list[HeardEvent]] = {}
    for each in came:
        told.setdefault(each.subject, []).append(each)
    for transfer in sent:
        # What has none is lost.
        status, is_final = records.get(transfer.transaction_id, [("none", False)])[0]
        if status == "none":
            continue
        if transfer.ends and not is_final:
            yield f"{transfer} has not ended: {status}"
            continue
        story = told.get(transfer.transaction_id, [])
        ends = [each for each in story if each.type == "transaction.final" or not is_final]
        if not story or story[0].type != "transaction.seen" or not ends or ends[-1].status != status:
            yield f"{transfer}, {status}, was told as {[(each.type, each.status) for each in story]}"


@asynccontextmanager
async def push_campaign(
    plan: PushPlan, world: ServiceWorld, say: Callable[[str], None] = lambda line: None
) -> AsyncIterator[PushCampaign]:
    """Run the receiver of a campaign, which ends with the block."""
    async with running_receiver() as receiver:
        yield PushCampaign(plan, world, receiver, say)
