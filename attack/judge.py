"""What a lie brought: whether it was refused, outdone, harmless, or a theft."""

from dataclasses import dataclass, replace
from enum import StrEnum, auto
from fractions import Fraction
from functools import partial
from typing import Any

from attack.liar import lied_to, switch_over
from attack.lies import REFUND, Lie
from attack.purse import Change, Sent, standing, unstated
from attack.scene import REFUND_FEES, Honest, Scene
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.route import RouteAnswer
from rhumbline.gateways.nodes.evm.rpc import RpcError

_REFUNDED_EVERY = 4
_REFUNDED_S = 3.0
DUST = Fraction(1, 10_000)
"""Of the input's value: less is missing by rounding, and by pools that have moved since the honest answer."""


class Verdict(StrEnum):
    """What became of one lie."""

    REFUSED = auto()
    """No transaction was answered, or the one answered reverts and takes nothing."""
    OUTRANKED = auto()
    """The honest rival won."""
    DELIVERED = auto()
    """At least the honest answer's minimum arrived; or all of it came back, where the bridge was told to fail."""
    TOLD = auto()
    """The answer itself promised less than the honest one, and that arrived."""
    RETURNED = auto()
    """Nobody fills the order at its own terms, and the pinned contract holds the wallet's deposit and gives it back."""
    LOST = auto()
    """Less than the honest answer's minimum arrived for what was spent."""
    INFLATED = auto()
    """It won over the honest rival by a promise, and less than the rival's promise arrived, both less their gas."""


@dataclass(frozen=True)
class Outcome:
    """A lie with what became of it.

    ``missing`` and ``beyond`` are in USD cents: what did not arrive, and what left the wallet without being stated.
    """

    lie: Lie
    verdict: Verdict
    missing: float = 0.0
    why: str = ""
    beyond: float = 0.0


@dataclass
class Contest:
    """A question, its honest answer at present, and the honest rival's; refreshed whenever chains have changed.

    ``wins``: it wins over the rival if nobody lies.
    """

    scene: Scene
    rival: Adapter[Any] | None = None
    honest: Honest | None = None
    rivals: Honest | None = None
    wins: bool = False
    refunds: bool = False

    async def refresh(self) -> None:
        """Refresh the answers without lies."""
        scene = self.scene
        self.honest = await scene.honest()
        if self.rival is not None:
            self.rivals = await scene.honest(self.rival)
            both = await scene.answered(scene.upstreams.honest, self.rival)
            self.wins = both is not None and both.adapter == scene.key

    async def try_refund(self) -> None:
        """Find out whether the bridge refunds what it does not deliver, as soon as it is told to."""
        answer = await self.scene.answered(self.scene.upstreams.honest)
        if answer is not None and self.scene.ask.origin != self.scene.ask.destination:
            sent, result = await self.scene.executed(answer, 0, back=True, patience_s=_REFUNDED_S)
            self.refunds = sent.ok and self._is_back(result)

    def _is_back(self, result: Change) -> bool:
        return self.scene.kept_back(result) <= self.scene.value() * REFUND_FEES

    async def judge(self, lie: Lie) -> Outcome:
        """Tell one lie, and do what the service says."""
        rivals = (self.rival,) if lie.rival and self.rival is not None else ()
        answer, hired = await lied_to(self.scene, lie, *rivals)
        if answer is None:
            return Outcome(lie, Verdict.REFUSED)
        if answer.adapter != lie.adapter:
            return Outcome(lie, Verdict.OUTRANKED)
        await self.refresh()
        honest = self.honest
        if honest is None:
            raise RuntimeError(f"{lie}: the honest upstream does not answer any more")
        await switch_over(self.scene, hired)
        back = self.refunds and not rivals and (lie.kind == REFUND or lie.seed % _REFUNDED_EVERY == 0)
        try:
            sent, result = await self.scene.executed(
                answer, int(honest.minimum * (1 - DUST)), back=back, is_unfilled=partial(self._is_unfilled, honest)
            )
        except RpcError as error:
            return Outcome(lie, Verdict.REFUSED, why=f"the node does not take it: {error}")
        if not sent.ok:
            return Outcome(lie, Verdict.REFUSED, why="reverts when it is sent")
        beyond = float(unstated(self.scene.service, answer, result.left))
        if back and answer.approval_address == honest.approval:
            return replace(self._judged_refund(lie, sent, result), beyond=beyond)
        unfilled = self._is_unfilled(honest, sent, result)
        judged = self._judged(lie, answer, honest, result, unfilled, bool(rivals) and not hired)
        return replace(judged, beyond=beyond)

    def _judged_refund(self, lie: Lie, sent: Sent, result: Change) -> Outcome:
        kept, most = self.scene.kept_back(result), self.scene.value() * REFUND_FEES
        held = standing(self.scene.service, self.scene.pair, sent, self.scene.upstreams.emulator)
        verdict = Verdict.DELIVERED if kept <= most else Verdict.RETURNED if kept - held <= most else Verdict.LOST
        return Outcome(lie, verdict, float(kept), f"not delivered, and of {result.spent} this much did not come back")

    def _is_unfilled(self, honest: Honest, sent: Sent, result: Change) -> bool:
        """Return whether nothing arrived, and all that is missing is in the bridge as the wallet's own deposit."""
        held = standing(self.scene.service, self.scene.pair, sent, self.scene.upstreams.emulator)
        missing = self.scene.lacking(honest, result) - held
        return result.gained == 0 < held and missing <= self.scene.value() * DUST

    def _judged(
        self, lie: Lie, answer: RouteAnswer, honest: Honest, result: Change, unfilled: bool, contested: bool
    ) -> Outcome:
        missing, value = self.scene.lacking(honest, result), self.scene.value()
        if answer.approval_address != honest.approval:
            return Outcome(lie, Verdict.LOST, float(value), f"{answer.approval_address} may take the input")
        words = (
            f"promised {answer.output_amount}, at least {answer.min_output_amount}; honest {honest.output}, at least "
            f"{honest.minimum}; spent {result.spent}, arrived {result.gained}"
        )
        if unfilled:
            return Outcome(lie, Verdict.RETURNED, float(missing), words)
        if contested and self._won_by_promise(answer, honest, result):
            return Outcome(lie, Verdict.INFLATED, float(max(missing, Fraction(0))), words)
        if missing <= value * DUST:
            return Outcome(lie, Verdict.DELIVERED, 0.0, words)
        openly = answer.output_amount < honest.output and result.gained >= answer.min_output_amount
        return Outcome(lie, Verdict.TOLD if openly else Verdict.LOST, float(missing), words)

    def _won_by_promise(self, answer: RouteAnswer, honest: Honest, result: Change) -> bool:
        """Return whether it won where it would not have, or brought less than what it won with honestly.

        The comparison is that of the ranking: the output less the gas of the transaction.
        """
        rivals, scene = self.rivals, self.scene
        brought = scene.received(result.gained) - scene.gas_of(answer)

        def is_less_than(other: Honest) -> bool:
            return brought < scene.received(int(other.output * (1 - DUST))) - other.gas

        return rivals is not None and is_less_than(rivals) and (not self.wins or is_less_than(honest))
