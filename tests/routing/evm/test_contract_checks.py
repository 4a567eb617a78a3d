"""No answer leaves for a contract that is not there, nor for a wallet that is nobody's on the other chain."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from aiohttp import web

from rhumbline.devnet.hosts import hosted
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import AdaptersFailed, InvalidRequest, NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.endpoint import EndpointTerms
from rhumbline.gateways.nodes.endpoints import reading
from rhumbline.gateways.nodes.evm.deployment import contracts
from rhumbline.gateways.nodes.evm.endpoints import evm_endpoints
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.routing.evm.composer import EvmComposer
from rhumbline.routing.evm.contract_checks import ContractChecks
from tests.routing.evm.test_composer import Crossing, PayBridge, both, crossing

__all__ = ["crossing"]
WALLET_CODE = "0x60006000fd"


@dataclass
class SlowNode:
    url: str = ""
    wait_s: float = 0.0
    has_contracts: bool = False
    asked: int = 0
    chain_id: int = 900_001

    def result(self, method: str, params: list[str], code: dict[str, str]) -> str:
        return hex(self.chain_id) if method == "eth_chainId" else code.get(params[0], "0x")

    async def answer(self, request: web.Request) -> web.Response:
        self.asked += 1
        calls = await request.json()
        await asyncio.sleep(self.wait_s)
        code = {item.address: "0x" + item.runtime_code.hex() for item in contracts()} if self.has_contracts else {}
        answers = [
            {"jsonrpc": "2.0", "id": call["id"], "result": self.result(call["method"], call["params"], code)}
            for call in (calls if isinstance(calls, list) else [calls])
        ]
        return web.json_response(answers if isinstance(calls, list) else answers[0])


@pytest.fixture
def rpcs(restored_sandbox: Sandbox, http: HttpClient) -> dict[int, EvmRpc]:
    return {chain.id: EvmRpc(chain.rpc_url, http, chain.key) for chain in restored_sandbox.chains}


def composers(crossing: Crossing, checks: ContractChecks) -> dict[ChainType, EvmComposer]:
    """The crossing's own composer, which looks at the chains first."""
    composer = crossing.quotes.service.composers[ChainType.EVM]
    assert isinstance(composer, EvmComposer)
    return {ChainType.EVM: replace(composer, checks=checks)}


async def put_code(rpc: EvmRpc, address: str, code: str) -> None:
    await rpc.call("anvil_setCode", [address, code])


@pytest.mark.parametrize("code", ["0x", WALLET_CODE])
@pytest.mark.parametrize("name", ["diamond", "executor"])
async def test_nothing_is_sent_to_a_contract_that_is_not_ours(
    crossing: Crossing, rpcs: dict[int, EvmRpc], name: str, code: str
) -> None:
    """Value that is sent to an address without code is lost, and the call succeeds."""
    quotes = crossing.with_(PayBridge(both(crossing)), composers=composers(crossing, ContractChecks(rpcs, 5.0)))
    address, rpc = crossing.quotes.described.contracts[name], rpcs[quotes.chain.id]
    was = await rpc.call("eth_getCode", [address, "latest"])
    await put_code(rpc, address, code)
    for bought in ("USDT", "ETH"):
        with pytest.raises(AdaptersFailed, match="is not on Sandbox A: its operator must deploy it"):
            await quotes.service.answer(crossing.ask("ETH", bought, 10**18))
    assert crossing.kept == []
    await put_code(rpc, address, str(was))
    again = crossing.with_(PayBridge(both(crossing)), composers=composers(crossing, ContractChecks(rpcs, 5.0)))
    await again.service.answer(crossing.ask("ETH", "USDT", 10**18))


async def test_contracts_are_looked_at_once(crossing: Crossing, rpcs: dict[int, EvmRpc]) -> None:
    codes = ContractChecks(rpcs, 5.0)
    request = crossing.ask("USDC", "USDT", 10**9)
    assert await codes.objection(request) is None
    silent = {number: replace(rpc, url="http://127.0.0.1:9") for number, rpc in rpcs.items()}
    codes.rpcs = silent
    assert await codes.objection(request) is None
    blind = await ContractChecks(silent, 5.0).objection(request)
    assert isinstance(blind, AdaptersFailed)
    assert "cannot be checked at the moment" in str(blind)
    without = replace(request, origin=replace(request.origin, diamond=None, executor=None))
    assert await ContractChecks(silent, 5.0).objection(without) is None


@pytest.fixture
async def slow_node() -> AsyncIterator[SlowNode]:
    """A node that takes its time, and has our contracts or has not."""
    node = SlowNode()
    app = web.Application()
    app.router.add_post("/", node.answer)
    async with hosted(app) as node.url:
        yield node


async def test_many_quotes_wait_for_one_look_together(
    crossing: Crossing, slow_node: SlowNode, http: HttpClient
) -> None:
    """A node that hangs holds each of them up for as long as it may, not one after another."""
    slow_node.wait_s = 60.0
    codes = ContractChecks({crossing.quotes.chain.id: EvmRpc(slow_node.url, http, "sbxa")}, 1.5)
    request = crossing.ask("USDC", "USDT", 10**9)
    began = asyncio.get_running_loop().time()
    found = await asyncio.gather(*(codes.objection(request) for _ in range(20)))
    assert asyncio.get_running_loop().time() - began < 20, "twenty times a second and a half"
    assert all("cannot be checked at the moment" in str(each) for each in found)
    assert slow_node.asked == 1


async def test_a_node_that_is_slower_than_a_quote_is_patient_is_enough(
    crossing: Crossing, slow_node: SlowNode, http: HttpClient
) -> None:
    slow_node.wait_s, slow_node.has_contracts = 0.5, True
    codes = ContractChecks({crossing.quotes.chain.id: EvmRpc(slow_node.url, http, "sbxa")}, 0.2)
    request = crossing.ask("USDC", "USDT", 10**9)
    assert isinstance(await codes.objection(request), AdaptersFailed)
    for _ in range(200):
        if await codes.objection(request) is None:
            break
    else:
        raise AssertionError("a sound service does not quote")
    assert slow_node.asked == 1


async def test_what_is_missing_is_looked_for_again_after_a_while(
    crossing: Crossing, slow_node: SlowNode, http: HttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rhumbline.routing.evm.contract_checks._LOOK_AGAIN_S", 0.3)
    codes = ContractChecks({crossing.quotes.chain.id: EvmRpc(slow_node.url, http, "sbxa")}, 5.0)
    request = crossing.ask("USDC", "USDT", 10**9)
    for _ in range(10):
        assert "must deploy it" in str(await codes.objection(request))
    assert slow_node.asked == 1
    slow_node.has_contracts = True
    await asyncio.sleep(0.4)
    assert await codes.objection(request) is None
    assert slow_node.asked == 2


@pytest.mark.parametrize("side", ["origin", "destination"])
@pytest.mark.parametrize("way", ["down", "hangs"])
async def test_a_node_that_does_not_tell_of_a_wallet_is_no_fault_of_the_caller(
    crossing: Crossing,
    rpcs: dict[int, EvmRpc],
    slow_node: SlowNode,
    http: HttpClient,
    way: str,
    side: str,
) -> None:
    """Neither is the wallet taken for a contract that is missing there, nor for one that needs no look."""
    slow_node.wait_s = 60.0
    url = "http://127.0.0.1:9" if way == "down" else slow_node.url
    ends = {"sender": crossing.quotes.nobody, "receiver": crossing.quotes.nobody, "receiver_defaulted": True}
    request = crossing.ask("USDC", "USDT", 10**9, **ends)
    request = replace(request, origin=replace(request.origin, diamond=None, executor=None))
    away = request.origin if side == "origin" else request.destination
    codes = ContractChecks({**rpcs, away.id: EvmRpc(url, http, away.key)}, 1.0)
    await put_code(rpcs[crossing.quotes.chain.id], crossing.quotes.nobody, WALLET_CODE)
    objection = await codes.objection(request)
    assert isinstance(objection, AdaptersFailed)
    assert str(objection).startswith(f"{away.name}'s node does not say whether {request.sender} is a contract; try")
    assert await codes.objection(replace(request, receiver_defaulted=False)) is None


async def test_a_node_on_another_chain_shows_nobodys_wallet_over_there(
    crossing: Crossing, rpcs: dict[int, EvmRpc], slow_node: SlowNode, http: HttpClient
) -> None:
    """A contract that it does show stands on another chain than the one where the tokens would arrive."""
    slow_node.has_contracts, slow_node.chain_id = True, 5
    codes = ContractChecks({**rpcs, crossing.other.id: EvmRpc(slow_node.url, http, "sbxb")}, 5.0)
    await put_code(rpcs[crossing.quotes.chain.id], crossing.quotes.nobody, WALLET_CODE)
    receiver = contracts()[0].address
    ends = {"sender": crossing.quotes.nobody, "receiver": receiver, "receiver_defaulted": True}
    request = crossing.ask("USDC", "USDT", 10**9, **ends)
    assert "does not say whether" in str(await codes.objection(request))
    with pytest.raises(NodeUnavailable):
        await codes.receives(request.destination)


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
    quotes = crossing.with_(PayBridge(both(crossing)), composers=composers(crossing, ContractChecks(rpcs, 5.0)))
    await put_code(rpcs[quotes.chain.id], quotes.nobody, here)
    await put_code(rpcs[crossing.other.id], quotes.nobody, there)
    ends = {"sender": quotes.nobody, "receiver": quotes.nobody, "receiver_defaulted": True}
    request = crossing.ask("USDC", "USDT", 10**9, **{**ends, **changes})
    objection = await ContractChecks(rpcs, 5.0).objection(request)
    if not refused:
        assert objection is None
        return
    with pytest.raises(InvalidRequest) as caught:
        await quotes.service.answer(request)
    (fault,) = caught.value.faults
    assert fault.startswith("receiverAddress: the sender is a contract that does not exist on ")
    here_only = await ContractChecks({quotes.chain.id: rpcs[quotes.chain.id]}, 5.0).objection(request)
    assert isinstance(here_only, InvalidRequest), "on a chain without a node nothing is seen"
    same_chain = crossing.quotes.ask("USDC", "WETH", 10**9, **ends)
    assert await ContractChecks(rpcs, 5.0).objection(same_chain) is None


async def test_nothing_is_quoted_from_a_node_on_another_chain(
    crossing: Crossing, rpcs: dict[int, EvmRpc], slow_node: SlowNode, http: HttpClient
) -> None:
    """Also in direct form, where no contract of ours is looked for; a swap there would be another chain's."""
    slow_node.has_contracts, slow_node.chain_id = True, 1
    here = crossing.quotes.chain.id
    codes = ContractChecks({**rpcs, here: EvmRpc(slow_node.url, http, "sbxa")}, 5.0)
    quotes = crossing.with_(PayBridge(both(crossing)), composers=composers(crossing, codes))
    for bought in ("USDT", "ETH"):
        with pytest.raises(AdaptersFailed, match=f"node for Sandbox A is on chain 1, not {here}: its operator must"):
            await quotes.service.answer(crossing.ask("ETH", bought, 10**18))
    assert crossing.kept == []
    request = crossing.ask("ETH", "USDT", 10**18)
    direct = replace(request, origin=replace(request.origin, diamond=None, executor=None))
    assert isinstance(await ContractChecks(codes.rpcs, 5.0).objection(direct), AdaptersFailed)


async def test_a_node_that_changes_its_chain_is_noticed(
    crossing: Crossing, slow_node: SlowNode, http: HttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rhumbline.routing.evm.contract_checks._LOOK_AGAIN_S", -1.0)
    slow_node.has_contracts = True
    codes = ContractChecks({crossing.quotes.chain.id: EvmRpc(slow_node.url, http, "sbxa")}, 5.0)
    request = crossing.ask("USDC", "USDT", 10**9)
    assert await codes.objection(request) is None
    slow_node.chain_id = 5
    assert "is on chain 5, not" in str(await codes.objection(request))
    standing, slow_node.url = slow_node.url, "http://127.0.0.1:9"
    codes.rpcs = {crossing.quotes.chain.id: EvmRpc(slow_node.url, http, "sbxa")}
    assert "is on chain 5, not" in str(await codes.objection(request)), "not better because it is silent"
    codes.rpcs = {crossing.quotes.chain.id: EvmRpc(standing, http, "sbxa")}
    slow_node.chain_id, slow_node.has_contracts = crossing.quotes.chain.id, False
    assert "must deploy it" in str(await codes.objection(request)), "what stood on the chain before may not on this"
    slow_node.has_contracts = True
    assert await codes.objection(request) is None


async def test_of_two_endpoints_the_one_on_another_chain_is_not_quoted_from(
    crossing: Crossing, rpcs: dict[int, EvmRpc], slow_node: SlowNode, http: HttpClient
) -> None:
    """Also where it is asked first, and was right an hour ago."""
    here = crossing.quotes.chain.id
    slow_node.has_contracts = True
    given = [(slow_node.url, EndpointTerms("1", 1)), (rpcs[here].url, EndpointTerms("2", 2))]
    node = evm_endpoints("sbxa", here, given, http)
    codes = ContractChecks({**rpcs, here: node}, 5.0)
    request = crossing.ask("USDC", "USDT", 10**9)
    assert await codes.objection(request) is None
    slow_node.chain_id = 5
    for _, each in node.each():
        assert each.endpoints is not None
        assert each.endpoints.every[0].rpc.identity is not None
        each.endpoints.every[0].rpc.identity.doubt()
    codes = ContractChecks({**rpcs, here: node}, 5.0)
    assert await codes.objection(request) is None
    with reading() as calls:
        assert await node.block_number() > 0
        assert calls.names("sbxa") == ("2",)


async def test_nothing_is_quoted_from_endpoints_that_cannot_be_believed(
    crossing: Crossing, rpcs: dict[int, EvmRpc], slow_node: SlowNode, http: HttpClient
) -> None:
    """What is answered without a run would be 200 otherwise, as where a node is away."""
    here = crossing.quotes.chain.id
    slow_node.has_contracts = True
    node = evm_endpoints("sbxa", here, [(slow_node.url, EndpointTerms("1"))], http)
    codes = ContractChecks({**rpcs, here: node}, 5.0)
    request = crossing.ask("USDC", "USDT", 10**9)
    assert await codes.objection(request) is None
    slow_node.chain_id = 5
    seen = ContractChecks({**rpcs, here: node}, 5.0)
    assert f"is on chain 5, not {here}: its operator must correct chains.rpc" in str(await seen.objection(request))
    two = evm_endpoints("sbxa", here, [(slow_node.url, EndpointTerms(name)) for name in ("1", "2")], http)
    assert two.endpoints is not None
    for each in two.endpoints.every:
        each.set_aside = "contradicts"
    seen = ContractChecks({**rpcs, here: replace(two, endpoints=replace(two.endpoints, comparison=None))}, 5.0)
    why = str(await seen.objection(request))
    assert "cannot be believed (endpoint 1 contradicts; endpoint 2 contradicts): its operator must" in why
