"""Whatever a node answers is a result, the node's refusal, or no answer; and its words can be shown."""

import gzip
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import process_time
from typing import Any

import pytest

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError
from rhumbline.gateways.nodes.json_rpc import AnswerTooLarge
from tests.gateways.http.rogue import rogue, says, whole

KEY = "0123456789abcdef"
Ask = Callable[[EvmRpc], Awaitable[object]]


@asynccontextmanager
async def node(body: bytes, *headers: bytes) -> AsyncIterator[EvmRpc]:
    """A node that answers so."""
    async with rogue(says(whole(body, *headers))) as server, HttpClient() as http:
        yield EvmRpc(f"{server.url}/v2/{KEY}", http, "sea", 20.0)


async def one(rpc: EvmRpc) -> object:
    return await rpc.call("eth_chainId")


async def two(rpc: EvmRpc) -> object:
    return await rpc.batch([("eth_chainId", []), ("eth_blockNumber", [])])


async def whole_block(rpc: EvmRpc) -> Any:
    return await rpc.call("eth_getBlockByNumber", ["latest", True])


@pytest.mark.parametrize(
    ("ask", "body", "said"),
    [
        (one, b"[" * 900, "is not JSON"),
        (one, b'{"result":' * 900, "is not JSON"),
        (two, b"[" * 1_900, "is not JSON"),
        (one, b"[" * 100_000, "more than 1000 values"),
        (whole_block, b"[" * 100_000, "is not JSON"),
        (one, b'{"id":0,"result":' + b"9" * 5000 + b"}", "is not JSON"),
        (one, b'{"id":0,"result":"\xff"}', "is not JSON"),
        (one, b"[]", "is not JSON-RPC"),
        (two, b"{}", "answered a batch with something else"),
        (two, b'[{"id":[],"result":"0x1"},{"id":{},"result":"0x1"}]', "is not JSON-RPC"),
        (two, b'[{"id":false,"result":"0x1"},{"id":true,"result":"0x1"}]', "is not JSON-RPC"),
        (two, b'[{"id":0.0,"result":"0x1"},{"id":1.0,"result":"0x1"}]', "is not JSON-RPC"),
        (two, b'[{"result":"0x1"},{"result":"0x1"}]', "is not JSON-RPC"),
        (two, b'[{"id":0,"result":"0x1"}]', "is not JSON-RPC"),
    ],
)
async def test_what_is_no_answer(ask: Ask, body: bytes, said: str) -> None:
    async with node(body) as rpc:
        with pytest.raises(NodeUnavailable, match=said):
            await ask(rpc)


@pytest.mark.parametrize("ask", [one, two])
@pytest.mark.parametrize("status", [200, 429, 502, 503, 504])
async def test_a_gateway_that_wants_to_be_left_alone_refuses_no_call(ask: Ask, status: int) -> None:
    """Whatever its body says: what was asked may be right, and is answered another time."""
    body = b'{"id":0,"error":{"code":429,"message":"too many requests, see https://sea.example/plans"}}'
    head = b"HTTP/1.1 %d No\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % (status, len(body))
    async with rogue(says(head + body)) as server, HttpClient() as http:
        with pytest.raises(NodeUnavailable) as caught:
            await ask(EvmRpc(f"{server.url}/v2/{KEY}", http, "sea", 20.0))
    assert "sea.example" not in str(caught.value)
    assert ask is two or "limits our rate" in str(caught.value)


async def test_answers_in_any_order_beside_what_is_none() -> None:
    async with node(b'[{"id":1,"result":"0x2"},{"id":[]},null,{"id":0,"result":"0x1"}]') as rpc:
        assert await two(rpc) == ["0x1", "0x2"]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(("ask", "bound"), [(one, 1), (two, 2), (whole_block, 32)])
async def test_an_answer_that_is_too_large(ask: Ask, bound: int, packed: bool) -> None:
    """A chain's ID is not awaited for as long as a block: how much is let in goes by the method."""
    body = b'{"result":["' + b'","'.join([b"0" * 4095] * (bound * 256)) + b'"]}'
    assert len(body) > bound * 2**20
    content = (gzip.compress(body, 1), b"content-encoding: gzip") if packed else (body,)
    async with node(*content) as rpc:
        with pytest.raises(AnswerTooLarge, match=f"larger than {bound * 2**20} bytes"):
            await ask(rpc)


@pytest.mark.parametrize("value", [b"{}", b"[]", b"0", b'{"a":[]}'])
@pytest.mark.parametrize(("ask", "bound"), [(one, 1), (two, 2), (whole_block, 32)])
async def test_many_small_values_hold_up_nobody(ask: Ask, bound: int, value: bytes) -> None:
    """Thirty megabytes of them took from one to thirty seconds, in which every chain stood still."""
    size = bound * 2**20 - 100
    async with node(b'{"result":[' + b",".join([value] * (size // (len(value) + 1))) + b"]}") as rpc:
        began = process_time()
        with pytest.raises(AnswerTooLarge, match="values"):
            await ask(rpc)
    assert process_time() - began < 1


async def test_a_block_of_twenty_thousand_transactions_is_read() -> None:
    sent = b'{"accessList":[],"input":"0x","from":"0x","hash":"0x' + b'","v":"0x'.join([b"1"] * 20) + b'"}'
    async with node(b'{"result":{"transactions":[' + b",".join([sent] * 20_000) + b"]}}") as rpc:
        assert len((await whole_block(rpc))["transactions"]) == 20_000


async def test_the_largest_block_that_there_can_be_is_read() -> None:
    """8 MiB of transactions (EIP-7934), of 128 KB each as nodes take them, in hex and with all that is said of each."""
    body = b'{"result":["' + b'","'.join([b"0" * (2 * 128 * 1024 + 4096)] * 64) + b'"]}'
    async with node(body) as rpc:
        assert isinstance(await whole_block(rpc), list)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("execution reverted", "execution reverted"),
        ("a\u2028b\x00\x1b[31mc\u202e\nd", "a b  [31mc  d"),
        ("\u202e", "no message"),
        ("", "no message"),
        (None, "no message"),
        ({"a": [[]]}, "no message"),
        ("a" * 1_000_000, "a" * 500),
        (KEY + " " + "é" * 600, "… " + "é" * 498),
        ((KEY + "!") * 1000, "…!" * 250),
        # What the cut leaves of a key is not shown either.
        ("https://" + "a" * 8170 + " " + KEY, "no message"),
    ],
)
async def test_words_that_are_shown(message: object, shown: str) -> None:
    async with node(json.dumps({"error": {"code": 3, "message": message}}).encode()) as rpc:
        with pytest.raises(RpcError) as caught:
            await one(rpc)
    assert (caught.value.code, caught.value.message, str(caught.value)) == (3, shown, shown)
