"""Transactions of strangers under the ID of an answer, as they are read from the chain."""

from dataclasses import replace

from attack.campaign import evm_address
from attack.purse import Pair, Sent, fund, send
from attack.scene import Scene
from attack.service import KEYS
from rhumbline.domain.clock import system_clock
from rhumbline.tracking.evm.logs import EvmLog, decode_logs
from rhumbline.tracking.records import is_ours

_BLOCK = "0x" + "b" * 64


async def copied_ids(scene: Scene, strangers: int) -> tuple[int, bool]:
    """Have the wallet send an answer's call, and then strangers from wallets of theirs.

    Return how many of theirs are taken for the answer's, and whether the wallet's is. In the other sequence a bridge
    may refuse the wallet's call, because a stranger has paid for the very order already.
    """
    answer = await scene.answered(scene.upstreams.honest)
    if answer is None:
        raise RuntimeError(f"{scene.key} {scene.ask}: the honest upstream does not answer any more")
    own, _ = await scene.executed(answer, answer.min_output_amount)
    taken = 0
    for number in range(strangers):
        sender = evm_address(f"copies {number}")
        await fund(scene.service, Pair(sender, sender), scene.tokens[0], answer.request.amount)
        taken += _recognised(
            scene, await send(scene.service, replace(answer, request=replace(answer.request, sender=sender)))
        )
    return taken, _recognised(scene, own) == 1


def _recognised(scene: Scene, sent: Sent) -> int:
    """Return how many events of the Diamond in a transaction are taken for an order of the service."""
    chain = scene.service.chain(scene.ask.origin)
    diamond = str(chain.diamond).lower()
    logs = [
        EvmLog(log.address.lower(), log.topics, log.data, 1, _BLOCK, log.tx_hash, place)
        for place, log in enumerate(sent.logs)
        if log.address.lower() == diamond
    ]
    found = decode_logs(chain.id, diamond, logs, {_BLOCK: system_clock()})
    swaps = sum(is_ours(KEYS, sighting, chain) for sighting in found.sightings)
    return swaps + sum(is_ours(KEYS, sighting, chain) for sighting in found.bridges)
