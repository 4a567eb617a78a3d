"""Several calls go in one request where a node takes that; one that does not costs nothing but the first try."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from rhumbline.devnet.hosts import hosted
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.endpoint import EndpointTerms
from rhumbline.gateways.nodes.json_rpc import AnswerTooLarge, UnexpectedAnswer
from rhumbline.gateways.nodes.svm import batches
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from rhumbline.gateways.nodes.svm.endpoints import svm_endpoints
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.transactions import LARGEST_ANSWER, FetchedTransaction
from tests.gateways.nodes.svm.test_rpc import EXECUTED, OTHER, SIGNATURE
from tests.gateways.svm.strategies import KEYS

FOUND = EXECUTED["with_inner_calls"]
NO_BATCHES = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "batches are not for your plan"}}
Answer = Callable[[list[Any]], object]


def one(call: dict[str, Any], **more: Any) -> dict[str, Any]:
    if call["method"] != "getTransaction":
        return {"id": 0, "result": KEYS[0] if call["method"] == "getGenesisHash" else 5}
    answer = {"result": FOUND if call["params"][0] == SIGNATURE else None, **more}
    return {"jsonrpc": "2.0", "id": call["id"], **answer}


def each(calls: list[Any]) -> object:
    return [one(call) for call in reversed(calls)]


@asynccontextmanager
async def node(answer: Answer, alone: Callable[[dict[str, Any]], object] = one) -> AsyncIterator[tuple[str, list[int]]]:
    """A node that answers batches so, and calls by themselves; the numbers of calls of its requests, 0 for none."""
    asked: list[int] = []

    async def handle(request: web.Request) -> web.Response:
        body = json.loads(await request.text())
        asked.append(len(body) if isinstance(body, list) else 0)
        said = answer(body) if isinstance(body, list) else alone(body)
        return said if isinstance(said, web.Response) else web.json_response(said)

    app = web.Application()
    app.router.add_post("/", handle)
    async with hosted(app) as url:
        yield f"{url}/", asked


async def test_calls_go_together_and_answers_come_in_any_order() -> None:
    async with node(each) as (url, asked), HttpClient() as http:
        found = await SvmRpc(url, http, "sea").fetch_several([OTHER, SIGNATURE, OTHER])
    assert asked == [3]
    assert [isinstance(said, FetchedTransaction) and said.signature for said in found] == [False, SIGNATURE, False]


@pytest.mark.parametrize(
    "refusal",
    [
        lambda _: NO_BATCHES,
        lambda _: web.Response(status=400, text="<h1>no</h1>"),
        lambda _: web.Response(status=413, text=""),
        lambda _: web.json_response({"jsonrpc": "2.0", "id": 0, "result": None}),
        lambda calls: [NO_BATCHES | {"id": call["id"]} for call in calls],
        lambda _: [5],
    ],
)
async def test_a_node_without_batches_is_asked_for_one_at_a_time_from_then_on(refusal: Answer) -> None:
    async with node(refusal) as (url, asked), HttpClient() as http:
        rpc = SvmRpc(url, http, "sea")
        for _ in range(2):
            first, second = await rpc.fetch_several([SIGNATURE, OTHER])
            assert isinstance(first, FetchedTransaction)
            assert second is None
    assert asked == [2, 0, 0, 0, 0]


async def test_what_is_refused_singly_too_says_nothing_of_batches() -> None:
    def refused(call: dict[str, Any]) -> dict[str, Any]:
        return {"id": call["id"], "error": {"code": -32015, "message": "too new"}}

    async with node(lambda calls: [refused(call) for call in calls], refused) as (url, asked), HttpClient() as http:
        rpc = SvmRpc(url, http, "sea")
        for _ in range(2):
            found = await rpc.fetch_several([SIGNATURE, OTHER])
            assert [said.code for said in found if isinstance(said, SvmRpcError)] == [-32015, -32015]
    assert asked == [2, 0, 0] * 2


async def test_a_batch_that_is_too_large_is_asked_for_one_at_a_time_that_once() -> None:
    large = LARGEST_ANSWER * batches._TIMES_ONE
    async with (
        node(lambda calls: [one(call, more="0" * large) for call in calls]) as (url, asked),
        HttpClient() as http,
    ):
        rpc = SvmRpc(url, http, "sea")
        for _ in range(2):
            assert isinstance((await rpc.fetch_several([SIGNATURE, OTHER]))[0], FetchedTransaction)
    assert asked == [2, 0, 0] * 2


async def test_each_answer_of_a_batch_stands_for_itself() -> None:
    """One is refused, one too large, one another's, one not there at all."""
    said: dict[int, dict[str, Any]] = {
        1: {"error": {"code": -32015, "message": "too new"}},
        2: {"result": None, "more": "0" * LARGEST_ANSWER},
        3: {"result": FOUND},
    }

    def answer(calls: list[Any]) -> object:
        return [one(calls[0]), *({"id": number, **each} for number, each in said.items()), {"id": "x"} | said[1]][:4]

    async with node(answer) as (url, _), HttpClient() as http:
        found = await SvmRpc(url, http, "sea").fetch_several([SIGNATURE, *[OTHER] * 4])
    kinds = [FetchedTransaction, SvmRpcError, AnswerTooLarge, UnexpectedAnswer, NodeUnavailable]
    assert [type(each) for each in found] == kinds


BUSY: dict[str, Any] = {"error": {"code": -32005, "message": "behind"}}


@pytest.mark.parametrize(
    "silent",
    [
        lambda _: web.Response(status=503),
        lambda _: {"id": None, **BUSY},
        lambda calls: [{"id": call["id"], **BUSY} for call in calls],
        lambda calls: [{"id": 0, **BUSY}, one(calls[1])],
    ],
)
async def test_what_one_endpoint_does_not_answer_now_another_does(silent: Answer) -> None:
    async with node(silent) as (first, asked), node(each) as (second, _), HttpClient() as http:
        given = [(first, EndpointTerms("1")), (second, EndpointTerms("2", 1))]
        found = await svm_endpoints("sea", None, given, http).fetch_several([SIGNATURE, OTHER])
    assert isinstance(found[0], FetchedTransaction)
    assert asked.count(2) == 1
