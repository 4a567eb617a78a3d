"""The attack on some adapters, one after another, on one sandbox."""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from eth_utils.crypto import keccak

from attack.asks import ASKS
from attack.judge import Contest, Outcome, Verdict
from attack.liar import accepted
from attack.lies import Lie
from attack.plan import LIES, planned
from attack.purse import Pair
from attack.scene import Scene
from attack.service import AttackedService
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.signatures import Account, LocalAccount
from tests.adapters.conformance.case import Ask

_BOASTS = ("promise", "together", "splice")


@dataclass
class Report:
    """The results: outcomes of lies, and honest answers that failed (by name)."""

    outcomes: list[Outcome] = field(default_factory=list)
    unsound: list[str] = field(default_factory=list)
    honest: int = 0


@dataclass(frozen=True)
class Campaign:
    """How to attack: ``seed`` and ``count`` of lies an adapter, ``patience_s`` for bridges to settle.

    Of ``asks`` at most ``most`` that an adapter answers are asked.
    """

    service: AttackedService
    seed: int
    count: int = LIES
    patience_s: float = 10.0
    asks: tuple[Ask, ...] = ASKS
    most: int = 9

    async def scenes(self, key: str) -> list[Scene]:
        """Find the questions that an adapter answers, of all kinds that there are."""
        found = []
        for number, question in enumerate(self.asks):
            scene = Scene(self.service, key, question, _pair(key, number, named=question.named), self.patience_s)
            if await scene.prepare():
                found.append(scene)
        # One of each shape first, so that no way of answering is left out; then the next ones.
        shapes: dict[object, list[Scene]] = {}
        for scene in found:
            shapes.setdefault(scene.shape(), []).append(scene)
        rounds = chain.from_iterable(zip_longest(*shapes.values()))
        return [scene for scene in rounds if scene is not None][: self.most]

    async def attack(self, key: str, report: Report) -> None:
        """Attack one adapter: honest answers first and last, lies between."""
        started = time.monotonic()
        scenes = await self.scenes(key)
        contests = [await self.contests(scene) for scene in scenes]
        lies = planned(scenes, self.seed, self.count)
        await self._honestly(scenes, report)
        for each in contests:
            await each[True].try_refund()
            each[False].refunds = each[True].refunds
        # A larger promise must win over a rival that would have won; a theft must win as before.
        found = [await contests[lie.ask][lie.kind not in _BOASTS].judge(lie) for lie in lies]
        await self._honestly(scenes, report)
        report.outcomes += found
        counts = ", ".join(f"{number} {verdict}" for verdict, number in sorted(Counter(_verdicts(found)).items()))
        sys.stderr.write(f"{key}: {counts} in {time.monotonic() - started:.0f} s\n")

    async def accepted(self, key: str) -> dict[str, tuple[int, int]]:
        """Count by kind how many lies were tried, and how many of them an adapter's readers accept."""
        scenes = await self.scenes(key)
        tried: Counter[str] = Counter()
        passed: Counter[str] = Counter()
        for lie in planned(scenes, self.seed, self.count):
            tried[lie.kind] += 1
            passed[lie.kind] += await accepted(scenes[lie.ask], lie)
        return {kind: (number, passed[kind]) for kind, number in sorted(tried.items())}

    async def tell(self, lie: Lie) -> Outcome:
        """Tell one lie, by name."""
        contests = await self.contests((await self.scenes(lie.adapter))[lie.ask])
        await contests[True].try_refund()
        contests[False].refunds = contests[True].refunds
        return await contests[lie.kind not in _BOASTS].judge(lie)

    async def contests(self, scene: Scene) -> dict[bool, Contest]:
        """Find an honest rival that loses if nobody lies (True), and one that wins; the other if there is none."""
        own = scene.upstreams.honest.info
        found: dict[bool, Contest] = {}
        for key, upstreams in sorted(self.service.upstreams.items()):
            info = upstreams.honest.info
            if (info.vendor or key) == (own.vendor or own.key) or not scene.serves(upstreams.honest):
                continue
            contest = Contest(scene, upstreams.honest)
            await contest.refresh()
            if contest.rivals is not None:
                found.setdefault(contest.wins, contest)
            if len(found) == len((True, False)):
                break
        other = next(iter(found.values()), None)
        if other is None:
            other = Contest(scene)
            await other.refresh()
        return {True: found.get(True, other), False: found.get(False, other)}

    async def _honestly(self, scenes: list[Scene], report: Report) -> None:
        """Check that the honest answer wins alone, and is delivered."""
        for scene in scenes:
            answer = await scene.answered_at_last(scene.upstreams.deceived)
            report.honest += 1
            if answer is None:
                report.unsound.append(f"{scene.key} {scene.ask}: not answered")
                continue
            sent, result = await scene.executed(answer, answer.min_output_amount)
            if not sent.ok or result.gained < answer.min_output_amount:
                report.unsound.append(f"{scene.key} {scene.ask}: {result.gained} of {answer.min_output_amount} arrived")


def _verdicts(found: list[Outcome]) -> Iterator[Verdict]:
    return (outcome.verdict for outcome in found)


def _pair(key: str, number: int, *, named: bool) -> Pair:
    """Return a wallet, which every second time signs permits, who receives, and who gets refunds if one is named."""
    signer: LocalAccount = Account.from_key(keccak(text=f"{key} {number} sender"))
    receiver, refunded = (evm_address(f"{key} {number} {role}") for role in ("receiver", "refunded"))
    return Pair(signer.address, receiver, refunded if named else None, signer if number % 2 else None)


def evm_address(name: str) -> str:
    """Return an address of its own for a name."""
    return checksummed("0x" + keccak(text=name)[12:].hex())
