"""Answers that others published, where their collection lies beside the repository."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rhumbline.adapters.kyberswap.client import ERRORS
from rhumbline.adapters.kyberswap.wire import BuildData, RouteData

SAMPLES = Path(__file__).parents[4] / "shared" / "adapters" / "samples" / "exchanges" / "KYBERSWAP"
FILLED = {"0x...": "0x" + "11" * 20}
"""What stands in the vendor's own examples for an address."""


def samples(pattern: str) -> Iterator[Any]:
    for path in sorted(SAMPLES.glob(pattern)):
        yield json.loads(path.read_text("utf-8"))


def filled(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: filled(value) for key, value in data.items()}
    return FILLED.get(data, data) if isinstance(data, str) else data


def test_every_published_route_is_read() -> None:
    for sample in samples("routes_*.json"):
        data = filled(sample["data"])
        read = RouteData.model_validate(data)
        assert str(read.route_summary.amount_out) == data["routeSummary"]["amountOut"]
        assert str(read.route_summary.amount_in) == data["routeSummary"]["amountIn"]


def test_every_published_build_is_read() -> None:
    for sample in samples("build_*.json"):
        data = sample["data"] | {"data": "0xe21fd0e9"}
        read = BuildData.model_validate(data)
        assert str(read.amount_out) == data["amountOut"]
        assert str(read.transaction_value) == data["transactionValue"]


def test_every_published_error_is_known() -> None:
    for sample in samples("errors_*.json"):
        codes = {body["code"] for body in sample if "code" in body}
        assert codes <= set(ERRORS)
