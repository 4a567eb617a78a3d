"""What is read of a told transaction at once is what all of it says; the rest of the answer may be anything."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.json_rpc import AnswerTooLarge
from rhumbline.gateways.nodes.svm.reading import NotUnderstood
from rhumbline.gateways.nodes.svm.told_transaction import LARGEST_ANSWER, glance
from rhumbline.gateways.nodes.svm.transaction_answers import Execution, read_transaction
from rhumbline.gateways.svm import base58
from tests.gateways.svm.node import result, saying
from tests.gateways.svm.test_hostile_node import changed, json_values
from tests.gateways.svm.test_rpc import EXECUTED, SIGNATURE

LARGEST_DATA = "z" * 13_984
"""Base58 of 10,240 bytes."""


@pytest.mark.parametrize("name", EXECUTED)
def test_it_is_the_beginning_of_the_whole(name: str) -> None:
    found, whole = glance(result(EXECUTED[name])), read_transaction(EXECUTED[name])
    assert found is not None
    assert whole is not None
    assert found.read() == whole
    for field in Execution.__dataclass_fields__:
        assert getattr(found, field) == getattr(whole, field)


@given(st.sampled_from(["fee", "preBalances", "innerInstructions", "logMessages", "returnData"]), json_values)
def test_what_else_is_told_is_not_looked_at(name: str, value: Any) -> None:
    found = glance(result(changed(**{name: value})))
    assert found is not None
    try:
        found.read()
    except NodeUnavailable:
        return


@given(json_values)
def test_any_answer_is_read_or_refused(value: object) -> None:
    for body in (json.dumps(value).encode(), result(value), result({"meta": value}), b"[" * 100_000):
        try:
            glance(body)
        except NotUnderstood:
            continue


def test_inner_calls_are_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest answer that a stranger can cause: 64 calls of 10,240 bytes each, with as many accounts as fit."""
    call = {"programIdIndex": 9, "accounts": [0] * 255, "data": LARGEST_DATA, "stackHeight": 2}
    body = result(changed(innerInstructions=[{"index": 1, "instructions": [call] * 64}]))
    assert len(body) < LARGEST_ANSWER
    decoded: list[str] = []
    decode = base58.decode

    def counted(text: str) -> bytes:
        decoded.append(text)
        return decode(text)

    monkeypatch.setattr(base58, "decode", counted)
    found = glance(body)
    assert found is not None
    inner = found.read().inner
    assert inner is not None
    assert (len(inner), decoded) == (64, [])
    assert len(inner[0].instruction.data) == 10_240
    assert decoded == [LARGEST_DATA]


async def test_more_than_a_transaction_can_have_is_not_let_in() -> None:
    async with saying(result(changed(logMessages=["0" * LARGEST_ANSWER]))) as rpc:
        with pytest.raises(AnswerTooLarge, match="larger than 2097152 bytes"):
            await rpc.told(SIGNATURE)
