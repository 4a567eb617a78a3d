"""The metric has what is paused, and quoting always."""

from prometheus_client import CollectorRegistry, generate_latest

from rhumbline.api.metrics.pause_metrics import PauseMetrics
from rhumbline.domain.pauses import PauseKind


def series(metrics: PauseMetrics) -> list[str]:
    registry = CollectorRegistry()
    registry.register(metrics)
    return [line for line in generate_latest(registry).decode().splitlines() if not line.startswith("#")]


def test_quoting_is_there_as_zero_and_everything_else_while_it_is_paused() -> None:
    metrics = PauseMetrics()
    assert series(metrics) == []
    metrics.watch(list)
    assert series(metrics) == ['rhumbline_paused{kind="quoting",name="all"} 0.0']
    metrics.watch(lambda: [(PauseKind.QUOTING, "all"), (PauseKind.ADAPTER_ON_CHAIN, "ACROSS:base")])
    assert series(metrics) == [
        'rhumbline_paused{kind="quoting",name="all"} 1.0',
        'rhumbline_paused{kind="adapter_on_chain",name="ACROSS:base"} 1.0',
    ]
