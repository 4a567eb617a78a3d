"""Every metric of the service, each with at least one sample."""

import re
from collections.abc import Mapping
from pathlib import Path

from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from rhumbline.accounts.admission import Admission
from rhumbline.api.http.connections import Bounds, Places
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.domain.followed_chain import FollowedChain
from rhumbline.domain.pauses import PauseKind
from rhumbline.domain.webhook import PushStanding
from rhumbline.gateways.loop_watch import LoopWatch

PAGE = Path(__file__).parents[3] / "docs" / "metrics.md"
_OF_THE_FORM = frozenset({"le", "quantile"})


def every_metric() -> ServiceMetrics:
    metrics, admission = ServiceMetrics(), Admission()
    metrics.entered()
    metrics.answered("/v1/quotes", "GET", 200, 0.1)
    metrics.called("ACROSS", "quote", "answered", 0.1)
    metrics.spared("ACROSS", "quote", "paused")
    metrics.fell_short("ACROSS", "base", 1.0)
    metrics.asked_node("base", "1", ["eth_call"], "quotes", "answered", 0.1)
    metrics.passed_over("sol", "stranger", 1)
    metrics.found_gap("base", 1)
    metrics.awaited({"ACROSS": 1})
    metrics.pushed("delivered")
    metrics.push_stands(PushStanding(1, 1, 1, 1, 1.0, 1.0, 1, 1, 1))
    metrics.watch_streams(lambda: 1)
    metrics.watch_trails(lambda: 1)
    metrics.watch_scores(lambda: 1, lambda: 1)
    metrics.watch_clock(lambda: 0.1)
    metrics.watch_dependencies({"store": lambda: True}, {"in_use": lambda: 1})
    metrics.watch(Places(Bounds(2, 1)))
    metrics.watch_load(admission, LoopWatch(admission.adapt))
    metrics.watch_pauses(lambda: [(PauseKind.ADAPTER, "ACROSS")])
    metrics.watch_chains("a", lambda: {"base": FollowedChain("a", 2, 1, 0.5)})
    metrics.compared_node("base", "1", 2, True)
    return metrics


def labels_of(metrics: ServiceMetrics) -> Mapping[str, frozenset[str]]:
    """The labels of each metric by its name; of a histogram those beside the bucket's bound."""
    text, found = generate_latest(metrics.registry).decode(), dict[str, frozenset[str]]()
    for family in text_string_to_metric_families(text):
        name = family.name + {"counter": "_total", "info": "_info"}.get(family.type, "")
        # When a counter began, which the format adds to each.
        if name.startswith("rhumbline_") and not name.endswith("_created"):
            labels = {label for sample in family.samples for label in sample.labels}
            found[name] = frozenset(labels) - _OF_THE_FORM
    return found


def documented() -> Mapping[str, frozenset[str]]:
    """The same as docs/metrics.md has it."""
    rows = re.findall(r"^\| `(rhumbline_\w+)` \|([^|]*)\|", PAGE.read_text("utf-8"), re.M)
    return {name: frozenset(re.findall(r"`(\w+)`", labels)) for name, labels in rows}
