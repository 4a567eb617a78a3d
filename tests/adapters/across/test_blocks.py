"""The search for events is bounded, whatever the node permits."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import pytest
from aiohttp import web
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rhumbline.adapters.across.adapter import AcrossAdapter
from rhumbline.adapters.across.blocks import (
    LARGEST_PAGE,
    MOST_PAGES,
    PROBES,
    Block,
    confirmed_head,
    find_log,
    first_block_at,
    read_block,
)
from rhumbline.devnet.hosts import hosted
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.upstreams.upstream import open_upstream
from tests.adapters.across.bridge_fixture import BridgeFixture
from tests.adapters.exchanges.recorded import recorded_upstream
from tests.raw_calls import passed_on

Rule = Callable[[dict[str, Any]], bool]


@dataclass
class Operator:
    """Somebody's node in front of a real one: it refuses what its rule says, and counts what it is asked."""

    behind: EvmRpc
    refuses: Rule
    asked: list[dict[str, Any]] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        body = json.loads(await request.read())
        calls = body if isinstance(body, list) else [body]
        self.asked += calls
        refused = [call for call in calls if self.refuses(call)]
        if refused:
            error = {"code": -32005, "message": "query returned more than is permitted"}
            said = [{"jsonrpc": "2.0", "id": call["id"], "error": error} for call in calls]
            return web.json_response(said if isinstance(body, list) else said[0])
        return web.json_response(await passed_on(self.behind.http, self.behind.url, body))

    def count(self, method: str) -> int:
        return sum(call["method"] == method for call in self.asked)


@asynccontextmanager
async def operated(behind: EvmRpc, refuses: Rule) -> AsyncIterator[tuple[Operator, EvmRpc]]:
    operator = Operator(behind, refuses)
    app = web.Application()
    app.router.add_post("/", operator.answer)
    async with hosted(app) as url, HttpClient() as client:
        yield operator, EvmRpc(url, client, behind.name)


def logs_beyond(blocks: int) -> Rule:
    def refuses(call: dict[str, Any]) -> bool:
        if call["method"] != "eth_getLogs":
            return False
        query = call["params"][0]
        return int(query["toBlock"], 16) - int(query["fromBlock"], 16) >= blocks

    return refuses


def with_node(bridge_fixture: BridgeFixture, chain: str, rpc: EvmRpc) -> Any:
    return bridge_fixture.with_parts(rpcs={**bridge_fixture.adapter.context.rpcs, bridge_fixture.chains[chain].id: rpc})


async def mine(rpc: EvmRpc, blocks: int, seconds: int) -> None:
    await rpc.call("anvil_mine", [hex(blocks), hex(seconds)])


async def test_a_time_is_found_among_blocks_of_any_pace(bridge_fixture: BridgeFixture) -> None:
    rpc = bridge_fixture.rpcs["sbxb"]
    for blocks, seconds in ((70, 12), (1, 4000), (150, 1), (40, 0), (3, 700)):
        await mine(rpc, blocks, seconds)
    head = await read_block(rpc, "latest")
    answers: Any = await rpc.batch([("eth_getBlockByNumber", [hex(n), False]) for n in range(head.number + 1)])
    times = [int(block["timestamp"], 16) for block in answers]
    tried = sorted({*times, *(each + 1 for each in times)})
    for time in (0, *tried[::9], *tried[-3:], times[-1] + 10**6):
        wanted = next((number for number, each in enumerate(times) if each >= time), head.number)
        assert await first_block_at(rpc, time, head) == wanted


async def test_blocks_that_a_node_has_let_go_of_are_not_needed(bridge_fixture: BridgeFixture) -> None:
    rpc = bridge_fixture.rpcs["sbxb"]
    await mine(rpc, 300, 1)
    head = await read_block(rpc, "latest")

    def old(call: dict[str, Any]) -> bool:
        return call["method"] == "eth_getBlockByNumber" and int(call["params"][0], 16) < head.number - 260

    async with operated(rpc, old) as (_, node):
        found = await first_block_at(node, head.time - 100, head)
        assert (await read_block(rpc, found - 1)).time < head.time - 100 <= (await read_block(rpc, found)).time
        with pytest.raises(NodeUnavailable, match="refuses"):
            await first_block_at(node, head.time - 290, head)


async def test_it_takes_few_requests(bridge_fixture: BridgeFixture) -> None:
    rpc = bridge_fixture.rpcs["sbxb"]
    await mine(rpc, 300, 1)
    head = await read_block(rpc, "latest")
    async with operated(rpc, lambda _: False) as (operator, node):
        await first_block_at(node, head.time - 177, head)
    # A leap, then 32 for each factor of 32.
    assert operator.count("eth_getBlockByNumber") <= 1 + 2 * (PROBES + 1)


async def test_the_confirmed_head(bridge_fixture: BridgeFixture) -> None:
    rpc = bridge_fixture.rpcs["sbxb"]
    head = await read_block(rpc, "latest")
    assert await confirmed_head(rpc, 0) == head
    assert (await confirmed_head(rpc, 5)).number == head.number - 5
    assert (await confirmed_head(rpc, 10**9)).number == 0
    with pytest.raises(NodeUnavailable):
        await read_block(rpc, head.number + 1000)


@pytest.mark.parametrize("permitted", [10, 100, 10**9])
async def test_a_fill_is_found_in_the_pages_that_a_node_permits(bridge_fixture: BridgeFixture, permitted: int) -> None:
    transfer, relay = await bridge_fixture.deposited()
    await mine(bridge_fixture.rpcs["sbxb"], 60, 1)
    filled_by = await bridge_fixture.fill(relay)
    await mine(bridge_fixture.rpcs["sbxb"], 90, 1)
    async with operated(bridge_fixture.rpcs["sbxb"], logs_beyond(permitted)) as (operator, node):
        status = await with_node(bridge_fixture, "sbxb", node).status(transfer)
    assert (status.state, status.destination_tx_hash) == (TransferState.SUCCESS, filled_by)
    assert operator.count("eth_getLogs") <= MOST_PAGES
    first = min(int(call["params"][0]["fromBlock"], 16) for call in operator.asked if call["method"] == "eth_getLogs")
    deposit = await _block_of(bridge_fixture, transfer.tx_hash)
    begin = await read_block(bridge_fixture.rpcs["sbxb"], first)
    assert begin.time >= deposit.time - 600


async def _block_of(bridge_fixture: BridgeFixture, tx_hash: str) -> Block:
    rpc = bridge_fixture.rpcs["sbxa"]
    receipt: Any = await rpc.call("eth_getTransactionReceipt", [tx_hash])
    return await read_block(rpc, int(receipt["blockNumber"], 16))


async def test_a_node_without_logs_leaves_the_transaction_to_the_api(bridge_fixture: BridgeFixture) -> None:
    """That it was filled is proved by the pool's state; where, the API says, and its receipt is read."""
    transfer, relay = await bridge_fixture.deposited()
    filled_by = await bridge_fixture.fill(relay)
    async with operated(bridge_fixture.rpcs["sbxb"], logs_beyond(0)) as (_, node):
        adapter = with_node(bridge_fixture, "sbxb", node)
        status = await adapter.status(transfer)
        assert (status.state, status.source) == (TransferState.SUCCESS, StatusSource.ANALYTICS)
        assert (status.destination_tx_hash, status.output_amount) == (filled_by, relay.output_amount)
        for failure in ("unexpected", "deposit_not_found"):
            bridge_fixture.emulator.behaviour.failure = failure
            status = await adapter.status(transfer)
            assert (status.state, status.source) == (TransferState.SUCCESS, StatusSource.ANALYTICS)
            # Filled is sure, by whom and with how much is not.
            assert (status.destination_tx_hash, status.output_amount) == (None, None)


async def test_what_the_api_hints_at_has_to_be_the_fill(bridge_fixture: BridgeFixture) -> None:
    """The API names a transaction; what counts is what the pool logged in it."""
    transfer, relay = await bridge_fixture.deposited()
    thief = await bridge_fixture.stranger()
    forged = await bridge_fixture.fill(
        replace(relay, output_amount=0, exclusivity=0, exclusive_relayer=bytes(32)), thief
    )
    await bridge_fixture.fill(relay)
    async with operated(bridge_fixture.rpcs["sbxb"], logs_beyond(0)) as (_, node):
        adapter = with_node(bridge_fixture, "sbxb", node)
        async with recorded_upstream() as api:
            answer = {
                "status": "filled",
                "originChainId": relay.origin,
                "depositId": str(relay.number),
                "depositTxnRef": transfer.tx_hash,
                "fillTxnRef": forged,
            }
            api.says("/deposit/status", answer)
            async with open_upstream("ACROSS", api.url) as upstream:
                status = await AcrossAdapter(replace(adapter.context, http=upstream)).status(transfer)
    assert (status.state, status.destination_tx_hash) == (TransferState.SUCCESS, None)


async def test_a_node_that_cannot_tell_leaves_it_to_the_api(bridge_fixture: BridgeFixture) -> None:
    transfer, relay = await bridge_fixture.deposited()
    filled_by = await bridge_fixture.fill(relay)
    async with operated(bridge_fixture.rpcs["sbxb"], lambda call: call["method"] == "eth_call") as (
        _,
        node,
    ):
        status = await with_node(bridge_fixture, "sbxb", node).status(transfer)
    assert (status.state, status.source) == (TransferState.SUCCESS, StatusSource.BRIDGE_API)
    assert status.destination_tx_hash == filled_by


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(1, 4 * LARGEST_PAGE), st.integers(0, 10**12))
async def test_a_search_ends(span: int, begin: int) -> None:
    """However long the stretch and however little is permitted, the number of requests is bounded."""
    pages: list[tuple[int, int]] = []

    class Node(EvmRpc):
        async def call(self, method: str, params: Any = (), timeout_s: float | None = None) -> object:
            query = params[0]
            pages.append((int(query["fromBlock"], 16), int(query["toBlock"], 16)))
            return []

    async with HttpClient() as client:
        node = Node("http://127.0.0.1:9", client)
        assert await find_log(node, "0x", [], begin, begin + span - 1, lambda log: log) is None
    assert len(pages) <= MOST_PAGES
    # Every block is looked at once, in order.
    assert pages[0][0] == begin
    assert pages[-1][1] == begin + span - 1
    assert all(after[0] == before[1] + 1 for before, after in pairwise(pages))


async def test_a_log_of_another_contract_is_not_wanted(bridge_fixture: BridgeFixture) -> None:
    """A node that does not filter as it was asked proves nothing."""
    rpc = bridge_fixture.rpcs["sbxb"]
    pool, token = bridge_fixture.pool, bridge_fixture.token("sbxb", "USDC")
    _, relay = await bridge_fixture.deposited()
    await bridge_fixture.fill(relay)
    head = await rpc.block_number()
    answers = {address: await rpc.call("eth_getLogs", [_all(address, head)]) for address in (pool, token)}

    class Careless(EvmRpc):
        async def call(self, method: str, params: Any = (), timeout_s: float | None = None) -> object:
            return answers[token]

    assert await find_log(rpc, pool, [], 0, head, lambda log: log.address) == pool
    assert answers[token]
    assert await find_log(Careless(rpc.url, rpc.http), pool, [], 0, head, lambda log: log.address) is None


def _all(address: str, head: int) -> dict[str, object]:
    return {"address": address, "fromBlock": "0x0", "toBlock": hex(head)}
