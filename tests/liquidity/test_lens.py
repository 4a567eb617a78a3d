"""The lens reads what Multicall3 reads, in whichever way the node lets it run, and believes no broken answer."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.connection import Reply
from rhumbline.gateways.nodes.evm.multicall import MULTICALL3
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.liquidity import lens
from rhumbline.liquidity.block_reads import Head, read_head
from rhumbline.liquidity.discovery import PoolFinder
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.kinds.v3 import V3Pool
from rhumbline.liquidity.lens import Lens, PoolRead
from rhumbline.liquidity.paths import pairs_on
from rhumbline.liquidity.snapshots import PoolBook, Snapshot
from rhumbline.liquidity.ticks import reach
from tests.adapters.onchain.adapter_fixture import STRANGER, AdapterFixture

Alter = Callable[[dict[str, Any]], None]


def without_overrides(call: dict[str, Any]) -> None:
    """Forget the override, as old nodes do."""
    del call["params"][2:]


def without_either(call: dict[str, Any]) -> None:
    without_overrides(call)
    call["params"][0].setdefault("to", STRANGER)


class Altering(HttpClient):
    """A node that understands calls in its own way. ``calls`` has what was asked of it."""

    def __init__(self, alter: Alter) -> None:
        super().__init__()
        self.alter = alter
        self.calls: list[dict[str, Any]] = []

    async def ask(self, *what: Any, body: bytes | None = None, **more: Any) -> Reply:
        asked = json.loads(body or b"")
        calls = [call for call in (asked if isinstance(asked, list) else [asked]) if call["method"] == "eth_call"]
        for call in calls:
            self.alter(call)
        self.calls += calls
        return await super().ask(*what, body=json.dumps(asked).encode(), **more)


async def every_pool(adapter_fixture: AdapterFixture, rpc: EvmRpc) -> tuple[Head, list[Pool]]:
    tokens = {token.address for symbol, token in adapter_fixture.tokens.items() if symbol != "ETH"}
    head = await read_head(rpc)
    finder = PoolFinder(rpc, adapter_fixture.deployment, lambda: 0.0)
    found = await finder.find(pairs_on((a, b) for a in tokens for b in tokens if a != b))
    return head, [pool for pools in found.values() for pool in pools]


def plain(state: object) -> object:
    return state.state if isinstance(state, V3Pool) else state


@pytest.mark.parametrize(
    ("alter", "last"),
    [(lambda _: None, [lens.PLACE, 3]), (without_overrides, [None, 2]), (without_either, [MULTICALL3, 2])],
    ids=["override", "revert", "Multicall3"],
)
async def test_any_node_tells_the_same(
    adapter_fixture: AdapterFixture, alter: Alter, last: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    head, pools = await every_pool(adapter_fixture, adapter_fixture.rpc)
    old, http = Altering(without_either), Altering(alter)
    async with old, http:
        expected = await PoolBook(
            replace(adapter_fixture.rpc, http=old), adapter_fixture.deployment, lambda: 0.0
        ).states(Snapshot(head), pools)
        book = PoolBook(replace(adapter_fixture.rpc, http=http), adapter_fixture.deployment, lambda: 0.0)
        # Several calls in a request, one pool each.
        monkeypatch.setattr(lens, "GAS_A_CALL", 1)
        snapshot = Snapshot(head)
        states = await book.states(snapshot, pools)
        assert {address: plain(state) for address, state in states.items()} == {
            address: plain(state) for address, state in expected.items()
        }
        assert [http.calls[-1]["params"][0].get("to"), len(http.calls[-1]["params"])] == last
        pool = next(pool for pool in pools if pool.kind is PoolKind.V3)
        live = states[pool.key]
        assert isinstance(live, V3Pool)
        wide = (await book.widen(snapshot, [(pool, live, True)]))[pool.key]
        assert isinstance(wide, V3Pool)
        assert wide.state.first_word < live.state.first_word
        assert wide.state.last_word == live.state.last_word
        assert len(wide.state.ticks) >= len(live.state.ticks)


async def test_a_refused_form_rests_and_what_did_not_change_is_not_made_anew(adapter_fixture: AdapterFixture) -> None:
    now = [0.0]
    http = Altering(without_overrides)
    async with http:
        rpc = replace(adapter_fixture.rpc, http=http)
        head, pools = await every_pool(adapter_fixture, adapter_fixture.rpc)
        wanted = [PoolRead(pool, reach=reach(pool.spacing or 1)) for pool in pools]
        reading = Lens(rpc, adapter_fixture.deployment, lambda: now[0])
        first = await reading.read(head, wanted)
        assert first is not None
        http.calls.clear()
        second = await reading.read(head, wanted)
        assert second is not None
        assert all(second[address] is state for address, state in first.items())
        assert [("to" in call["params"][0]) for call in http.calls] == [False]
        now[0] = lens.TRY_AGAIN_S
        await reading.read(head, wanted)
        assert [("to" in call["params"][0]) for call in http.calls] == [False, True, False]


async def test_an_address_that_is_no_pool_has_no_state(adapter_fixture: AdapterFixture) -> None:
    reading = Lens(adapter_fixture.rpc, adapter_fixture.deployment, lambda: 0.0)
    head, _ = await every_pool(adapter_fixture, adapter_fixture.rpc)
    token = adapter_fixture.tokens["USDC"].address
    for kind, address in ((PoolKind.V2, token), (PoolKind.V3, token), (PoolKind.V3, STRANGER)):
        pool = Pool(kind, address, token, STRANGER, 500, 10)
        assert await reading.read(head, [PoolRead(pool)]) == {address: None}


@pytest.mark.parametrize("change", [lambda data: data[:-1], lambda data: data + b"\0", lambda _: b"", lambda _: b"\1"])
async def test_an_answer_of_another_length_is_not_believed(
    adapter_fixture: AdapterFixture, change: Callable[[bytes], bytes]
) -> None:
    class Broken(Altering):
        async def ask(self, *what: Any, body: bytes | None = None, **more: Any) -> Reply:
            reply = await super().ask(*what, body=body, **more)
            answers = json.loads(reply.body or b"")
            for answer in answers[: len(answers) - 1]:
                if "result" in answer:
                    answer["result"] = "0x" + change(bytes.fromhex(answer["result"][2:])).hex()
                else:
                    answer["error"]["data"] = "0x" + change(bytes.fromhex(answer["error"]["data"][2:])).hex()
            return replace(reply, body=json.dumps(answers).encode())

    head, pools = await every_pool(adapter_fixture, adapter_fixture.rpc)
    async with Broken(lambda _: None) as http:
        reading = Lens(replace(adapter_fixture.rpc, http=http), adapter_fixture.deployment, lambda: 0.0)
        assert await reading.read(head, [PoolRead(pool) for pool in pools]) is None
