"""Metrics of events and their deliveries; none before the store was asked."""

from rhumbline.api.metrics.push_metrics import OUTCOMES, PushMetrics
from rhumbline.domain.webhook import PushStanding


def samples(metrics: PushMetrics) -> dict[str, float]:
    return {
        "".join((sample.name, *sample.labels.values())): sample.value
        for family in metrics.collect()
        for sample in family.samples
    }


def test_counts_are_read_when_they_are_asked_for() -> None:
    metrics, streams = PushMetrics(), [0]
    assert samples(metrics) == {f"rhumbline_webhook_attempts_total{outcome}": 0 for outcome in OUTCOMES}
    metrics.watch_streams(lambda: streams[0])
    metrics.count("delivered")
    metrics.count("not_taken")
    metrics.count("not_taken")
    metrics.note(PushStanding(9, 1, 4, 2, 120.5, 0, 3, 2, 1))
    streams[0] = 7
    assert samples(metrics) == {
        "rhumbline_webhook_attempts_totaldelivered": 1,
        "rhumbline_webhook_attempts_totalnot_taken": 2,
        "rhumbline_webhook_attempts_totalgiven_up": 0,
        "rhumbline_webhook_attempts_totalskipped": 0,
        "rhumbline_streams_open": 7,
        "rhumbline_events_written_total": 9,
        "rhumbline_events_unqueued": 1,
        "rhumbline_webhook_waiting": 4,
        "rhumbline_webhook_oldest_seconds": 120.5,
        "rhumbline_webhooksworking": 3,
        "rhumbline_webhooksfailing": 2,
        "rhumbline_webhooksoff": 1,
    }
