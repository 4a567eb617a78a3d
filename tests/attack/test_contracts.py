"""The attacker's contracts do what their lies need: honest until they may steal, and never afterwards."""

import pytest
from eth_utils.crypto import keccak

from attack.asks import ASKS
from attack.facts import STRANGER, Hired
from attack.liar import stand, switch_over
from attack.purse import Pair
from attack.scene import Scene
from attack.service import AttackedService
from rhumbline.devnet.evm.operator import encoded, unlocked
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.rpc import quantity

GENUINE = "0x" + keccak(text="genuine")[12:].hex()
WALLET, OTHER = (checksummed("0x" + keccak(text=name)[12:].hex()) for name in ("wallet", "other"))


@pytest.fixture
def scene(service: AttackedService) -> Scene:
    return Scene(service, "KYBERSWAP", ASKS[0], Pair(WALLET, OTHER), 1.0)


async def sent_through(scene: Scene, hired: Hired, sender: str = WALLET) -> int:
    """Send 10,000 wei and 10,000 units of WETH, approved, through a hired contract; what the thief has more."""
    rpc = scene.service.rpcs[scene.service.chain("sbxa").id]
    weth = scene.service.token("sbxa", "WETH").address
    wallet = await unlocked(rpc, sender, 10**18)
    await wallet.send(weth, encoded("deposit()"), 10_000)
    await wallet.send(weth, encoded("approve(address,uint256)", hired.address, 10_000))

    async def stolen() -> int:
        native = quantity(await rpc.call("eth_getBalance", [STRANGER, "latest"]))
        wrapped = await rpc.eth_call(weth, encoded("balanceOf(address)", STRANGER))
        return native + int.from_bytes(wrapped)

    before = await stolen()
    await wallet.send(hired.address, bytes.fromhex("12345678") + (10_000).to_bytes(32), 10_000)
    return await stolen() - before


@pytest.mark.parametrize(("share", "thief"), [(10_000, 20_000), (5_000, 10_000), (50, 100)])
async def test_one_that_is_switched_over_is_honest_before(scene: Scene, share: int, thief: int) -> None:
    await stand(scene, Hired(GENUINE, GENUINE, -1, 0))
    hired = Hired("0x" + keccak(text=f"turned {share}")[12:].hex(), GENUINE, 1, share)
    await stand(scene, hired)
    assert await sent_through(scene, hired) == 0
    await switch_over(scene, (hired,))
    assert await sent_through(scene, hired) == thief
    await switch_over(scene, (hired,), back=True)
    assert await sent_through(scene, hired) == 0


async def test_one_that_waits_for_the_victim_spares_others(scene: Scene) -> None:
    await stand(scene, Hired(GENUINE, GENUINE, -1, 0))
    hired = Hired("0x" + keccak(text="waiting")[12:].hex(), GENUINE, 3, 10_000)
    await stand(scene, hired)
    assert await sent_through(scene, hired, OTHER) == 0
    assert await sent_through(scene, hired) == 20_000
