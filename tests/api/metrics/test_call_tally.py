"""Adapters' calls as Prometheus reads them."""

from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from rhumbline.api.metrics.call_tally import BUCKETS, CallTally

CALLS = st.lists(
    st.tuples(
        st.sampled_from(["RELAY", "OKX"]),
        st.sampled_from(["quote", "build"]),
        st.sampled_from(["answered", "late"]),
        st.sampled_from(BUCKETS) | st.floats(0, 10),
    )
)


@given(CALLS)
def test_it_reads_as_a_counter_and_a_histogram_do(calls: list[tuple[str, str, str, float]]) -> None:
    ours, theirs, tally = CollectorRegistry(), CollectorRegistry(), CallTally()
    ours.register(tally)
    ends = Counter(
        "rhumbline_adapter_calls",
        "Calls of adapters, by how they ended.",
        ("adapter", "call", "outcome"),
        registry=theirs,
    )
    times = Histogram(
        "rhumbline_adapter_call_seconds", "Time that adapters took.", ("adapter", "call"), buckets=BUCKETS,
        registry=theirs,
    )  # fmt: skip
    for adapter, call, outcome, seconds in calls:
        tally.add(adapter, call, outcome, seconds)
        ends.labels(adapter, call, outcome).inc()
        times.labels(adapter, call).observe(seconds)
    told = generate_latest(theirs).decode().splitlines()
    # When a metric was first made is of no use to anybody.
    assert generate_latest(ours).decode().splitlines() == [line for line in told if "_created" not in line]
