"""Transfers over every bridge with every outcome, sent by wallets that insist where the service is away."""

import asyncio
import contextlib
import json
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import aiohttp

from chaos.push_world import INTEGRATOR, PushWorld
from rhumbline.devnet.scenarios import NATIVE, Scenario, chapters_of
from rhumbline.devnet.wallets import TransactionFailed, Wallet
from rhumbline.devnet.wings import open_chain
from rhumbline.domain.chain import ChainType, native_marker
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

    world: PushWorld
    chance: Random
    sent: list[SentTransfer] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    retried: Counter[str] = field(default_factory=Counter)
    _wallets: dict[tuple[str, int], asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))

    async def send(self, count: int, bridges: Sequence[str] = ()) -> None:
        """Send ``count`` transfers, as many by each bridge; ``bridges`` are adapter keys, all without any."""
        ways: dict[str, list[Scenario]] = {}
        for each in chapters_of(await self._asked("/v1/tools", {})):
            if each.crossing and each.adapter and not each.refunded and (not bridges or each.adapter in bridges):
                ways.setdefault(each.adapter, []).append(each)
        shares = [count // len(ways) + (place < count % len(ways)) for place in range(len(ways))]
        async with asyncio.TaskGroup() as group:
            for place, ((adapter, scenarios), share) in enumerate(zip(sorted(ways.items()), shares, strict=True)):
                group.create_task(self._send_by(adapter, scenarios, share, place))

    async def _send_by(self, adapter: str, scenarios: Sequence[Scenario], count: int, place: int) -> None:
        account = place % len(self._accounts(ChainType.EVM))
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
        here, there = (self.world.described["chains"][key] for key in (way.chain, way.there))
        client = open_chain(here, self.world.http)
        wallet = client.wallet(self._accounts(ChainType(here["type"]))[account].private_key)
        receiver = self._accounts(ChainType(there["type"]))[(account + 1) % 8].address
        question = {
            "senderAddress": wallet.address,
            "receiverAddress": receiver,
            "originChainId": str(here["id"]),
            "destinationChainId": str(there["id"]),
            # No two are alike, so each can be told from the others.
            "amount": str(way.amount - self.chance.randrange(1000)),
            "originCurrency": self._token(way.chain, way.origin),
            "destinationCurrency": self._token(way.there, way.destination),
            "integrator": INTEGRATOR,
            "includeBridges": str(way.adapter),
        }
        async with self._wallets[way.chain, account]:
            try:
                return await self._executed(wallet, question)
            except (TransactionFailed, NodeRefused, NodeUnavailable) as error:
                self.failures.append(f"{way.adapter}, {way.title}: {error}")
                return None

    async def _executed(self, wallet: Wallet, question: Mapping[str, str]) -> str:
        quote = await self._asked("/v1/quotes", question)
        if "approvalAddress" in quote:
            await wallet.approve(question["originCurrency"], quote["approvalAddress"], int(question["amount"]))
            quote = await self._asked("/v1/quotes", question)
        await wallet.execute(quote)
        return str(quote["transactionId"])

    async def _until_ended(self, identifier: str) -> None:
        """Wait until the record has ended, but not for ever: the service may be away."""
        end = time.monotonic() + _SETTLED_S
        while time.monotonic() < end:
            found = await self._once(f"/v1/transactions/{identifier}/status", {})
            if isinstance(found, dict) and found["status"] in _ENDED:
                return
            await asyncio.sleep(0.3)

    async def _asked(self, path: str, query: Mapping[str, str]) -> dict[str, Any]:
        """Ask again until there is an answer: a killed service is back in seconds."""
        end = time.monotonic() + _INSISTS_S
        while True:
            found = await self._once(path, query)
            if isinstance(found, dict):
                return found
            self.retried[found[:40]] += 1
            if time.monotonic() > end:
                raise TransactionFailed(f"GET {path}: {found}")
            await asyncio.sleep(0.5)

    async def _once(self, path: str, query: Mapping[str, str]) -> dict[str, Any] | str:
        """Return the answer, or why there is none."""
        headers, timeout = {"x-api-key": self.world.key}, aiohttp.ClientTimeout(total=30)
        with contextlib.suppress(aiohttp.ClientError, TimeoutError, OSError):
            async with self.world.session.get(
                self.world.url + path, params=query, headers=headers, timeout=timeout
            ) as answer:
                body = json.loads(await answer.read() or b"{}")
                if answer.status == 200:
                    return dict(body)
                return f"{answer.status} {body.get('message')}"
        return "no answer"

    async def _tell(self, adapter: str, outcome: str) -> None:
        emulator = self.world.emulators[adapter]
        emulator.behaviour = emulator.behaviour_from({"outcome": outcome, "delay_s": LATE_S})

    def _accounts(self, chain_type: ChainType) -> Sequence[Any]:
        return [each for each in self.world.sandbox.accounts if each.type is chain_type]

    def _token(self, chain: str, symbol: str) -> str:
        described = self.world.sandbox.chain(chain)
        return native_marker(described.type) if symbol in NATIVE else described.tokens[symbol].address
