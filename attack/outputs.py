"""Lies while an output is asked for: whatever input is answered, the output arrives for it, or nothing is taken."""

import sys
from collections import Counter
from fractions import Fraction

from attack.campaign import Campaign, Report
from attack.judge import DUST, Outcome, Verdict
from attack.liar import lied_about_output, switch_over
from attack.lies import Lie
from attack.plan import planned
from attack.purse import standing, unstated, worth
from attack.scene import Scene
from rhumbline.gateways.nodes.evm.rpc import RpcError


async def attack_outputs(campaign: Campaign, key: str, report: Report) -> None:
    """Tell the campaign's lies of one adapter to questions for what its honest answers guarantee."""
    scenes = await campaign.scenes(key)
    honest = {place: await scene.honest() for place, scene in enumerate(scenes)}
    wanted = {place: each.minimum for place, each in honest.items() if each is not None}
    for place, output in wanted.items():
        await _honestly(scenes[place], output, report)
    lies = [lie for lie in planned(scenes, campaign.seed, campaign.count) if lie.ask in wanted]
    found = [await judged(scenes[lie.ask], lie, wanted[lie.ask]) for lie in lies]
    report.outcomes += found
    counts = Counter(each.verdict.value for each in found)
    sys.stderr.write(f"{key} for outputs: {', '.join(f'{number} {word}' for word, number in sorted(counts.items()))}\n")


async def judged(scene: Scene, lie: Lie, wanted: int) -> Outcome:
    """Tell one lie, and do what the service says."""
    answer, hired = await lied_about_output(scene, lie, wanted)
    if answer is None:
        return Outcome(lie, Verdict.REFUSED)
    if answer.min_output_amount < wanted:
        return Outcome(lie, Verdict.LOST, why=f"{answer.min_output_amount} is guaranteed of {wanted}")
    await switch_over(scene, hired)
    try:
        sent, result = await scene.executed(answer, wanted)
    except RpcError as error:
        return Outcome(lie, Verdict.REFUSED, why=f"the node does not take it: {error}")
    if not sent.ok:
        return Outcome(lie, Verdict.REFUSED, why="reverts when it is sent")
    beyond = float(unstated(scene.service, answer, result.left))
    short, more = max(wanted - result.gained, 0), max(result.spent - answer.request.amount, 0)
    missing = scene.received(short) + worth(scene.service, scene.tokens[0].chain_id, scene.tokens[0].address, more)
    if not missing:
        return Outcome(lie, Verdict.DELIVERED, beyond=beyond)
    held = standing(scene.service, scene.pair, sent, scene.upstreams.emulator)
    left = missing - held if not result.gained else missing
    verdict = Verdict.LOST if left > scene.value() * DUST else Verdict.RETURNED
    words = f"{result.gained} of {wanted} arrived for {result.spent} of {answer.request.amount}"
    return Outcome(lie, verdict, float(max(left, Fraction(0))), words, beyond)


async def _honestly(scene: Scene, wanted: int, report: Report) -> None:
    """Check that without a lie the output is answered, and arrives."""
    report.honest += 1
    answer = await scene.answered_output(wanted, scene.upstreams.deceived)
    if answer is None:
        report.unsound.append(f"{scene.key} {scene.ask}: no answer for an output")
        return
    sent, result = await scene.executed(answer, wanted)
    if not sent.ok or result.gained < wanted or result.spent > answer.request.amount:
        report.unsound.append(f"{scene.key} {scene.ask}: {result.gained} of {wanted} arrived for {result.spent}")
