"""Whoever takes note of what floors below HTTP tell, takes it at once."""

import pytest

from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.domain.metrics import Metrics, NoMetrics


@pytest.mark.parametrize("metrics", [ServiceMetrics(), NoMetrics()])
def test_both_take_note(metrics: Metrics) -> None:
    metrics.called("ONCHAIN", "quote", "answered", 0.1)
    metrics.followed("base", 2, 1)
    assert isinstance(metrics, ServiceMetrics | NoMetrics)
