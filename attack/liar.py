"""Lying to the service about one question: the upstream's altered answers, and the contracts that they name."""

from typing import Any

from eth_utils.crypto import keccak

from attack.facts import STRANGER, Facts, Hired
from attack.lies import Lie, altered_answer
from attack.proxy import UpstreamAnswer
from attack.scene import Scene
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.route import RouteAnswer


async def accepted(scene: Scene, lie: Lie) -> bool:
    """Tell whether the adapter's own readers accept the altered answers."""
    async with _Lying(scene, lie):
        return await scene.built(scene.request()) is not None


async def lied_to(scene: Scene, lie: Lie, *rivals: Adapter[Any]) -> tuple[RouteAnswer | None, tuple[Hired, ...]]:
    """Ask the service while the upstream lies; return the answer, and the hostile contracts."""
    async with _Lying(scene, lie) as facts:
        answer = await scene.answered(scene.upstreams.deceived, *rivals)
    return answer, tuple(facts.hired)


async def lied_about_output(scene: Scene, lie: Lie, wanted: int) -> tuple[RouteAnswer | None, tuple[Hired, ...]]:
    """Ask the service for an output while the upstream lies; return the answer, and the hostile contracts."""
    async with _Lying(scene, lie) as facts:
        answer = await scene.answered_output(wanted, scene.upstreams.deceived)
    return answer, tuple(facts.hired)


class _Lying:
    """While it lasts, the upstream's API tells a lie, and the contracts that it names are there."""

    def __init__(self, scene: Scene, lie: Lie) -> None:
        self._scene, self._lie, self._facts = scene, lie, scene.facts()

    async def __aenter__(self) -> Facts:
        # Hostile contracts must exist before the answer that names them.
        for answer in self._scene.answers:
            altered_answer(self._lie, answer, self._facts)
        await self._hire()
        await switch_over(self._scene, tuple(self._facts.hired), back=True)
        self._scene.upstreams.liar.begin(self._altered)
        return self._facts

    async def __aexit__(self, *_: object) -> None:
        self._scene.upstreams.liar.begin(None)
        await self._hire()

    def _altered(self, answer: UpstreamAnswer) -> Any:
        document = altered_answer(self._lie, answer, self._facts)
        return answer.document if document is None else document

    async def _hire(self) -> None:
        for hired in self._facts.hired:
            if hired.address not in self._scene.standing:
                await stand(self._scene, hired)
                self._scene.standing.add(hired.address)


async def stand(scene: Scene, hired: Hired) -> None:
    """Put a hostile contract's code at its address, and its instructions into its storage."""
    chain = scene.service.chain(scene.ask.origin)
    rpc = scene.service.rpcs[chain.id]
    false = hired.mode < 0
    code = scene.service.compiled.codes["FalseToken" if false else "Turncoat"]
    tokens = [token.address for token in scene.service.tokens if token.chain_id == chain.id]
    values: dict[int, int] = {0: int(hired.mode == -2)}
    if not false:
        sender = int(scene.pair.sender, 16)
        values = {0: int(hired.genuine, 16), 1: hired.mode, 3: hired.share, 4: int(STRANGER, 16), 5: sender}
        values[6] = len(tokens)
        first = int.from_bytes(keccak((6).to_bytes(32)))
        values |= {first + place: int(token, 16) for place, token in enumerate(tokens)}
    await rpc.call("anvil_setCode", [hired.address, "0x" + code.hex()])
    for slot, value in values.items():
        await rpc.call("anvil_setStorageAt", [hired.address, f"0x{slot:064x}", f"0x{value:064x}"])


async def switch_over(scene: Scene, hired: tuple[Hired, ...], *, back: bool = False) -> None:
    """Let those turn who waited for it, or be honest again."""
    rpc = scene.service.rpcs[scene.service.chain(scene.ask.origin).id]
    for each in hired:
        if each.mode == 1:
            await rpc.call("anvil_setStorageAt", [each.address, f"0x{2:064x}", f"0x{int(not back):064x}"])
