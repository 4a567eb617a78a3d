"""What cannot be told of a token's tax is not taken for none."""

import json

import pytest

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.unowned_addresses import STAND_IN
from rhumbline.simulation.evm.slots import Layout, SlotFinder, Style, mark
from rhumbline.simulation.evm.transfer_tax import Parcel, find_tax
from tests.routing.venues import USDC
from tests.simulation.evm.test_hostile_answers import node, simulated

SENT = {"status": "0x1", "gasUsed": "0x1", "returnData": "0x", "logs": []}
SEEN = {**SENT, "returnData": "0x" + (900).to_bytes(32).hex()}


@pytest.mark.parametrize("calls", [[None, SEEN], [SENT, None], [[], SEEN], [SENT, "0x"], [SENT, {}], [SENT], None])
async def test_a_tax_that_is_not_told(calls: object) -> None:
    balance = "0x" + mark(Layout(Style.SOLIDITY, 9).key(STAND_IN)).hex()

    def say(method: str, time: int, count: int) -> bytes:
        if method == "eth_call":
            return json.dumps({"id": 0, "result": balance}).encode()
        return simulated([SENT, SEEN] if time == 1 else calls)

    async with node(say) as rpc:
        slots, parcels = SlotFinder(rpc), [Parcel(USDC, 1000)]
        assert "of 1000 sent 900 arrive" in str(await find_tax(rpc, slots, parcels))
        with pytest.raises(NodeUnavailable):
            await find_tax(rpc, slots, parcels)
