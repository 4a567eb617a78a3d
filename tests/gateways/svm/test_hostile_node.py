"""Whatever a node answers is read, refused by the node, or no answer; and its words can be shown."""

import copy
import gzip
import json
from base64 import b64decode
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.answers import (
    read_account,
    read_context,
    read_epoch,
    read_priority_fee,
    read_signature_info,
    read_simulation,
    read_status,
)
from rhumbline.gateways.nodes.svm.rpc import MAX_ANSWER_BYTES, SvmRpc, SvmRpcError
from rhumbline.gateways.nodes.svm.transaction_answers import read_transaction
from rhumbline.gateways.nodes.svm.transaction_error import TransactionError, read_error
from tests.gateways.rogue import rogue, says
from tests.gateways.svm.node import KEY, node, result, saying
from tests.gateways.svm.strategies import KEYS
from tests.gateways.svm.test_rpc import EXECUTED, OTHER, SIGNATURE, at, told

Ask = Callable[[SvmRpc], Awaitable[object]]
SIGNED = b64decode(EXECUTED["with_inner_calls"]["transaction"][0])


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b'{"id":0,"result":' + b"9" * 5000 + b"}", "is not JSON"),
        (b'{"id":0,"result":"\xff"}', "is not JSON"),
        (b'{"id":0,"result":1,"result":2}', "is not JSON"),
        (b'{"id":0,"result":NaN}', "is not JSON"),
        (b"[]", "is not JSON-RPC"),
        (b"null", "is not JSON-RPC"),
        (b"{}", "neither result nor error"),
        (b'{"error":"no"}', "neither result nor error"),
        (b'{"error":{"code":-32005,"message":"Node is behind by 42 slots","data":{"numSlotsBehind":42}}}', "behind by"),
        (b'{"error":{"code":429,"message":"Too many requests"}}', "Too many requests"),
        (b'{"error":{"code":-32002,"message":"failed","data":{"err":[],"logs":[]}}}', "a transaction's error"),
        (b'{"error":{"code":-32002,"message":"failed","data":{"err":null,"logs":[1]}}}', "lines of a transaction's"),
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
        with pytest.raises(NodeUnavailable, match=f"left alone .HTTP {status[:3].decode()}"):
            await SvmRpc(server.url, http, "sea").slot()


@pytest.mark.parametrize("packed", [False, True])
async def test_an_answer_that_is_too_large(packed: bool) -> None:
    body = b'{"result":["' + b'","'.join([b"0" * 4095] * 4096) + b'"]}'
    assert len(body) > MAX_ANSWER_BYTES
    content = (gzip.compress(body, 1), b"content-encoding: gzip") if packed else (body,)
    async with saying(*content) as rpc:
        with pytest.raises(NodeUnavailable, match="larger than 16777216 bytes"):
            await rpc.slot()


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
        ({"code": 1, "message": "a\x1b[31m\u202e\ud800"}, 1, "a [31m"),
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
        (lambda rpc: rpc.genesis_hash(), "0x12", "a blockhash"),
        (lambda rpc: rpc.slot(), "5", "a slot"),
        (lambda rpc: rpc.slot(), True, "a slot"),
        (lambda rpc: rpc.slot(), 5.0, "a slot"),
        (lambda rpc: rpc.slot(), -1, "a slot"),
        (lambda rpc: rpc.slot(), 2**64, "a slot"),
        (lambda rpc: rpc.block_height(), None, "a block height"),
        (lambda rpc: rpc.epoch(), {"epoch": 1, "absoluteSlot": 2}, "an epoch"),
        (lambda rpc: rpc.rent(), 5, "no multiple"),
        (lambda rpc: rpc.rent(), [], "a balance"),
        (lambda rpc: rpc.latest_blockhash(), {"value": {}}, "an answer with its slot"),
        (lambda rpc: rpc.latest_blockhash(), {"context": {"slot": 1}}, "an answer with its slot"),
        (lambda rpc: rpc.latest_blockhash(), at(1, {"blockhash": KEYS[0]}), "a blockhash"),
        (lambda rpc: rpc.account(KEYS[0]), at(1, "x"), "an account"),
        (lambda rpc: rpc.account(KEYS[0]), at(1, {**told(1, KEYS[1], b""), "data": ["AA==", "base58"]}), "an account"),
        (lambda rpc: rpc.account(KEYS[0]), at(1, {**told(1, KEYS[1], b""), "data": ["A", "base64"]}), "an account"),
        (lambda rpc: rpc.account(KEYS[0]), at(1, {**told(1, KEYS[1], b""), "owner": "x"}), "an account"),
        (lambda rpc: rpc.account(KEYS[0]), at(1, {**told(1, KEYS[1], b""), "executable": 1}), "an account"),
        (lambda rpc: rpc.accounts(KEYS[:2]), at(1, [None]), "the accounts asked for"),
        (lambda rpc: rpc.accounts(KEYS[:2]), at(1, [None] * 3), "the accounts asked for"),
        (lambda rpc: rpc.signatures(KEYS[0], limit=1), [{}], "a transaction of an address"),
        (lambda rpc: rpc.signatures(KEYS[0], limit=1), [{}] * 2, "a list of transactions"),
        (lambda rpc: rpc.statuses([SIGNATURE]), at(1, []), "the statuses asked for"),
        (lambda rpc: rpc.statuses([SIGNATURE]), at(1, [{"slot": 1, "confirmationStatus": "sure"}]), "a commitment"),
        (lambda rpc: rpc.priority_fees(), [{"slot": 1}], "a priority fee"),
        (lambda rpc: rpc.priority_fees(), {}, "a list of priority fees"),
        (lambda rpc: rpc.simulate(b"", [KEYS[0]]), at(1, {"err": None, "accounts": []}), "a simulation"),
        (lambda rpc: rpc.simulate(b"", [KEYS[0]]), at(1, {"err": None}), "a simulation"),
        (lambda rpc: rpc.simulate(b""), at(1, {"err": None, "innerInstructions": [{"index": 0, "instructions": [
            {"programIdIndex": 1, "accounts": [], "data": ""}]}]}), "an inner instruction"),
        (lambda rpc: rpc.send(SIGNED), OTHER, "another signature"),
        (lambda rpc: rpc.send(SIGNED), None, "another signature"),
        (lambda rpc: rpc.transaction(SIGNATURE), EXECUTED["with_lookups"], "another transaction than was asked for"),
    ],
)  # fmt: skip
async def test_answers_that_are_not_what_was_asked_for(ask: Ask, answer: object, said: str) -> None:
    async with node(answer) as (rpc, _):
        with pytest.raises(NodeUnavailable, match=said):
            await ask(rpc)


def changed(**meta: object) -> dict[str, Any]:
    answer: dict[str, Any] = copy.deepcopy(EXECUTED["with_inner_calls"])
    answer["meta"] |= meta
    return answer


BALANCE = {"accountIndex": 2, "mint": KEYS[5], "uiTokenAmount": {"amount": "5", "decimals": 6}}
CALL = {"programIdIndex": 9, "accounts": [], "data": "", "stackHeight": 2}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({}, "a transaction"),
        ({**changed(), "meta": None}, "a transaction"),
        ({**changed(), "transaction": ["AAAA", "base64"]}, "a transaction"),
        ({**changed(), "transaction": "AAAA"}, "a transaction"),
        (changed(loadedAddresses={"writable": [KEYS[0]], "readonly": []}), "not as many"),
        (changed(loadedAddresses={"writable": []}), "addresses that were looked up"),
        (changed(preBalances=[]), "balances"),
        (changed(postBalances=[-1] * 10), "balances"),
        (changed(fee="5000"), "a transaction"),
        (changed(err={"InstructionError": [0]}), "an error of an instruction"),
        (changed(err={"InstructionError": [0, {"Custom": 2**32}]}), "a program's error"),
        (changed(err={"a": 1, "b": 2}), "a transaction's error"),
        (changed(err="an\nerror"), "a transaction's error"),
        (changed(preTokenBalances=[BALANCE, BALANCE]), "token balances"),
        (changed(preTokenBalances=[{**BALANCE, "accountIndex": 10}]), "the place of an account"),
        (changed(preTokenBalances=[{**BALANCE, "mint": 5}]), "a token balance"),
        (changed(preTokenBalances=[{**BALANCE, "uiTokenAmount": {"amount": 5, "decimals": 6}}]), "a token balance"),
        (changed(preTokenBalances=[{**BALANCE, "uiTokenAmount": {"amount": "٥", "decimals": 6}}]), "a token balance"),
        (changed(preTokenBalances=[{**BALANCE, "uiTokenAmount": {"amount": str(2**64), "decimals": 6}}]), "balance"),
        (changed(innerInstructions=[{"index": 3, "instructions": []}]), "a list of inner instructions"),
        (changed(innerInstructions=[{"index": 1, "instructions": [{**CALL, "programIdIndex": 10}]}]), "the place of"),
        (changed(innerInstructions=[{"index": 1, "instructions": [{**CALL, "accounts": [10]}]}]), "the place of"),
        (changed(innerInstructions=[{"index": 1, "instructions": [{**CALL, "data": "0"}]}]), "an inner instruction"),
        (changed(logMessages=[None]), "a transaction"),
    ],
)
def test_transactions_that_are_none(answer: object, said: str) -> None:
    with pytest.raises(NodeUnavailable, match=said):
        read_transaction(answer)


def test_a_transaction_that_nobody_signed_is_not_believed() -> None:
    answer = changed()
    text = answer["transaction"][0]
    answer["transaction"] = [("B" if text[10] == "A" else "A").join((text[:10], text[11:])), "base64"]
    with pytest.raises(NodeUnavailable, match="not everybody signed"):
        read_transaction(answer)


def test_what_an_old_node_did_not_keep() -> None:
    found = read_transaction(changed(innerInstructions=None, logMessages=None, preTokenBalances=None))
    assert found is not None
    assert (found.inner, found.logs, found.tokens_before, found.block_time) == (None, None, (), None)


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
def test_errors_of_transactions(value: object, error: TransactionError | None, words: str) -> None:
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
READERS: tuple[Callable[[object], object], ...] = (
    read_account, read_context, read_epoch, read_priority_fee, read_signature_info, read_status, read_transaction,
    read_error, lambda value: read_simulation(value, 1, 0),
)  # fmt: skip


@given(json_values)
def test_any_answer_is_read_or_refused(value: object) -> None:
    for read in READERS:
        try:
            read(value)
        except NodeUnavailable:
            continue


GENUINE = EXECUTED["with_inner_calls"]
PATHS = [[key] for key in GENUINE] + [["meta", key] for key in GENUINE["meta"]]


@given(st.sampled_from(PATHS), json_values)
def test_a_field_that_is_anything_is_read_or_refused(path: list[str], value: object) -> None:
    answer = changed()
    where = answer
    for key in path[:-1]:
        where = where[key]
    where[path[-1]] = value
    try:
        read_transaction(answer)
    except NodeUnavailable:
        return
