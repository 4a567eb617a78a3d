"""No answer leaves for a contract that is not there, nor for a wallet that is nobody's on the other chain."""

from dataclasses import replace
from typing import Any

import aiohttp
import pytest

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.domain.errors import AdaptersFailed, InvalidRequest
from rhumbline.gateways.evm.rpc import EvmRpc
from rhumbline.routing.codes import Codes
from tests.routing.test_bridging import Crossing, PayBridge, both, crossing

__all__ = ["crossing"]
WALLET_CODE = "0x60006000fd"


@pytest.fixture
def rpcs(restored_sandbox: Sandbox, session: aiohttp.ClientSession) -> dict[int, EvmRpc]:
    return {chain.id: EvmRpc(chain.rpc_url, session, chain.key) for chain in restored_sandbox.chains}


async def put_code(rpc: EvmRpc, address: str, code: str) -> None:
    await rpc.call("anvil_setCode", [address, code])


@pytest.mark.parametrize("code", ["0x", WALLET_CODE])
@pytest.mark.parametrize("name", ["diamond", "executor"])
async def test_nothing_is_sent_to_a_contract_that_is_not_ours(
    crossing: Crossing, rpcs: dict[int, EvmRpc], name: str, code: str
) -> None:
    """Value that is sent to an address without code is lost, and the call succeeds."""
    desk = crossing.with_(PayBridge(both(crossing)), codes=Codes(rpcs, 5.0))
    address, rpc = crossing.desk.described.contracts[name], rpcs[desk.chain.id]
    was = await rpc.call("eth_getCode", [address, "latest"])
    await put_code(rpc, address, code)
    for bought in ("USDT", "ETH"):
        with pytest.raises(AdaptersFailed, match="is not on Sandbox A: its operator must deploy it"):
            await desk.service.answer(crossing.ask("ETH", bought, 10**18))
    assert crossing.kept == []
    await put_code(rpc, address, str(was))
    await desk.service.answer(crossing.ask("ETH", "USDT", 10**18))


async def test_contracts_are_looked_at_once(crossing: Crossing, rpcs: dict[int, EvmRpc]) -> None:
    codes = Codes(rpcs, 5.0)
    request = crossing.ask("USDC", "USDT", 10**9)
    assert await codes.objection(request) is None
    silent = {number: replace(rpc, url="http://127.0.0.1:9") for number, rpc in rpcs.items()}
    codes.rpcs = silent
    assert await codes.objection(request) is None
    blind = await Codes(silent, 5.0).objection(request)
    assert isinstance(blind, AdaptersFailed)
    assert "cannot be seen just now" in str(blind)
    without = replace(request, origin=replace(request.origin, diamond=None, executor=None))
    assert await Codes(silent, 5.0).objection(without) is None


@pytest.mark.parametrize(
    ("here", "there", "changes", "refused"),
    [
        (WALLET_CODE, "0x", {}, True),
        (WALLET_CODE, WALLET_CODE, {}, False),
        ("0x", "0x", {}, False),
        ("0xef0100" + "11" * 20, "0x", {}, False),
        (WALLET_CODE, "0x", {"receiver_defaulted": False}, False),
    ],
    ids=["nobody's there", "there too", "a key", "a key that borrows code", "named"],
)
async def test_a_contract_wallet_names_who_receives(
    crossing: Crossing, rpcs: dict[int, EvmRpc], here: str, there: str, changes: dict[str, Any], refused: bool
) -> None:
    desk = crossing.with_(PayBridge(both(crossing)), codes=Codes(rpcs, 5.0))
    await put_code(rpcs[desk.chain.id], desk.nobody, here)
    await put_code(rpcs[crossing.other.id], desk.nobody, there)
    ends = {"sender": desk.nobody, "receiver": desk.nobody, "receiver_defaulted": True}
    request = crossing.ask("USDC", "USDT", 10**9, **{**ends, **changes})
    objection = await Codes(rpcs, 5.0).objection(request)
    if not refused:
        assert objection is None
        return
    with pytest.raises(InvalidRequest) as caught:
        await desk.service.answer(request)
    (fault,) = caught.value.faults
    assert fault.startswith("receiverAddress: the sender is a contract that is not seen on ")
    here_only = await Codes({desk.chain.id: rpcs[desk.chain.id]}, 5.0).objection(request)
    assert isinstance(here_only, InvalidRequest), "what cannot be looked at is not seen"
    same_chain = crossing.desk.ask("USDC", "WETH", 10**9, **ends)
    assert await Codes(rpcs, 5.0).objection(same_chain) is None
