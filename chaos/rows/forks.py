"""Reorganisations of 1 to 12 blocks on an EVM chain and forks on Solana while a process follows both.

In the end another process reads the final chains for the first time, into an empty store: both must have the same.
"""

import asyncio
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from chaos.bench import Bench
from chaos.result import RowResult, Tally
from chaos.world import INTEGRATOR, World, prepared_store, running_world
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.tracking.issued_transactions import IssuedTransactions
from rhumbline.tracking.store import transactions
from tests.tracking.conftest import Record, new_id, records
from tests.tracking.processes import running_on

DEEPEST = 12
ROUNDS = 2
_AGREE_S = 60.0
_FOLLOWED_S = 30.0
_UNSEEN = 0.2
"""Of the branches that go before anybody has read them."""
_SEEN_BY = frozenset({"claimed_by", "next_bridge_check_at"})
"""Columns of the process that reads, not of the chain."""
REORGANISED, OTHER_BRANCH, FORKED = "blocks replaced by empty ones", "other branches", "forks on Solana"
TAKEN_BACK = "branches recorded before they went"
ON_EVM, ON_SOLANA = "swaps on an EVM chain", "swaps on Solana"


@dataclass
class Forks:
    """Makes branches. ``final`` are the hashes on the branches that stay, ``gone`` those on others."""

    world: World
    chance: Random
    tally: Tally = field(
        default_factory=lambda: Tally((ON_EVM, ON_SOLANA, REORGANISED, OTHER_BRANCH, TAKEN_BACK, FORKED))
    )
    depths: set[int] = field(default_factory=set)
    branch: list[tuple[int, str]] = field(default_factory=list)
    on_solana: list[str] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    issued: list[IssuedTransaction] = field(default_factory=list)
    nonce: int = 0

    @property
    def final(self) -> set[str]:
        return {tx_hash for _, tx_hash in self.branch} | set(self.on_solana)

    async def swap(self, count: int) -> None:
        """Swap once a block."""
        market = self.world.market
        for _ in range(count):
            self.nonce += 1
            sender = market.accounts[self.nonce % 5]
            identifier = new_id(sender, INTEGRATOR, market.chain.id, self.nonce)
            tx_hash = await market.swap(identifier, sender, 10**12 + self.nonce, INTEGRATOR)
            self.branch.append((await market.rpc.block_number(), tx_hash))
            self.tally.times[ON_EVM] += 1

    async def reorganise(self, depth: int) -> None:
        """Have the chain's last blocks be others: empty ones, or ones with other swaps on a longer branch."""
        market = self.world.market
        if self.chance.random() < 0.5:
            await self.swap(depth)
            await self._followed()
            first = await market.rpc.block_number() - depth
            await market.rpc.call("anvil_reorg", [depth, []])
            self._cut(first)
            await market.mine(1)
            self.tally.times[REORGANISED] += 1
        else:
            first, mark = await market.rpc.block_number(), await market.snapshot()
            await self.swap(depth)
            await self._followed()
            await market.revert(mark)
            self._cut(first)
            await self.swap(depth + 1)
            self.tally.times[OTHER_BRANCH] += 1
        self.depths.add(depth)

    def _cut(self, first: int) -> None:
        self.gone |= {tx_hash for number, tx_hash in self.branch if number > first}
        self.branch = [each for each in self.branch if each[0] <= first]

    async def fork_solana(self, depth: int) -> None:
        """Swap on a branch of Solana that is abandoned after some slots, and on the one that stays."""
        chain = self.world.solana.chain
        mark = chain.snapshot()
        for _ in range(depth):
            self.gone.add(await self._swap_on_solana())
        chain.restore(mark)
        chain.advance(depth + 1)
        for _ in range(2):
            self.on_solana.append(await self._swap_on_solana())
        self.tally.times[FORKED] += 1

    async def _swap_on_solana(self) -> str:
        self.nonce += 1
        order = self.world.solana.swap(self.nonce)
        self.issued.append(order.issued)
        await IssuedTransactions(self.world.engine).keep(order.issued)
        self.tally.times[ON_SOLANA] += 1
        return await self.world.solana.send(*order.calls)

    async def _followed(self) -> None:
        """Wait until what was swapped is recorded, so that it has to be taken back; not always."""
        if self.chance.random() < _UNSEEN:
            return
        wanted, end = self.branch[-1][1], time.monotonic() + _FOLLOWED_S
        while time.monotonic() < end:
            if wanted in await _hashes(self.world.engine):
                self.tally.times[TAKEN_BACK] += 1
                return
            await asyncio.sleep(0.05)


async def run(bench: Bench) -> RowResult:
    folder = bench.own_folder("forks")
    async with AsyncExitStack() as stack:
        world = await stack.enter_async_context(running_world(folder, ticking=False))
        forks = Forks(world, Random(bench.seed))
        await stack.enter_async_context(running_on("worker", world.settings, folder / "follows", world.dsn))
        depths = [depth for _ in range(ROUNDS) for depth in forks.chance.sample(range(1, DEEPEST + 1), DEEPEST)]
        for depth in depths:
            await forks.swap(1)
            await forks.reorganise(depth)
            if depth <= DEEPEST // 2:
                await forks.fork_solana(depth)
        # Longer than any branch before it, and Solana's slots become final.
        await forks.swap(DEEPEST + 1)
        world.solana.chain.advance(40)
        found, fresh = await _compared(stack, forks, folder)
        bench.keep_logs(folder)
    return judged(forks, found, fresh)


def judged(forks: Forks, found: Sequence[Record], fresh: Sequence[Record]) -> RowResult:
    """Compare the records with those of a fresh index, and both with what wallets sent."""
    hashes = [str(each["source_tx_hash"]) for each in found]
    others = {str(each["source_tx_hash"]): each for each in fresh}
    missing = forks.final - set(hashes)
    lost = [f"{each} has no record" for each in sorted(missing)]
    lost += [f"{each} is lost to the fresh index" for each in sorted(forks.final - others.keys())]
    doubled = [f"{each} has {hashes.count(each)} records" for each in sorted(set(hashes)) if hashes.count(each) > 1]
    wrong = [f"{each} is a record of an abandoned branch" for each in hashes if each not in forks.final]
    wrong += [
        f"{each['source_tx_hash']}: {name} is {value!r}, and {other[name]!r} to the fresh index"
        for each in found
        if (other := others.get(str(each["source_tx_hash"]))) is not None
        for name, value in each.items()
        if name not in _SEEN_BY and value != other[name]
    ]
    missed = [each for each in range(1, DEEPEST + 1) if each not in forks.depths]
    wrong += [f"there was no reorganisation of {each} blocks" for each in missed]
    figures = f"{len(forks.gone)} swaps on abandoned branches, {len(found)} records as a fresh index has them"
    return RowResult(dict(forks.tally.times), lost, doubled, wrong, figures)


async def _compared(stack: AsyncExitStack, forks: Forks, folder: Path) -> tuple[Sequence[Record], Sequence[Record]]:
    """Have another process read the chains for the first time; return the records of both when they agree, or late."""
    world = forks.world
    async with world.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        await connection.execute(text("CREATE DATABASE fresh"))
    dsn = world.dsn.replace("@/rhumbline?", "@/fresh?")
    engine = await stack.enter_async_context(prepared_store(dsn))
    for each in forks.issued:
        await IssuedTransactions(engine).keep(each)
    await stack.enter_async_context(running_on("worker", world.settings, folder / "reads-anew", dsn))
    end = time.monotonic() + _AGREE_S
    while True:
        found, fresh = await records(world.engine), await records(engine)
        agree = judged(forks, found, fresh).is_good
        if agree or time.monotonic() > end:
            return found, fresh
        await asyncio.sleep(0.5)


async def _hashes(engine: AsyncEngine) -> set[str]:
    async with engine.connect() as connection:
        return set((await connection.execute(select(transactions.c.origin_tx_hash))).scalars())
