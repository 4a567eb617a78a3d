"""What was sent, when it was listed, and which records are wrong in the end."""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from chaos.world import INTEGRATOR
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.tracking import TransferState
from rhumbline.tracking.store import transactions
from tests.tracking.conftest import kept

WITHIN_S = 30.0
_LOOK_EVERY_S = 0.25
_AWAY = (DBAPIError, StoreUnavailable, OSError)


@dataclass(frozen=True)
class Sent:
    """A transaction that a wallet sent, and which succeeded on its chain. ``at`` is monotonic time."""

    chain: str
    hash: str
    amount: int
    at: float


@dataclass
class Spells:
    """When there was trouble: pairs of beginning and end, in order, on the monotonic clock."""

    pairs: list[tuple[float, float]] = field(default_factory=list)

    def calm_between(self, begin: float, end: float) -> float:
        """Return how many seconds of this time there was no trouble."""
        trouble = sum(max(0.0, min(end, last) - max(begin, first)) for first, last in self.pairs)
        return end - begin - trouble


@dataclass
class Observer:
    """Looks at the store again and again; ``seen`` is when a transaction was first listed, by its hash."""

    engine: AsyncEngine
    seen: dict[str, float] = field(default_factory=dict)

    async def watch(self) -> None:
        while True:
            with contextlib.suppress(*_AWAY):
                async with self.engine.connect() as connection:
                    found = (await connection.execute(select(transactions.c.origin_tx_hash))).scalars().all()
                now = time.monotonic()
                for each in found:
                    self.seen.setdefault(each, now)
            await asyncio.sleep(_LOOK_EVERY_S)


@dataclass(frozen=True)
class Verdict:
    """``waits`` are the seconds without trouble until each was listed, by chain; the rest are hashes."""

    sent: Counter[str]
    lost: tuple[str, ...]
    doubled: tuple[str, ...]
    wrong: tuple[str, ...]
    strange: tuple[str, ...]
    late: tuple[str, ...]
    waits: dict[str, list[float]]

    @property
    def is_good(self) -> bool:
        return not (self.lost or self.doubled or self.wrong or self.strange or self.late)


async def judged(engine: AsyncEngine, sent: Sequence[Sent], seen: dict[str, float], spells: Spells) -> Verdict:
    """Compare the records with what was sent."""
    found = await kept(engine)
    count = Counter(each.origin_tx_hash for each in found)
    by_hash = {each.hash: each for each in sent}
    wrong = [
        each.origin_tx_hash
        for each in found
        if each.origin_tx_hash in by_hash
        and (
            each.status is not TransferState.SUCCESS
            or each.integrator != INTEGRATOR
            or each.input is None
            or each.input.raw != by_hash[each.origin_tx_hash].amount
        )
    ]
    waits: dict[str, list[float]] = {each.chain: [] for each in sent}
    late = []
    for each in sent:
        if each.hash in seen:
            wait = spells.calm_between(each.at, max(each.at, seen[each.hash]))
            waits[each.chain].append(wait)
            if wait > WITHIN_S:
                late.append(each.hash)
    return Verdict(
        Counter(each.chain for each in sent),
        tuple(each for each in by_hash if not count[each]),
        tuple(each for each, times in count.items() if times > 1),
        tuple(wrong),
        tuple(each for each in count if each not in by_hash),
        tuple(late),
        waits,
    )
