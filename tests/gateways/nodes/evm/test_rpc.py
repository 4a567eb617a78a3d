"""Whatever a node answers is a result, the node's refusal, or no answer; and its words can be shown."""

import gzip
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import MAX_ANSWER_BYTES, EvmRpc, RpcError
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


@pytest.mark.parametrize(
    ("ask", "body", "said"),
    [
        (one, b"[" * 100_000, "is not JSON"),
        (one, b'{"result":' * 100_000, "is not JSON"),
        (two, b"[" * 100_000, "is not JSON"),
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
    assert ask is two or "asks to be left alone" in str(caught.value)


async def test_answers_in_any_order_beside_what_is_none() -> None:
    async with node(b'[{"id":1,"result":"0x2"},{"id":[]},null,{"id":0,"result":"0x1"}]') as rpc:
        assert await two(rpc) == ["0x1", "0x2"]


@pytest.mark.parametrize("packed", [False, True])
async def test_an_answer_that_is_too_large(packed: bool) -> None:
    body = b'{"result":["' + b'","'.join([b"0" * 4095] * 8192) + b'"]}'
    assert len(body) > MAX_ANSWER_BYTES
    content = (gzip.compress(body, 1), b"content-encoding: gzip") if packed else (body,)
    async with node(*content) as rpc:
        with pytest.raises(NodeUnavailable, match="larger than 33554432 bytes"):
            await one(rpc)


async def test_the_largest_block_that_there_can_be_is_read() -> None:
    """8 MiB of transactions (EIP-7934), of 128 KB each as nodes take them, in hex and with all that is said of each."""
    body = b'{"result":["' + b'","'.join([b"0" * (2 * 128 * 1024 + 4096)] * 64) + b'"]}'
    async with node(body) as rpc:
        assert isinstance(await one(rpc), list)


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
