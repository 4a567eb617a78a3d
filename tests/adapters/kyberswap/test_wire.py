"""Answers that others published."""

from pathlib import Path
from typing import Any

from rhumbline.adapters.kyberswap.client import ERRORS
from rhumbline.adapters.kyberswap.wire import BuildData, RouteData
from tests.adapters.published import published

HERE = Path(__file__).parent
FILLED = {"0x...": "0x" + "11" * 20}
"""What stands in the vendor's own examples for an address."""


def filled(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: filled(value) for key, value in data.items()}
    return FILLED.get(data, data) if isinstance(data, str) else data


def test_every_published_route_is_read() -> None:
    for sample in published(HERE, "routes_*").values():
        data = filled(sample["data"])
        read = RouteData.model_validate(data)
        assert str(read.route_summary.amount_out) == data["routeSummary"]["amountOut"]
        assert str(read.route_summary.amount_in) == data["routeSummary"]["amountIn"]


def test_every_published_build_is_read() -> None:
    for sample in published(HERE, "build_*").values():
        data = sample["data"] | {"data": "0xe21fd0e9"}
        read = BuildData.model_validate(data)
        assert str(read.amount_out) == data["amountOut"]
        assert str(read.transaction_value) == data["transactionValue"]


def test_every_published_error_is_known() -> None:
    for sample in published(HERE, "errors_*").values():
        codes = {body["code"] for body in sample if "code" in body}
        assert codes <= ERRORS.meanings.keys()
