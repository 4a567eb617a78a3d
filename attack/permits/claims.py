"""Tokens that lie about their permits: the input token's code is replaced by a liar's, with all balances kept."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType

from attack.facts import STRANGER
from attack.scene import Scene

_FIRST_SLOT = 1000
_SWITCHED = _FIRST_SLOT + 4
GENEROUS = 24
"""A permit of the victim's permits everything, which no simulation with another wallet can show."""


@dataclass(frozen=True)
class Claim:
    """What a token claims: ``mode`` as in its source; ``turns`` after the answer.

    ``visible``: a permit of the token's own fails for anybody, so that to offer one is the service's mistake.
    """

    mode: int
    decimals: int = 6
    turns: bool = False
    visible: bool = False


CLAIMS: Mapping[str, tuple[Claim, ...]] = MappingProxyType(
    {
        # The domain of another chain, of another contract, by another name, of another version, with a salt; or one
        # that changes after the answer.
        "domain": (*(Claim(mode, visible=True) for mode in (1, 2, 3, 4, 5)), Claim(6, turns=True)),
        # One too many for all, or for the victim alone; the largest; none; one too many until the answer.
        "nonce": (
            Claim(10, visible=True), Claim(11), Claim(12, visible=True), Claim(13, visible=True),
            Claim(14, turns=True, visible=True),
        ),
        # A permit that does nothing, for all or for the victim; refuses it; permits everything, to all or the victim;
        # permits a thief; transfers that are taxed for Permit2, or for the victim.
        "token": (
            Claim(20, visible=True), Claim(21), Claim(22), Claim(23, visible=True), Claim(GENEROUS),
            Claim(25, visible=True), Claim(26, visible=True), Claim(27),
        ),
        "decimals": (Claim(0, 18), Claim(0, 0), Claim(0, 255), Claim(0, 2**256 - 1), Claim(0, 8)),
    }
)  # fmt: skip
"""What is claimed by kind of lie; the mode 0 is honest about permits."""
HONEST = Claim(0)


@asynccontextmanager
async def claiming(scene: Scene, claim: Claim) -> AsyncIterator[None]:
    """Have the input token make a claim for as long as the context lasts."""
    token = scene.tokens[0].address
    rpc = scene.service.rpcs[scene.service.chain(scene.ask.origin).id]
    genuine = await rpc.call("eth_getCode", [token, "latest"])
    values = (claim.mode, claim.decimals, int(scene.pair.sender, 16), int(STRANGER, 16), 0)
    await rpc.call("anvil_setCode", [token, "0x" + scene.service.compiled.codes["PermitLiar"].hex()])
    try:
        for place, value in enumerate(values):
            await rpc.call("anvil_setStorageAt", [token, f"0x{_FIRST_SLOT + place:064x}", f"0x{value:064x}"])
        yield
    finally:
        await rpc.call("anvil_setCode", [token, genuine])


async def turn(scene: Scene) -> None:
    """Let the claim change that was made until the answer."""
    rpc = scene.service.rpcs[scene.service.chain(scene.ask.origin).id]
    await rpc.call("anvil_setStorageAt", [scene.tokens[0].address, f"0x{_SWITCHED:064x}", f"0x{1:064x}"])
