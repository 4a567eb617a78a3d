"""Transfers over every bridge with every outcome, sent by wallets that insist where the service is away."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from chaos.questions import accounts, ask, chapters, insist, question
from chaos.service_world import ServiceWorld
from rhumbline.devnet.scenarios import Scenario
from rhumbline.devnet.wallets import TransactionFailed, Wallet
from rhumbline.devnet.wings import open_chain
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import NodeRefused, NodeUnavailable

OUTCOMES = ("deliver", "refund", "fail", "late", "never")
LATE_S = 2.0
_SETTLED_S = 20.0
_INSISTS_S = 240.0
_ENDED = ("success", "recovered", "refunded", "bridge_failed")


@dataclass(frozen=True)
class SentTransfer:
    """A transfer whose transaction succeeded on its chain."""

    transaction_id: str
    adapter: str
    way: str
    outcome: str

    @property
    def ends(self) -> bool:
        """Whether it must end: what a bridge keeps may stay open, and ACROSS gives back after hours, at a deadline."""
        return self.outcome != "fail" and (self.adapter, self.outcome) != ("ACROSS", "refund")


@dataclass
class Transfers:
    """Sends transfers, one after the other over each bridge, over all bridges at once."""

    world: ServiceWorld
    chance: Random
    sent: list[SentTransfer] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    _wallets: dict[tuple[str, int], asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))

    async def send(self, count: int, bridges: Sequence[str] = ()) -> None:
        """Send ``count`` transfers, as many by each bridge; ``bridges`` are adapter keys, all without any."""
        ways: dict[str, list[Scenario]] = {}
        for each in await chapters(self.world):
            if each.crossing and each.adapter and not each.refunded and (not bridges or each.adapter in bridges):
                ways.setdefault(each.adapter, []).append(each)
        shares = [count // len(ways) + (place < count % len(ways)) for place in range(len(ways))]
        async with asyncio.TaskGroup() as group:
            for place, ((adapter, scenarios), share) in enumerate(zip(sorted(ways.items()), shares, strict=True)):
                group.create_task(self._send_by(adapter, scenarios, share, place))

    async def _send_by(self, adapter: str, scenarios: Sequence[Scenario], count: int, place: int) -> None:
        account = place % len(accounts(self.world, ChainType.EVM))
        for number in range(count):
            way = scenarios[number % len(scenarios)]
            # Each way gets each outcome in time, beginning with another one at each bridge.
            outcome = OUTCOMES[(number // len(scenarios) + place) % len(OUTCOMES)]
            await self._tell(adapter, outcome)
            identifier = await self._send_one(way, account)
            if identifier is None:
                continue
            self.sent.append(SentTransfer(identifier, adapter, f"{way.chain} to {way.there}", outcome))
            if outcome != "never":
                await self._until_ended(identifier)
        await self._tell(adapter, "deliver")

    async def _send_one(self, way: Scenario, account: int) -> str | None:
        here = self.world.described["chains"][way.chain]
        keys = accounts(self.world, ChainType(here["type"]))
        wallet = open_chain(here, self.world.http).wallet(keys[account].private_key)
        # No two are alike, so each can be told from the others.
        asked = question(self.world, way, account, self.chance.randrange(1000))
        asked["includeBridges"] = str(way.adapter)
        async with self._wallets[way.chain, account]:
            try:
                return await self._executed(wallet, asked)
            except (TransactionFailed, NodeRefused, NodeUnavailable) as error:
                self.failures.append(f"{way.adapter}, {way.title}: {error}")
                return None

    async def _executed(self, wallet: Wallet, asked: Mapping[str, str]) -> str:
        quote = await self._asked("/v1/quotes", asked)
        if "approvalAddress" in quote:
            await wallet.approve(asked["originCurrency"], quote["approvalAddress"], int(asked["amount"]))
            quote = await self._asked("/v1/quotes", asked)
        await wallet.execute(quote)
        return str(quote["transactionId"])

    async def _until_ended(self, identifier: str) -> None:
        """Wait until the record has ended, but not for ever: the service may be away."""
        end = time.monotonic() + _SETTLED_S
        while time.monotonic() < end:
            found = await ask(self.world, f"/v1/transactions/{identifier}/status", {})
            if found.status == 200 and found.body["status"] in _ENDED:
                return
            await asyncio.sleep(0.3)

    async def _asked(self, path: str, query: Mapping[str, str]) -> dict[str, Any]:
        """Ask again until there is an answer: a killed service is back in seconds."""
        found = await insist(self.world, path, query, _INSISTS_S)
        if found.status != 200:
            raise TransactionFailed(f"GET {path}: {found.status} {found.message}")
        return dict(found.body)

    async def _tell(self, adapter: str, outcome: str) -> None:
        emulator = self.world.emulators[adapter]
        emulator.behaviour = emulator.behaviour_from({"outcome": outcome, "delay_s": LATE_S})
