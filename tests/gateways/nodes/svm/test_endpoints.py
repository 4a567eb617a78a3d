"""Two endpoints of one Solana chain, before the sandbox's node, of which one lies."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from rhumbline.devnet.svm.chains import RunningSolana, running_solana
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.endpoint import EndpointTerms, Lack, Use
from rhumbline.gateways.nodes.endpoints import SetAside, reading
from rhumbline.gateways.nodes.identity import NodeOnOtherChain
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from rhumbline.gateways.nodes.svm.endpoints import lack_of, svm_endpoints
from rhumbline.gateways.svm.programs import SYSTEM
from tests.gateways.nodes.lying_node import Pair, lying_node, refused, said
from tests.gateways.svm.strategies import KEYS


@pytest.fixture(scope="module")
async def solana() -> AsyncIterator[RunningSolana]:
    async with running_solana(slot_s=None, started=1_800_000_000) as running:
        running.server.chain.advance(100)
        yield running


@pytest.fixture
async def pair(solana: RunningSolana, http: HttpClient) -> AsyncIterator[Callable[..., Any]]:
    async with AsyncExitStack() as stack:

        async def made(genesis: str | None = None) -> Pair:
            first, second = [await stack.enter_async_context(lying_node(solana.server.rpc_url)) for _ in range(2)]
            given = [(first.url, EndpointTerms("1", 1)), (second.url, EndpointTerms("2", 2))]
            found = Pair(first, second, svm_endpoints("sbxs", genesis, given, http))
            slot = await found.rpc.slot()
            time = await found.rpc.count("getBlockTime", [slot])
            found.comparison.unix = lambda: time + 5.0
            found.comparison.now = lambda: 0.0
            await found.comparison.refresh(seldom=False, urgent=True)
            return found

        yield made


async def test_what_one_does_not_answer_the_other_does(pair: Any) -> None:
    both = await pair()
    both.first.status = 503
    assert await both.rpc.account(SYSTEM) is not None
    with reading() as calls:
        blockhash = await both.rpc.latest_blockhash()
        assert await both.rpc.slot_of_validity(blockhash.value) is not None
        assert calls.names("sbxs") == ("2",)


async def test_an_answer_that_is_none_is_asked_for_elsewhere(pair: Any) -> None:
    both = await pair()
    both.first.lie = lambda call, answer: said(answer, []) if call["method"] == "getEpochInfo" else None
    assert (await both.rpc.epoch()).number >= 0


async def test_a_method_that_one_lacks_is_learnt(pair: Any) -> None:
    both = await pair()
    both.first.lie = lambda call, answer: (
        refused(answer, -32601, "Method not found") if call["method"] == "getRecentPrioritizationFees" else None
    )
    for _ in range(3):
        await both.rpc.priority_fees()
    assert both.first.calls.count("getRecentPrioritizationFees") == 1


async def test_history_that_one_does_not_keep_is_read_from_the_other(pair: Any) -> None:
    both = await pair()
    both.first.lie = lambda call, answer: (
        refused(answer, -32011, "Transaction history is not available from this node")
        if call["method"] == "getSignaturesForAddress"
        else None
    )
    assert await both.rpc.of(Use.TRACKING).signatures(KEYS[0]) == ()


async def test_one_of_another_cluster_is_not_asked(pair: Any) -> None:
    both = await pair()
    genesis = await both.rpc.genesis_hash()
    other = await pair(genesis)
    other.first.lie = lambda call, answer: said(answer, KEYS[0]) if call["method"] == "getGenesisHash" else None
    for each in other.comparison.every:
        each.rpc.cluster.doubt()
    assert await other.rpc.slot() > 0
    assert (await other.compared())["1"] == f"is on an unknown cluster (first block {KEYS[0]})"
    other.second.lie = other.first.lie
    for each in other.comparison.every:
        each.rpc.cluster.doubt()
    with pytest.raises(NodeOnOtherChain):
        await other.rpc.slot()
    with pytest.raises(SetAside):
        await other.rpc.slot()


async def test_of_clusters_that_nobody_named_none_is_believed(pair: Any) -> None:
    """Where the settings do not name the first block, endpoints that tell two are not of one chain."""
    both = await pair()
    both.first.lie = lambda call, answer: said(answer, KEYS[0]) if call["method"] == "getGenesisHash" else None
    why = await both.compared()
    assert all("contradicts with equal weight" in str(each) for each in why.values())
    with pytest.raises(NodeUnavailable):
        await both.rpc.slot()


async def test_one_that_is_fifty_slots_behind_is_not_asked(pair: Any) -> None:
    both = await pair()

    def late(call: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any] | None:
        slow = {"getSlot": 50, "getBlockTime": 20}.get(call["method"])
        return None if slow is None else said(answer, max(answer["result"] - slow, 0))

    both.first.lie = late
    why = await both.compared()
    assert why["2"] is None
    assert "s behind" in str(why["1"])


async def test_a_skipped_slot_has_no_time_and_is_no_failure(pair: Any) -> None:
    both = await pair()
    newest = await both.rpc.slot()
    both.first.lie = lambda call, answer: (
        refused(answer, -32009, "Slot was skipped") if call["params"] == [newest] else None
    )
    both.second.lie = lambda call, answer: said(answer, None) if call["params"] == [newest] else None
    assert await both.compared() == {"1": None, "2": None}
    assert not any(each.failing for each in both.comparison.every)


@pytest.mark.parametrize(
    ("code", "lack"),
    [(-32601, Lack.METHOD), (-32011, Lack.OLD_STATE), (-32603, Lack.NOW), (-32002, None), (-32602, None)],
)  # fmt: skip
def test_refusals(code: int, lack: Lack | None) -> None:
    assert lack_of("getTransaction", SvmRpcError(code, "no")) is lack
