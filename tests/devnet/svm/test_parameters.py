"""What a node refuses, and by which code; where it listens, and when no more."""

import json
from base64 import b64encode
from typing import Any

import pytest
from solders.signature import Signature
from yarl import URL

from rhumbline.devnet.svm.chain import SvmChain
from rhumbline.devnet.svm.chain_setup import POOL_PROGRAM, pool_address
from rhumbline.devnet.svm.chains import RunningSolana
from rhumbline.devnet.svm.plans import POOLS
from rhumbline.devnet.svm.server import LARGEST_BODY, MOST_CALLS, PortsTaken, serving
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from tests.devnet.svm.calls import BASE64, FRIEND, fault
from tests.devnet.svm.set_up_chain import STARTED
from tests.raw_calls import posted

BAD_CALLS = [
    ("getFancyHash", [], -32601),
    ("getBalance", [], -32602),
    ("getBalance", ["0x0000000000000000000000000000000000000001"], -32602),
    ("getBalance", ["1" * 31], -32602),
    ("getBalance", [7], -32602),
    ("getBalance", [str(FRIEND), {"commitment": "certain"}], -32602),
    ("getBalance", [str(FRIEND), {"minContextSlot": 2**40}], -32016),
    ("getMultipleAccounts", [[str(FRIEND)] * 101], -32602),
    ("getAccountInfo", [str(POOL_PROGRAM), {"encoding": "hex"}], -32602),
    ("getAccountInfo", [str(pool_address(POOLS[0])), {"encoding": "base58"}], -32600),
    ("getTransaction", [str(Signature.default()), {"commitment": "processed"}], -32602),
    ("getTransaction", ["1" * 64 + "2"], -32602),
    ("getSignaturesForAddress", [str(FRIEND), {"limit": 1001}], -32602),
    ("getSignaturesForAddress", [str(FRIEND), {"limit": 0}], -32602),
    ("getSignatureStatuses", [[str(Signature.default())] * 257], -32602),
    ("sendTransaction", ["AAAA", BASE64], -32602),
    ("sendTransaction", ["not base64!", BASE64], -32602),
    ("sendTransaction", [b64encode(bytes(1233)).decode(), BASE64], -32602),
    ("sendTransaction", ["1" * 10_000], -32602),
    ("simulateTransaction", [b64encode(b"\x01" * 200).decode(), BASE64], -32602),
    ("requestAirdrop", [str(FRIEND), 2**64], -32602),
    ("requestAirdrop", [str(FRIEND), -1], -32602),
    ("requestAirdrop", [str(FRIEND), 1], -32602),
    ("getMinimumBalanceForRentExemption", [True], -32602),
    ("sandbox_advanceSlots", ["1"], -32602),
]


@pytest.mark.parametrize(("method", "params", "code"), BAD_CALLS)
async def test_a_bad_call_gets_the_code_of_nodes(
    lively: RunningSolana, method: str, params: list[Any], code: int
) -> None:
    async with HttpClient() as http:
        node = SvmRpc(lively.server.rpc_url, http)
        got, words = await fault(node, method, *params)
        assert got == code, words


async def test_requests_are_bounded(node: SvmRpc) -> None:
    async def sent(body: str) -> tuple[int, Any]:
        reply = await posted(node.http, node.url, body.encode())
        return reply.status, json.loads(reply.body or b"") if reply.status == 200 else None

    health = {"jsonrpc": "2.0", "id": 1, "method": "getHealth"}
    assert (await sent(json.dumps([health] * 3)))[1] == [{"jsonrpc": "2.0", "result": "ok", "id": 1}] * 3
    for body, code in (
        ("{", -32700), ("[" * 40_000, -32700), ("[]", -32600), ("7", -32600), ("{}", -32600),
        (json.dumps([health] * (MOST_CALLS + 1)), -32600), (json.dumps({**health, "params": {}}), 0),
        (json.dumps({**health, "params": {"a": 1}}), -32602), (json.dumps({**health, "method": 1}), -32600),
    ):  # fmt: skip
        status, answer = await sent(body)
        assert status == 200
        assert answer.get("error", {"code": 0})["code"] == code, answer
    assert (await sent(" " * (LARGEST_BODY + 1)))[0] == 413


async def test_ports_are_a_pair_that_nobody_has(still: RunningSolana) -> None:
    url = URL(still.server.rpc_url)
    assert url.port is not None
    assert URL(still.server.ws_url).port == url.port + 1
    for taken in (url.port, url.port - 1):
        with pytest.raises(PortsTaken, match="is taken"):
            async with serving(SvmChain(STARTED), taken):
                pass


async def test_what_goes_wrong_inside_is_raised_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        async with serving(SvmChain(STARTED)):
            raise ZeroDivisionError


async def test_nothing_listens_afterwards(http: HttpClient) -> None:
    async with serving(SvmChain(STARTED)) as server:
        url = server.rpc_url
    with pytest.raises(NodeUnavailable):
        await SvmRpc(url, http).slot()
