"""Records under a flood of the largest transactions that strangers can have executed, and what it does to the process.

`STRANGERS=300 .venv/bin/pytest -s tests/tracking/svm/test_stranger_flood.py` sends as many in a minute, and holds the
process and the records to their times too. Each has 4,096 bytes, and the node tells of 62 calls of 10,240 bytes in it.
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from statistics import quantiles
from typing import Any

import pytest
import structlog
from aiohttp import web
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.devnet.hosts import hosted
from rhumbline.devnet.svm.chains import running_solana
from rhumbline.domain.clock import system_clock
from rhumbline.domain.metrics import NoMetrics
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.svm.messages import LARGEST_V1, compile_v0, signature_of
from rhumbline.tracking.svm.indexer import SvmIndexer
from rhumbline.tracking.svm.read_budget import ReadBudget
from tests.gateways.svm.versions import signed_v1
from tests.raw_calls import posted
from tests.tracking.conftest import kept, service_keys
from tests.tracking.node import PASS, Node
from tests.tracking.svm.conftest import catch_up, keep, through
from tests.tracking.svm.solana_orders import KNOWN, SENDER, SOLANA, STRANGER, USER, Order, SolanaOrders, dust, signed

STRANGERS = int(os.environ.get("STRANGERS", "12"))
AT_SCALE = "STRANGERS" in os.environ
A_MINUTE = 300 if AT_SCALE else 1_200
AN_ORDER_EACH = 6
_log = structlog.stdlib.get_logger(__name__)
LOOKED_S, TICK_S = 0.5, 0.005
CALL = {"programIdIndex": 1, "accounts": [0] * 200, "data": "z" * 13_984, "stackHeight": 2}
INNER = json.dumps([{"index": 0, "instructions": [CALL] * 62}])


@asynccontextmanager
async def inflating(upstream: str, http: HttpClient, large: set[str]) -> AsyncIterator[str]:
    """A node that tells of the calls in the strangers' transactions; no program of the sandbox makes so many."""

    async def handle(request: web.Request) -> web.Response:
        body = await request.read()
        asked = json.loads(body)
        answers = json.loads((await posted(http, upstream, body)).body or b"")
        calls = zip(*([asked], [answers]) if isinstance(asked, dict) else (asked, answers), strict=True)
        text = json.dumps(answers)
        for call, answer in calls:
            if call["method"] == "getTransaction" and call["params"][0] in large:
                assert answer["result"]["meta"]["innerInstructions"] == []
                told = json.dumps(answer)
                text = text.replace(told, told.replace('"innerInstructions": []', f'"innerInstructions": {INNER}'))
        return web.Response(text=text, content_type="application/json")

    app = web.Application()
    app.router.add_post("/", handle)
    async with hosted(app) as url:
        yield url


def largest(number: int, blockhash: str) -> bytes:
    """A stranger's transfer of a little to itself, with as many bytes behind it as fit."""
    call = dust(number)
    return signed_v1(STRANGER, [replace(call, data=call.data + bytes(3_875))], blockhash)


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    for _ in range(2_000):
        if await holds():
            return
        await asyncio.sleep(0.05)
    pytest.fail("it does not come")


async def test_a_flood_of_the_largest_delays_nobody(http: HttpClient, store_engine: AsyncEngine) -> None:
    loop, noted, large, delays, late = asyncio.get_running_loop(), Noted(), set[str](), list[float](), list[float]()
    sent: dict[str, Order] = {}
    tasks: list[asyncio.Task[None]] = []
    ended = asyncio.Event()

    async def tick() -> None:
        """What a request that comes now waits until its turn."""
        while not ended.is_set():
            begun = loop.time()
            await asyncio.sleep(TICK_S)
            delays.append(loop.time() - begun - TICK_S)

    async def follow(following: SvmIndexer) -> None:
        while not ended.is_set():
            if not await following.step():
                await asyncio.sleep(LOOKED_S)

    async def recorded(rpc: SvmRpc, signature: str) -> None:
        async def is_confirmed() -> bool:
            [status] = await rpc.statuses([signature])
            return status is not None and status.commitment != "processed"

        async def is_kept() -> bool:
            return signature in {record.origin_tx_hash for record in await kept(store_engine)}

        await until(is_confirmed)
        begun = loop.time()
        await until(is_kept)
        late.append(loop.time() - begun)

    async def all_passed() -> bool:
        return noted.passed.get("stranger", 0) >= STRANGERS

    async with running_solana() as running, inflating(running.server.rpc_url, http, large) as url:
        chain = running.server.chain
        solana = SolanaOrders(SvmRpc(running.server.rpc_url, http, "sbxs"), chain)
        following = SvmIndexer(
            SOLANA, replace(solana.rpc, url=url), store_engine, service_keys, system_clock, KNOWN, noted
        )
        tasks = [asyncio.create_task(follow(following)), asyncio.create_task(tick())]
        for number in range(STRANGERS):
            raw = largest(number + 1, str(chain.blockhash()))
            assert len(raw) == LARGEST_V1
            signature = signature_of(raw)
            large.add(signature)
            assert await solana.rpc.send(raw, preflight=False) == signature
            if number % AN_ORDER_EACH == 0:
                order = solana.swap(number)
                await keep(store_engine, order)
                message = compile_v0(SENDER, order.calls, [], str(chain.blockhash()))
                signature = await solana.rpc.send(signed(message, USER), preflight=False)
                sent[signature] = order
                tasks.append(asyncio.create_task(recorded(solana.rpc, signature)))
            await asyncio.sleep(60 / A_MINUTE)
        await asyncio.gather(*tasks[2:])
        await until(all_passed)
        ended.set()
        await asyncio.gather(*tasks)
    found = await kept(store_engine)
    assert sorted(record.origin_tx_hash for record in found) == sorted(sent)
    assert noted.passed == {"stranger": STRANGERS}
    p99 = quantiles(delays, n=100)[-1]
    figures = {"p99_ms": round(1000 * p99, 1), "most_ms": round(1000 * max(delays), 1), "late_s": round(max(late), 2)}
    _log.info("flood", strangers=STRANGERS, records=len(sent), **figures)
    if AT_SCALE:
        assert p99 < 0.05
        assert max(late) < 5


FINAL = 32


@dataclass
class Noted(NoMetrics):
    """Metrics that keep what was passed over."""

    passed: dict[str, int] = field(default_factory=dict)

    def passed_over(self, chain: str, why: str, count: int, /) -> None:
        if count:
            self.passed[why] = self.passed.get(why, 0) + count


def chain_indexer(solana: SolanaOrders, engine: AsyncEngine, rpc: SvmRpc, metrics: Noted) -> SvmIndexer:
    return SvmIndexer(SOLANA, rpc, engine, service_keys, solana.clock, KNOWN, metrics, ReadBudget(10**6))


async def test_a_strangers_copy_of_an_id_is_passed_over(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    """The tracking instruction of an order of somebody else's, and nothing that was handed out."""
    order, noted = solana.swap(), Noted()
    await keep(store_engine, order)
    tracking = order.calls[-1]
    theirs = replace(
        tracking, accounts=tuple(replace(each, address=str(STRANGER.pubkey())) if each.signer or each.writable else each
                                 for each in tracking.accounts),
    )  # fmt: skip
    await solana.send(theirs, signers=(STRANGER,))
    await solana.send(tracking)
    await catch_up(chain_indexer(solana, store_engine, solana.rpc, noted))
    assert await kept(store_engine) == []
    assert noted.passed == {"stranger": 2}


async def test_strangers_memos_do_not_keep_pages_from_being_read(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    """A node tells their memos in each page: with a thousand of the largest it has 24 MB, and is not let in."""
    order = solana.swap()
    await keep(store_engine, order)
    signature = await solana.send(*order.calls)
    solana.chain.advance(FINAL)
    large = {"signature": signature, "slot": 5, "err": None, "memo": "\x01" * 4_000}

    def crowded(method: str, params: list[Any]) -> object:
        limit = params[1]["limit"] if method == "getSignaturesForAddress" else 0
        return {"result": [large] * limit} if limit > 500 else PASS

    between.answer = crowded
    await catch_up(chain_indexer(solana, store_engine, through(between, solana), Noted()))
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [signature]
