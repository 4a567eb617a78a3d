"""What an altered answer brings to its signer."""

from dataclasses import replace
from fractions import Fraction

from attack.judge import DUST, Outcome, Verdict
from attack.lies import REFUND, Lie
from attack.purse import worth
from attack.scene import Honest
from attack.svm.lies import PREFIX
from attack.svm.scene import Done, SvmScene
from rhumbline.devnet.wallets import TransactionFailed
from rhumbline.domain.fee import FeeType
from rhumbline.domain.route import RouteAnswer
from rhumbline.gateways.nodes.svm.calls import SvmRpcError

GIVING_BACK = frozenset({"ACROSS", "MAYAN", "MAYAN_FAST_MCTP", "MAYAN_MCTP", "MAYAN_SWIFT"})
"""Bridges whose own contracts refund unfilled deposits: to the wallet, or to the receiver if it was sent there."""
CARRIED_ON = frozenset({"MAYAN", "MAYAN_FAST_MCTP", "MAYAN_MCTP"})
"""Those among them from whose contracts any relayer may take the order's fee, whoever fills it."""
_USUAL_FEE = Fraction(1, 20)
_REFUNDED_EVERY = 2
"""So often the bridge fails, where somebody is named for refunds."""
_POOR_EVERY = 3
"""So often the wallet has nothing yet when it asks, so that no run shows what the answer does."""


async def judge(scene: SvmScene, lie: Lie) -> Outcome:
    """Tell one lie, and do what the service says."""
    honest = await scene.honest()
    if honest is None:
        raise RuntimeError(f"{lie}: the honest upstream does not answer any more")
    poor = lie.seed % _POOR_EVERY == 0
    async with scene.apart(), scene.lying(lie):
        if poor:
            await scene.be_poor()
        answer = await scene.answered(scene.upstreams.deceived)
        if poor:
            await scene.be_rich()
        if answer is None:
            return Outcome(lie, Verdict.REFUSED)
        await scene.spring(lie)
        try:
            back = lie.kind == PREFIX + REFUND or (scene.pair.refunded is not None and lie.seed % _REFUNDED_EVERY == 0)
            done = await scene.done(answer, int(honest.minimum * (1 - DUST)), back=back)
        except (SvmRpcError, TransactionFailed) as error:
            return Outcome(lie, Verdict.REFUSED, why=f"the node does not take it: {error}")
    return replace(judged(scene, lie, honest, answer, done), beyond=float(done.beyond))


def judged(scene: SvmScene, lie: Lie, honest: Honest, answer: RouteAnswer, done: Done) -> Outcome:
    """Compare what an answer's transaction did with what the honest one promised."""
    if not done.ok:
        return Outcome(lie, Verdict.REFUSED, why="fails when it is sent")
    result = done.result
    words = (
        f"promised {answer.output_amount}, at least {answer.min_output_amount}; honest {honest.output}, at least "
        f"{honest.minimum}; spent {result.spent}, arrived {result.gained}"
    )
    if done.robbed:
        return Outcome(lie, Verdict.LOST, float(scene.value()), f"{done.robbed}; {words}")
    if done.opened:
        return Outcome(lie, Verdict.LOST, float(scene.value()), f"leaves somebody else in charge; {words}")
    missing, dust = scene.missing(honest, result), scene.value() * DUST
    if missing <= dust:
        return Outcome(lie, Verdict.DELIVERED, 0.0, words)
    held = done.held - granted(scene, answer)
    unfilled = scene.crossing and scene.key in GIVING_BACK and missing - held <= dust
    if result.gained == 0 and (unfilled or (scene.crossing and scene.is_back(result))):
        return Outcome(lie, Verdict.RETURNED, float(missing), words)
    openly = answer.output_amount < honest.output and result.gained >= answer.min_output_amount
    return Outcome(lie, Verdict.TOLD if openly else Verdict.LOST, float(missing), words)


def granted(scene: SvmScene, answer: RouteAnswer) -> Fraction:
    """Return how much of a bridge's deposit any relayer may take, beyond the usual, in USD cents."""
    if scene.key not in CARRIED_ON:
        return Fraction(0)
    token = scene.tokens[0]
    fees = (item for item in answer.fees.items if item.type is FeeType.RELAYER and item.token == token)
    taken = sum((worth(scene.service, token.chain_id, token.address, item.amount) for item in fees), Fraction(0))
    return max(taken - scene.value() * _USUAL_FEE, Fraction(0))
