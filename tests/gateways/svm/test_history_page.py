"""A page of transactions is read without the memos in it, which strangers write, however large they are."""

import json
from typing import Any

import pytest
from hypothesis import given

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.strict_json import read_json
from rhumbline.gateways.nodes.json_rpc import AnswerTooLarge
from rhumbline.gateways.nodes.svm.answers import read_signature_info
from rhumbline.gateways.nodes.svm.history_page import LARGEST_PAGE, read_page
from tests.gateways.svm.node import node, result
from tests.gateways.svm.strategies import KEYS
from tests.gateways.svm.test_hostile_node import json_values
from tests.gateways.svm.test_rpc import OTHER, SIGNATURE

MEMO = "[4000] " + "\x01" * 4_000
LISTED = {
    "signature": SIGNATURE, "slot": 5, "err": {"InstructionError": [0, {"Custom": 1}]}, "memo": MEMO, "blockTime": 6,
    "confirmationStatus": "confirmed",
}  # fmt: skip


def test_it_is_what_the_strict_reader_says() -> None:
    others = [LISTED, {**LISTED, "err": None, "blockTime": None}, {"signature": OTHER, "slot": 7}]
    assert read_page(result(others)) == tuple(map(read_signature_info, others))
    assert read_page(result([])) == ()


def test_memos_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were: a page with a memo of a thousand strangers each took most of a second."""
    read: list[int] = []

    def counted(body: bytes) -> object:
        read.append(len(body))
        return read_json(body)

    monkeypatch.setattr("rhumbline.gateways.nodes.svm.history_page.read_json", counted)
    body = result([LISTED] * 100)
    assert len(body) > 2_400_000
    found = read_page(body)
    assert found is not None
    assert len(found) == 100
    assert sum(read) < 100 * 100


@given(json_values)
def test_any_answer_is_read_or_refused(value: object) -> None:
    for body in (json.dumps(value).encode(), result(value), result([value]), result([{**LISTED, "err": value}])):
        try:
            read_page(body)
        except NodeUnavailable:
            continue


async def test_a_page_that_is_always_too_large_is_no_page() -> None:
    async with node([{**LISTED, "memo": "m" * LARGEST_PAGE}]) as (rpc, made):
        with pytest.raises(AnswerTooLarge):
            await rpc.signatures(KEYS[0], limit=1000)
        params: list[Any] = [each["params"] for each in made.asked]
    assert [options["limit"] for _, options in params] == [1000, 125, 15, 1]
