"""Reads answers that were given during an outage: status, code, when to ask again, and whom they blame."""

import re
from collections.abc import Mapping
from typing import Any

from rhumbline.domain.errors import UpstreamFailed
from rhumbline.routing.selection import NOT_ASKED
from tests.outages.expectations import Answer, Asked, Outage
from tests.outages.fragile_service import Reply

_BLAMES = re.compile(r"wallet|funds|balance|amount|no token|slippage|Invalid", re.IGNORECASE)


def check(told: Reply, expected: Answer, outage: Outage, asked: Asked) -> None:
    """Read an answer: its status, its code, when to ask again, and whom it blames."""
    where = f"{outage.what} fails, and {asked} is asked: {told.status} {told.text[:3000]}"
    if expected is Answer.UNRUN_OR_NODE:
        expected = Answer.UNRUN if told.status == 200 else Answer.NODE
    if expected is Answer.AS_EVER:
        assert (told.status, told.retry_s) == (404 if asked in _UNKNOWN else 200, None), where
    elif expected is Answer.UNRUN:
        assert (told.status, told.retry_s) == (200, None), where
        simulation = (told.json.get("step", told.json).get("estimate") or told.json)["simulation"]
        assert simulation["executionStatus"] in ("ERROR", "TIMEOUT"), where
        assert not _BLAMES.search(simulation["reason"]), where
    else:
        _check_failure(told, expected, outage, asked, where)


_UNKNOWN = frozenset({Asked.EVM_STRANGER, Asked.SVM_STRANGER, Asked.LOOKUP, Asked.STATUS})
"""Nobody has made such a token or such a transaction."""
_FAILURES = {
    Answer.NODE: (502, "ADAPTER_INTERNAL", 3),
    Answer.STORE: (503, "UNKNOWN", 5),
    Answer.NOT_READY: (503, "UNKNOWN", 5),
}


def _check_failure(told: Reply, expected: Answer, outage: Outage, asked: Asked, where: str) -> None:
    status, code, retry_s = _FAILURES[expected]
    assert (told.status, told.retry_s) == (status, retry_s), where
    if asked is Asked.CHALLENGE:
        assert outage.name in told.json["error"], where
        return
    assert (told.json["statusCode"], told.json["code"]) == (status, code), where
    assert not _BLAMES.search(told.json["message"]), where
    if expected is Answer.NOT_READY:
        return
    assert outage.name in told.json["message"] + str(told.json.get("details")), where
    assert _kinds(told.json) <= {UpstreamFailed.kind}, where


def _kinds(error: dict[str, Any]) -> set[str]:
    """Return how those who were asked refused."""
    details = error.get("details") or {}
    return {each["kind"] for each in details.get("adapters", ())} - set(NOT_ASKED)


def check_all(told: Mapping[Asked, Reply], outage: Outage) -> None:
    for asked, answer in told.items():
        check(answer, outage.answers.get(asked, Answer.AS_EVER), outage, asked)
