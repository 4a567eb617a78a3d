"""A transaction is read as far as it says whose it is, the rest when it is asked for; what is none is refused."""

import copy
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.json_rpc import Answer, AnswerTooLarge
from rhumbline.gateways.nodes.svm import transactions
from rhumbline.gateways.svm import base58
from tests.gateways.nodes.svm.node import node, result, saying
from tests.gateways.nodes.svm.test_calls import json_values
from tests.gateways.nodes.svm.test_rpc import EXECUTED, SIGNATURE
from tests.gateways.svm.strategies import KEYS

LARGEST_DATA = "z" * 13_984
"""Base58 of 10,240 bytes."""
GENUINE = EXECUTED["with_inner_calls"]
PATHS = [[key] for key in GENUINE] + [["meta", key] for key in GENUINE["meta"]]
DECODER = msgspec.json.Decoder(Answer[transactions.FetchedShape])


def fetched(answer: object) -> transactions.FetchedTransaction:
    body = result(answer)
    found = transactions.read_fetched(body, DECODER.decode(body).result)
    assert found is not None
    return found


def changed(**meta: object) -> dict[str, Any]:
    answer: dict[str, Any] = copy.deepcopy(EXECUTED["with_inner_calls"])
    answer["meta"] |= meta
    return answer


BALANCE = {"accountIndex": 2, "mint": KEYS[5], "uiTokenAmount": {"amount": "5", "decimals": 6}}
CALL = {"programIdIndex": 9, "accounts": [], "data": "", "stackHeight": 2}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({}, "getTransaction with something else .*result"),
        ({**changed(), "meta": None}, "result.meta"),
        ({**changed(), "transaction": ["AAAA", "base64"]}, "getTransaction with something else"),
        ({**changed(), "transaction": "AAAA"}, "result.transaction"),
        (changed(loadedAddresses={"writable": [KEYS[0]], "readonly": []}), "not as many"),
        (changed(loadedAddresses={"writable": []}), "meta.loadedAddresses"),
        (changed(preBalances=[]), "not a balance for each account"),
        (changed(postBalances=[-1] * 10), "meta.postBalances"),
        (changed(fee="5000"), "not a transaction .*meta.fee"),
        (changed(err={"InstructionError": [0]}), "getTransaction"),
        (changed(err={"InstructionError": [0, {"Custom": 2**32}]}), "getTransaction"),
        (changed(err={"a": 1, "b": 2}), "getTransaction"),
        (changed(err="an\nerror"), "getTransaction"),
        (changed(preTokenBalances=[BALANCE, BALANCE]), "an account's balance twice"),
        (changed(preTokenBalances=[{**BALANCE, "accountIndex": 10}]), "not a transaction"),
        (changed(preTokenBalances=[{**BALANCE, "mint": 5}]), "meta.preTokenBalances.*mint"),
        (changed(preTokenBalances=[{**BALANCE, "uiTokenAmount": {"amount": 5, "decimals": 6}}]), "uiTokenAmount"),
        (changed(preTokenBalances=[{**BALANCE, "uiTokenAmount": {"amount": "٥", "decimals": 6}}]), "TokenAmount"),
        (changed(preTokenBalances=[{**BALANCE, "uiTokenAmount": {"amount": str(2**64), "decimals": 6}}]), "Balances"),
        (changed(innerInstructions=[{"index": 3, "instructions": []}]), "not an instruction of the message"),
        (
            changed(innerInstructions=[{"index": 1, "instructions": [{**CALL, "programIdIndex": 10}]}]),
            "not a transaction",
        ),
        (changed(innerInstructions=[{"index": 1, "instructions": [{**CALL, "accounts": [10]}]}]), "not a transaction"),
        (changed(innerInstructions=[{"index": 1, "instructions": [{**CALL, "data": "0"}]}]), "innerInstructions"),
        (changed(logMessages=[None]), "meta.logMessages"),
    ],
)
async def test_transactions_that_are_none(answer: object, said: str) -> None:
    async with node(answer) as (rpc, _):
        with pytest.raises(NodeUnavailable, match=said):
            await rpc.transaction(SIGNATURE)


async def test_a_transaction_that_nobody_signed_is_not_believed() -> None:
    answer = changed()
    text = answer["transaction"][0]
    answer["transaction"] = [("B" if text[10] == "A" else "A").join((text[:10], text[11:])), "base64"]
    async with node(answer) as (rpc, _):
        with pytest.raises(NodeUnavailable, match="not everybody signed"):
            await rpc.transaction(SIGNATURE)


def test_what_an_old_node_did_not_keep() -> None:
    found = fetched(changed(innerInstructions=None, logMessages=None, preTokenBalances=None)).read()
    assert (found.inner, found.logs, found.tokens_before, found.block_time) == (None, None, (), None)


@given(st.sampled_from(["fee", "preBalances", "innerInstructions", "logMessages", "returnData"]), json_values)
def test_what_else_is_answered_is_not_looked_at(name: str, value: Any) -> None:
    found = fetched(changed(**{name: value}))
    try:
        assert isinstance(found.read(), transactions.ExecutedTransaction)
    except NodeUnavailable:
        return


@given(st.sampled_from(PATHS), json_values)
def test_a_field_that_is_anything_is_read_or_refused(path: list[str], value: object) -> None:
    answer = changed()
    where = answer
    for key in path[:-1]:
        where = where[key]
    where[path[-1]] = value
    try:
        fetched(answer).read()
    except (NodeUnavailable, ValueError):
        return


def test_inner_calls_are_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest answer that a stranger can cause: 64 calls of 10,240 bytes each, with as many accounts as fit."""
    call = {"programIdIndex": 9, "accounts": [0] * 255, "data": LARGEST_DATA, "stackHeight": 2}
    body = result(changed(innerInstructions=[{"index": 1, "instructions": [call] * 64}]))
    assert len(body) < transactions.LARGEST_ANSWER
    decoded: list[str] = []
    decode = base58.decode

    def counted(text: str) -> bytes:
        decoded.append(text)
        return decode(text)

    monkeypatch.setattr(base58, "decode", counted)
    found = transactions.read_fetched(body, DECODER.decode(body).result)
    assert found is not None
    inner = found.read().inner
    assert inner is not None
    assert (len(inner), decoded) == (64, [])
    assert len(inner[0].instruction.data) == 10_240
    assert decoded == [LARGEST_DATA]


async def test_more_than_a_transaction_can_have_is_not_let_in() -> None:
    async with saying(result(changed(logMessages=["0" * transactions.LARGEST_ANSWER]))) as rpc:
        with pytest.raises(AnswerTooLarge, match="larger than 2097152 bytes"):
            await rpc.fetch(SIGNATURE)
