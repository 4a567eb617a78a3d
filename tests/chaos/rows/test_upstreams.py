"""The judge of misbehaving upstreams: who is not asked, wins unproven or is not named is told."""

from typing import Any

import pytest

from chaos.questions import Reply
from chaos.rows.upstreams import alone_faults, open_faults

RUN = {"executionStatus": "SUCCESS", "outputValidation": "VERIFIED"}
THERE = "the output arrives on another chain"
FAILED = {"details": {"adapters": [{"adapter": "OKX", "kind": "transient", "reason": "x"}]}}


def quote(adapter: str, output: int = 1000, **simulation: str) -> Reply:
    return Reply(200, {"adapter": adapter, "outputAmount": str(output), "simulation": RUN | simulation}, {})


def error(body: Any, status: int = 502) -> Reply:
    return Reply(status, body, {})


@pytest.mark.parametrize(
    ("reply", "best", "count"),
    [
        (quote("LIFI"), quote("LIFI"), 0),
        (quote("LIFI", 979), quote("LIFI"), 1),
        (quote("OKX"), quote("LIFI"), 0),
        (quote("OKX", executionStatus="ERROR"), quote("LIFI"), 1),
        (quote("OKX", outputValidation="UNVERIFIABLE"), quote("LIFI"), 1),
        (quote("OKX", outputValidation="UNVERIFIABLE", reason=THERE), quote("LIFI"), 0),
        (quote("OKX", executionStatus="ERROR", outputValidation="UNVERIFIABLE", reason=THERE), quote("LIFI"), 1),
        (error(FAILED), quote("LIFI"), 1),
        (error({}, 0), quote("LIFI"), 1),
        (error(FAILED), error(FAILED), 0),
    ],
)
def test_others_answer_as_well_as_without_it(reply: Reply, best: Reply, count: int) -> None:
    assert len(open_faults("OKX", reply, best)) == count


@pytest.mark.parametrize(
    ("reply", "count"),
    [
        (error(FAILED), 0),
        (error(FAILED, 500), 1),
        (error({"details": {"adapters": [{"adapter": "LIFI"}]}}), 1),
        (error({"message": "no quote"}), 1),
        (error("a page", 404), 1),
        (error({}, 0), 1),
        (quote("OKX"), 0),
        (quote("OKX", executionStatus="ERROR"), 1),
    ],
)
def test_an_error_says_who_failed(reply: Reply, count: int) -> None:
    assert len(alone_faults("OKX", reply, {})) == count
