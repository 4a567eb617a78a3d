"""The attack on what begins on Solana, one adapter after another."""

import asyncio
import sys
import time
from collections import Counter
from dataclasses import dataclass
from itertools import chain, zip_longest

from attack.asks import SOLANA_ASKS
from attack.campaign import Report, evm_address
from attack.judge import Outcome
from attack.lies import REFUND, Lie
from attack.plan import LIES
from attack.purse import Pair
from attack.scene import SLOT_S
from attack.service import AttackedService
from attack.svm.chosen import SPONSORED
from attack.svm.facts import named_key
from attack.svm.judge import judge
from attack.svm.lies import GAS, KINDS, PREFIX
from attack.svm.scene import SvmScene
from tests.adapters.conformance.case import Ask

_TRIES = 25


@dataclass(frozen=True)
class SvmCampaign:
    """How to attack: ``seed`` and ``count`` of lies an adapter, ``patience_s`` for bridges to settle.

    Of ``asks`` at most ``most`` that an adapter answers are asked. ``kinds`` are the lies that are told.
    """

    service: AttackedService
    seed: int
    count: int = LIES
    patience_s: float = 10.0
    asks: tuple[Ask, ...] = SOLANA_ASKS
    most: int = 6
    kinds: tuple[str, ...] = KINDS

    async def scenes(self, key: str) -> list[SvmScene]:
        """Find the questions that an adapter answers, of all kinds that there are."""
        shapes: dict[object, list[SvmScene]] = {}
        for number, ask in enumerate(self.asks):
            scene = self._scene(key, ask, number)
            if await scene.prepare():
                shapes.setdefault(scene.shape(), []).append(scene)
        rounds = chain.from_iterable(zip_longest(*shapes.values()))
        return [scene for scene in rounds if scene is not None][: self.most]

    def _scene(self, key: str, ask: Ask, number: int) -> SvmScene:
        sender, friend = (named_key(f"{key} {number} {role}") for role in ("sender", "receiver"))
        receiver = str((sender if number % 3 != 2 else friend).pubkey())
        if ask.destination != ask.origin:
            receiver = evm_address(f"{key} {number} from Solana")
        refunded = str(named_key(f"{key} {number} refunded").pubkey()) if ask.named else None
        pair = Pair(str(sender.pubkey()), receiver, refunded)
        return SvmScene(self.service, key, ask, pair, self.patience_s, key_of_sender=sender)

    async def attack(self, key: str, report: Report) -> None:
        """Attack one adapter: honest answers first and last, lies between."""
        started = time.monotonic()
        scenes = await self.scenes(key)
        await self._honestly(scenes, report)
        served = [await self._sponsored(scene, report) for scene in scenes]
        found = [await judge(scenes[lie.ask], lie) for lie in self.planned(scenes)]
        await self._honestly(scenes, report)
        report.outcomes += found
        counted = Counter(outcome.verdict for outcome in found)
        counts = ", ".join(f"{number} {verdict}" for verdict, number in sorted(counted.items()))
        counts += f"; {sum(served)} of {len(served)} questions with a fee payer answered,"
        sys.stderr.write(f"{key} from Solana: {counts} in {time.monotonic() - started:.0f} s\n")

    def planned(self, scenes: list[SvmScene]) -> list[Lie]:
        """Choose the lies to tell: of every kind as many, each one altering something of the honest answers.

        Where somebody is named for refunds, or native is wanted on arrival, lies about that are a kind more.
        """
        found: list[Lie] = []
        number, missed = 0, 0
        named = any(scene.pair.refunded is not None for scene in scenes)
        more = (*((REFUND,) if named else ()), *((GAS,) if any(scene.ask.gas for scene in scenes) else ()))
        kinds = (*(PREFIX + each for each in more), *self.kinds) if self.kinds == KINDS else self.kinds
        while scenes and len(found) < self.count and missed < _TRIES * len(kinds):
            place, kind = (number // len(kinds)) % len(scenes), kinds[number % len(kinds)]
            lie = Lie(scenes[place].key, place, kind, self.seed * 100_000 + number)
            number += 1
            if scenes[place].alters(lie):
                found.append(lie)
                missed = 0
            else:
                missed += 1
        return found

    async def tell(self, lie: Lie) -> Outcome:
        """Tell one lie, by name."""
        scenes = await self.scenes(lie.adapter)
        await self._honestly(scenes, Report())
        return await judge(scenes[lie.ask], lie)

    async def _sponsored(self, scene: SvmScene, report: Report) -> bool:
        """Ask honestly with a priority, a tip and a fee payer; tell whether there is an answer, which must be kept."""
        scene.terms = SPONSORED
        try:
            answer = await scene.answered(scene.upstreams.deceived)
        finally:
            scene.terms = None
        if answer is None:
            return False
        async with scene.apart():
            done = await scene.done(answer, answer.min_output_amount)
        if not done.ok or done.opened or done.robbed or done.result.gained < answer.min_output_amount:
            report.unsound.append(f"{scene.key} {scene.ask} with a fee payer: {done.robbed or done.result}")
        return True

    async def _refunded(self, scene: SvmScene, report: Report) -> None:
        """Check that all comes back to the named wallet if the bridge fails."""
        answer = await scene.answered_at_last(scene.upstreams.deceived)
        if answer is None or not scene.is_back((await scene.done(answer, 0, back=True)).result):
            report.unsound.append(f"{scene.key} {scene.ask}: not refunded")

    async def _honestly(self, scenes: list[SvmScene], report: Report) -> None:
        """Check that the honest answer is executed and delivered, and measure its costs."""
        for scene in scenes:
            # The chain may just have been restored, and a wallet's balances are cached for a slot.
            await asyncio.sleep(SLOT_S)
            answer = await scene.answered_at_last(scene.upstreams.deceived)
            report.honest += 1
            if answer is None:
                report.unsound.append(f"{scene.key} {scene.ask}: not answered")
                continue
            async with scene.apart():
                done = await scene.done(answer, answer.min_output_amount)
            scene.usual = done.result
            if scene.pair.refunded is not None:
                await self._refunded(scene, report)
            gained = done.result.gained
            if not done.ok or done.opened or gained < answer.min_output_amount:
                why = done.error or ("an account was opened" if done.opened else "it succeeded")
                report.unsound.append(f"{scene.key} {scene.ask}: {gained} of {answer.min_output_amount} arrived: {why}")
