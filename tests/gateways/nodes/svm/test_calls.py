"""Whatever a node answers is read, refused by the node, or no answer; and its words can be shown."""

import asyncio
import gzip
import json
from base64 import b64decode
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.json_rpc import AnswerTooLarge, UnexpectedAnswer
from rhumbline.gateways.nodes.svm.blocks import is_absent
from rhumbline.gateways.nodes.svm.calls import MAX_ANSWER_BYTES, SvmRpcError
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.transaction_error import TransactionError, Variant, read_error
from tests.gateways.http.rogue import rogue, says
from tests.gateways.nodes.svm.node import KEY, node, result, saying
from tests.gateways.nodes.svm.test_rpc import EXECUTED, OTHER, SIGNATURE, account_json, at
from tests.gateways.svm.strategies import KEYS

Ask = Callable[[SvmRpc], Awaitable[object]]
ACCOUNT = account_json(1, KEYS[1], b"")
SIGNED = b64decode(EXECUTED["with_inner_calls"]["transaction"][0])


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b'{"id":0,"result":' + b"9" * 5000 + b"}", "something else"),
        (b'{"id":0,"result":"\xff"}', "something else"),
        (b'{"id":0,"result":[' + b"{}," * 80_000 + b"{}]}", "something else"),
        (b'{"id":0,"result":NaN}', "is not JSON"),
        (b'{"error":{"code":1,"message":"\\ud800"}}', "is not JSON"),
        (b"[]", "is not JSON-RPC"),
        (b"null", "is not JSON-RPC"),
        (b"{}", "neither result nor error"),
        (b'{"error":"no"}', "neither result nor error"),
        (b'{"error":{"code":-32005,"message":"Node is behind by 42 slots","data":{"numSlotsBehind":42}}}', "behind by"),
        (b'{"error":{"code":429,"message":"Too many requests"}}', "Too many requests"),
        (b'{"error":{"code":-32002,"message":"failed","data":{"err":[],"logs":[]}}}', "its reason is"),
        (
            b'{"error":{"code":-32002,"message":"failed","data":{"err":null,"logs":[1]}}}',
            "its reason is",
        ),
    ],
)
async def test_what_is_no_answer(body: bytes, said: str) -> None:
    async with saying(body) as rpc:
        with pytest.raises(NodeUnavailable, match=said):
            await rpc.slot()


@pytest.mark.parametrize("status", [b"429 Too Many Requests", b"502 Bad Gateway", b"503 Busy", b"504 Late"])
async def test_a_node_that_wants_to_be_left_alone(status: bytes) -> None:
    body = result(1)
    answer = b"HTTP/1.1 " + status + b"\r\ncontent-length: %d\r\n\r\n" % len(body) + body
    async with rogue(says(answer)) as server, HttpClient() as http:
        with pytest.raises(NodeUnavailable, match=f"limits our rate .HTTP {status[:3].decode()}"):
            await SvmRpc(server.url, http, "sea").slot()


@pytest.mark.parametrize("packed", [False, True])
async def test_an_answer_that_is_too_large(packed: bool) -> None:
    """A slot is not awaited for as long as an account: how much is let in goes by the method."""
    body = b'{"result":["' + b'","'.join([b"0" * 4095] * 4096) + b'"]}'
    assert len(body) > MAX_ANSWER_BYTES
    content = (gzip.compress(body, 1), b"content-encoding: gzip") if packed else (body,)
    async with saying(*content) as rpc:
        with pytest.raises(AnswerTooLarge, match="larger than 16777216 bytes"):
            await rpc.account(KEYS[1])
        with pytest.raises(AnswerTooLarge, match="larger than 262144 bytes"):
            await rpc.slot()


async def test_many_small_values_hold_up_nobody() -> None:
    """All of an answer that was not of its type was decoded, to see whether it is a refusal."""
    async with saying(b'{"result":[' + b"{}," * (5 * 2**20) + b"{}]}") as rpc:
        began = process_time()
        with pytest.raises(UnexpectedAnswer):
            await rpc.account(KEYS[1])
    assert process_time() - began < 1


async def test_a_refusal_has_the_runtimes_error_and_the_programs_lines() -> None:
    data = {"err": {"InstructionError": [0, {"Custom": 1}]}, "logs": ["Program failed", "x" * 20_000], "accounts": None}
    error = {"code": -32002, "message": f"Transaction simulation failed at https://{KEY}", "data": data}
    async with saying(json.dumps({"error": error}).encode()) as rpc:
        with pytest.raises(SvmRpcError) as caught:
            await rpc.send(SIGNED)
    told = caught.value
    assert (told.code, told.message) == (-32002, "Transaction simulation failed at …")
    assert told.error == TransactionError("InstructionError", 0, "Custom", 1)
    assert [len(line) for line in told.logs] == [14, 10_000]


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        ({"code": -32601, "message": "Method not found"}, -32601, "Method not found"),
        ({"code": True, "message": {"a": 1}}, 0, "no message"),
        ({"message": f"no key {KEY}", "data": "text"}, 0, "no key …"),
        ({"code": 1, "message": "a\x1b[31m\u202e"}, 1, "a [31m"),
    ],
)
async def test_refusals_without_more(error: object, code: int, message: str) -> None:
    async with saying(json.dumps({"error": error}).encode()) as rpc:
        with pytest.raises(SvmRpcError) as caught:
            await rpc.slot()
    assert (caught.value.code, caught.value.message, caught.value.error, caught.value.logs) == (code, message, None, ())


@pytest.mark.parametrize(
    ("ask", "answer", "said"),
    [
        (lambda rpc: rpc.genesis_hash(), "0x12", "getGenesisHash with something else"),
        (lambda rpc: rpc.slot(), "5", "getSlot with something else"),
        (lambda rpc: rpc.slot(), True, "getSlot with something else"),
        (lambda rpc: rpc.slot(), 5.0, "getSlot with something else"),
        (lambda rpc: rpc.slot(), -1, "getSlot with something else"),
        (lambda rpc: rpc.slot(), 2**64, "getSlot with something else"),
        (lambda rpc: rpc.block_height(), None, "getBlockHeight with"),
        (lambda rpc: rpc.epoch(), {"epoch": 1, "absoluteSlot": 2}, "getEpochInfo with"),
        (lambda rpc: rpc.rent(), 5, "no multiple"),
        (lambda rpc: rpc.rent(), [], "getMinimumBalanceForRentExemption"),
        (lambda rpc: rpc.latest_blockhash(), {"value": {}}, "getLatestBlockhash"),
        (lambda rpc: rpc.latest_blockhash(), {"context": {"slot": 1}}, "getLatestBlockhash"),
        (lambda rpc: rpc.latest_blockhash(), at(1, {"blockhash": KEYS[0]}), "getLatestBlockhash"),
        (lambda rpc: rpc.account(KEYS[0]), at(1, "x"), "AccountInfo"),
        (lambda rpc: rpc.account(KEYS[0]), at(1, {**ACCOUNT, "data": ["AA==", "base58"]}), "AccountInfo"),
        (lambda rpc: rpc.account(KEYS[0]), at(1, {**ACCOUNT, "data": ["A", "base64"]}), "AccountInfo"),
        (lambda rpc: rpc.account(KEYS[0]), at(1, {**ACCOUNT, "owner": "x"}), "AccountInfo"),
        (lambda rpc: rpc.account(KEYS[0]), at(1, {**ACCOUNT, "executable": 1}), "AccountInfo"),
        (lambda rpc: rpc.accounts(KEYS[:2]), at(1, [None]), "getMultipleAccounts"),
        (lambda rpc: rpc.accounts(KEYS[:2]), at(1, [None] * 3), "getMultipleAccounts"),
        (lambda rpc: rpc.signatures(KEYS[0], limit=1), [{}], "getSignaturesForAddress"),
        (lambda rpc: rpc.signatures(KEYS[0], limit=1), [{"signature": SIGNATURE, "slot": 1}] * 2, "more than was"),
        (lambda rpc: rpc.statuses([SIGNATURE]), at(1, []), "not the statuses asked for"),
        (lambda rpc: rpc.statuses([SIGNATURE]), at(1, [{"slot": 1, "confirmationStatus": "sure"}]), "Statuses"),
        (lambda rpc: rpc.priority_fees(), [{"slot": 1}], "getRecentPrioritizationFees"),
        (lambda rpc: rpc.priority_fees(), {}, "getRecentPrioritizationFees"),
        (lambda rpc: rpc.simulate(b"", [KEYS[0]]), at(1, {"err": None, "accounts": []}), "not the accounts"),
        (lambda rpc: rpc.simulate(b"", [KEYS[0]]), at(1, {"err": None}), "not the accounts"),
        (lambda rpc: rpc.simulate(b""), at(1, {"err": None, "unitsConsumed": "1"}), "simulateTransaction"),
        (lambda rpc: rpc.send(SIGNED), OTHER, "another signature"),
        (lambda rpc: rpc.send(SIGNED), None, "another signature"),
        (lambda rpc: rpc.transaction(SIGNATURE), EXECUTED["with_lookups"], "another transaction than was asked for"),
    ],
)  # fmt: skip
async def test_answers_that_are_not_what_was_asked_for(ask: Ask, answer: object, said: str) -> None:
    async with node(answer) as (rpc, _):
        with pytest.raises(NodeUnavailable, match=said):
            await ask(rpc)


@pytest.mark.parametrize(
    ("value", "error", "words"),
    [
        (None, None, "None"),
        ("BlockhashNotFound", TransactionError("BlockhashNotFound"), "BlockhashNotFound"),
        ({"DuplicateInstruction": 2}, TransactionError("DuplicateInstruction"), "DuplicateInstruction"),
        ({"InsufficientFundsForRent": {"account_index": 3}}, TransactionError("InsufficientFundsForRent", account=3),
         "InsufficientFundsForRent (account 3)"),
        ({"InstructionError": [2, {"BorshIoError": "Unknown"}]},
         TransactionError("InstructionError", 2, "BorshIoError"), "instruction 2: BorshIoError"),
    ],
)  # fmt: skip
def test_errors_of_transactions(value: Variant | None, error: TransactionError | None, words: str) -> None:
    assert read_error(value) == error
    assert str(error) == words


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-1, 2**65)
    | st.text(max_size=5)
    | st.sampled_from([KEYS[0], SIGNATURE, OTHER]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
ASKS: tuple[Ask, ...] = (
    SvmRpc.genesis_hash, SvmRpc.slot, SvmRpc.epoch, SvmRpc.latest_blockhash, SvmRpc.rent, SvmRpc.priority_fees,
    lambda rpc: rpc.slot_of_validity(KEYS[0]), lambda rpc: rpc.account(KEYS[0]), lambda rpc: rpc.accounts(KEYS[:1]),
    lambda rpc: rpc.signatures(KEYS[0]), lambda rpc: rpc.statuses([SIGNATURE]), lambda rpc: rpc.simulate(b""),
    lambda rpc: rpc.transaction(SIGNATURE), lambda rpc: is_absent(rpc, SIGNATURE, 9),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answering(SvmRpc):
    """A node whose answer to everything is here already."""

    body: bytes = b""

    async def _answered(self, *_: object) -> tuple[int, bytes]:
        return 200, self.body


@given(json_values, st.booleans())
def test_any_answer_is_read_or_refused(value: object, within: bool) -> None:
    async def ask_everything() -> None:
        for ask in ASKS:
            for answer in (result(value), result(at(1, value)), result([value]), result({"meta": value})):
                try:
                    await ask(Answering("", HttpClient(), body=answer if within else json.dumps(value).encode()))
                except (NodeUnavailable, SvmRpcError):
                    continue

    asyncio.run(ask_everything())
