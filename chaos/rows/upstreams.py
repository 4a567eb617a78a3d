"""Each upstream's emulator is slow, fails, limits and lies in turn: others' quotes leave, and errors say who failed."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Any

from chaos.bench import Bench
from chaos.questions import Reply, ask, chapters, insist, question
from chaos.result import RowResult, Tally
from chaos.service_world import ServiceWorld
from rhumbline.devnet.scenarios import Scenario
from rhumbline.devnet.upstreams.emulator import Emulator

FAULTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "lying": (),
        "altered": ("floats", "overflow", "negative", "duplicate_keys", "not_json", "half"),
        "slow": ("late", "never"),
        "failing": ("server_error", "error_in_200", "html", "empty", "redirect"),
        "limiting": ("rate_limited", "rate_limited_retry_after"),
    }
)
"""What an upstream does, and the emulators' words for it; a lie is one of those that the emulator can tell."""
_LASTING = ("failing", "limiting")
_LATE_S = 30.0
_BACK_S = 60.0
_LEAST = 0.98
"""Of what the others' best brought without the one: pools and gas prices move a little between two quotes."""


@dataclass
class Upstreams:
    """Asks each upstream's question, of everybody and of that upstream alone, while it misbehaves."""

    world: ServiceWorld
    chance: Random
    tally: Tally = field(default_factory=lambda: Tally(tuple(FAULTS)))
    wrong: list[str] = field(default_factory=list)
    others: int = 0
    named: int = 0

    async def run(self) -> None:
        """Have each do each kind of harm in turn, and all answer again in the end."""
        ways: dict[str, Scenario] = {}
        for each in await chapters(self.world):
            if each.adapter in self.world.emulators and not each.refunded:
                ways.setdefault(str(each.adapter), each)
        best = {key: await self._ask(way, without=key) for key, way in ways.items()}
        for kind, faults in FAULTS.items():
            for key, way in ways.items():
                await self._harm(kind, faults, key, way, best[key])
                if kind in _LASTING:
                    # Who limits is left alone for a while: without this nobody would be left in the end.
                    await self._back(key, way)
        await asyncio.gather(*(self._back(key, way) for key, way in ways.items()))

    async def _harm(self, kind: str, faults: Sequence[str], key: str, way: Scenario, best: Reply) -> None:
        emulator = self.world.emulators[key]
        told = self._behaviour(emulator, faults)
        if told is None:
            return
        before = len(emulator.requests)
        emulator.behaviour = emulator.behaviour_from(told)
        try:
            opened, alone = await asyncio.gather(self._ask(way), self._ask(way, only=key))
        finally:
            emulator.behaviour = emulator.behaviour_from({})
        self.tally.times[kind] += len(emulator.requests) > before
        where = f"{key} {told}"
        self.wrong += [f"{where}: {fault}" for fault in open_faults(key, opened, best)]
        self.wrong += [f"{where}: {fault}" for fault in alone_faults(key, alone, told)]
        self.others += opened.status == 200 and opened.body["adapter"] != key
        self.named += alone.status != 200

    def _behaviour(self, emulator: Emulator, faults: Sequence[str]) -> dict[str, Any] | None:
        if faults:
            return {"fault": self.chance.choice(faults), "delay_s": _LATE_S}
        return {"lie": self.chance.choice(sorted(emulator.lies)).value} if emulator.lies else None

    async def _ask(self, way: Scenario, *, only: str = "", without: str = "") -> Reply:
        asked, kind = question(self.world, way, 0), "Bridges" if way.crossing else "Exchanges"
        if only or without:
            asked[("include" if only else "exclude") + kind] = only or without
        return await ask(self.world, "/v1/quotes", asked)

    async def _back(self, key: str, way: Scenario) -> None:
        asked = question(self.world, way, 0) | {f"include{'Bridges' if way.crossing else 'Exchanges'}": key}
        found = await insist(self.world, "/v1/quotes", asked, _BACK_S)
        if found.status != 200:
            self.wrong.append(f"{key} does not answer again: {found.status} {found.message}")


def open_faults(key: str, reply: Reply, best: Reply) -> Sequence[str]:
    """Name what is amiss with an answer for which anybody was asked; ``best`` is the answer without this upstream."""
    if reply.status != 200:
        return () if best.status != 200 else (f"nobody answers: {reply.status} {reply.message}",)
    if reply.body["adapter"] == key:
        return sound_faults(reply)
    if best.status == 200 and int(reply.body["outputAmount"]) < _LEAST * int(best.body["outputAmount"]):
        return (f"{reply.body['outputAmount']} by {reply.body['adapter']}, {best.body['outputAmount']} without it",)
    return ()


def alone_faults(key: str, reply: Reply, told: Mapping[str, Any]) -> Sequence[str]:
    """Name what is amiss with an answer for which this upstream alone was asked."""
    if reply.status == 200:
        return sound_faults(reply)
    details = reply.body.get("details") if isinstance(reply.body, dict) else None
    reasons = [each for each in (details or {}).get("adapters", ()) if each.get("adapter") == key]
    if reply.status not in (400, 404, 422, 502, 503) or not reasons:
        return (f"the error does not say which: {reply.status} {reply.body}",)
    return ()


def sound_faults(reply: Reply) -> Sequence[str]:
    """Name what is amiss with an answer of one who misbehaves: it may leave if it was run and brings what it says.

    What arrives on another chain no run can show; the row `lies` waits for it.
    """
    simulation = reply.body["simulation"]
    crosses = simulation.get("reason") == "the output arrives on another chain"
    proven = simulation["outputValidation"] == "VERIFIED" or crosses
    return () if simulation["executionStatus"] == "SUCCESS" and proven else (f"its quote left unproven: {simulation}",)


async def run(bench: Bench) -> RowResult:
    row = Upstreams(await bench.service(), Random(bench.seed))
    await row.run()
    done = {**row.tally.times, "others' quotes": row.others, "errors that say which": row.named}
    return RowResult(done, wrong=row.wrong)
