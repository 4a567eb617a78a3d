"""Prometheus' own tool, of Debian's package, reads its files and tries every alert on series: `make campaign`."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import generate_latest

from bench.tools import tool
from tests.api.metrics.every_metric import every_metric
from tests.deploy.files import DEPLOY

RULES = DEPLOY / "prometheus" / "alerts.yml"
MINUTES = 60
WELL = {
    'up{job="rhumbline", instance="a"}': "1",
    'rhumbline_dependency_up{dependency="store", instance="a"}': "1",
    'rhumbline_dependency_up{dependency="redis", instance="a"}': "1",
    'rhumbline_http_requests_total{status="200"}': "0+600",
    'rhumbline_http_requests_total{status="503"}': "0+6",
    'rhumbline_chain_leader{chain="base", leader="ab"}': "1",
    'rhumbline_chain_still_seconds{chain="base"}': "2",
    'rhumbline_chain_head_block{chain="base"}': "1000+30",
    'rhumbline_tracking_next_block{chain="base"}': "998+30",
    "rhumbline_clock_off_seconds": "0.01",
    'rhumbline_paused{kind="quoting", name="all"}': "0",
    'rhumbline_node_asked{chain="base", node="1"}': "1",
    'rhumbline_node_calls_total{chain="base", node="1", outcome="answered"}': "0+100",
    'rhumbline_node_calls_total{chain="base", node="1", outcome="failed"}': "0+1",
    'rhumbline_adapter_calls_total{adapter="ACROSS", call="quote", outcome="answered"}': "0+5",
    'rhumbline_adapter_calls_total{adapter="ACROSS", call="quote", outcome="timeout"}': "0+5",
    'rhumbline_quotes_entered_total{outcome="admitted"}': "0+100",
    'rhumbline_quotes_entered_total{outcome="refused"}': "0",
    'rhumbline_output_shortfall_bps_bucket{adapter="ACROSS", chain="base", le="50.0"}': "0+10",
    'rhumbline_output_shortfall_bps_bucket{adapter="ACROSS", chain="base", le="100.0"}': "0+10",
    'rhumbline_output_shortfall_bps_bucket{adapter="ACROSS", chain="base", le="+Inf"}': "0+10",
    'rhumbline_output_shortfall_bps_count{adapter="ACROSS", chain="base"}': "0+10",
    "rhumbline_events_unqueued": "3",
    "rhumbline_webhook_oldest_seconds": "700",
    'rhumbline_webhooks{state="failing"}': "1",
    'rhumbline_webhooks{state="off"}': "0",
    'rhumbline_tracking_passed_over_total{chain="sol", why="unreadable"}': "0",
}
"""Series of a service that is well: the first value, and what each minute adds."""
ILL: dict[str, dict[str, str]] = {
    "RhumblineProcessDown": {'up{job="rhumbline", instance="a"}': "0"},
    "RhumblineStoreDown": {'rhumbline_dependency_up{dependency="store", instance="a"}': "0"},
    "RhumblineRedisDown": {'rhumbline_dependency_up{dependency="redis", instance="a"}': "0"},
    "RhumblineErrors": {'rhumbline_http_requests_total{status="503"}': "0+60"},
    "RhumblineNobodyFollows": {'rhumbline_chain_leader{chain="base", leader="ab"}': "0"},
    "RhumblineChainStill": {'rhumbline_chain_still_seconds{chain="base"}': "0+60"},
    "RhumblineTrackingBehind": {'rhumbline_tracking_next_block{chain="base"}': "998+10"},
    "RhumblineClockOff": {"rhumbline_clock_off_seconds": "-3"},
    "RhumblinePaused": {'rhumbline_paused{kind="adapter", name="ACROSS"}': "1"},
    "RhumblineNodeSetAside": {'rhumbline_node_asked{chain="base", node="1"}': "0"},
    "RhumblineNodeFails": {'rhumbline_node_calls_total{chain="base", node="1", outcome="failed"}': "0+20"},
    "RhumblineAdapterSilent": {
        'rhumbline_adapter_calls_total{adapter="ACROSS", call="quote", outcome="answered"}': "50",
    },
    "RhumblineQuotesRefused": {'rhumbline_quotes_entered_total{outcome="refused"}': "0+1"},
    "RhumblineOutputsShort": {
        'rhumbline_output_shortfall_bps_bucket{adapter="ACROSS", chain="base", le="50.0"}': "0+5",
    },
    "RhumblineEventsWaiting": {'rhumbline_webhooks{state="failing"}': "0"},
    "RhumblineWebhookOff": {'rhumbline_webhooks{state="off"}': "1"},
    "RhumblineTransactionUnreadable": {
        'rhumbline_tracking_passed_over_total{chain="sol", why="unreadable"}': "0+0.1",
    },
}  # fmt: skip
"""By alert, what makes it fire, and no other."""


def case(name: str, different: dict[str, str], fires: list[str]) -> dict[str, Any]:
    series = [
        {"series": key, "values": f"{value if '+' in value else f'{value}+0'}x{MINUTES}"}
        for key, value in (WELL | different).items()
    ]
    firing = [{"labels": f'{{alertname="{each}"}}', "value": 1} for each in fires]
    expected = {"expr": 'count by (alertname) (ALERTS{alertstate="firing"})', "eval_time": f"{MINUTES - 5}m"}
    return {
        "name": name,
        "interval": "1m",
        "input_series": series,
        "promql_expr_test": [expected | {"exp_samples": firing}],
    }


async def promtool(*words: str | Path, given: bytes = b"") -> str:
    found, pipe = await tool("promtool"), asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        found.program, *words, env=found.env, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.STDOUT
    )
    said, _ = await process.communicate(given)
    assert process.returncode == 0, said.decode()
    return said.decode()


async def test_the_files_are_read() -> None:
    said = await promtool("check", "config", DEPLOY / "prometheus" / "prometheus.yml")
    assert f"{len(ILL)} rules found" in said


async def test_its_rules_for_metrics_are_kept() -> None:
    """What the service serves at /metrics, by `promtool check metrics`."""
    served = generate_latest(every_metric().registry)
    assert await promtool("check", "metrics", given=served) == ""
    with pytest.raises(AssertionError, match="counter metrics should have"):
        await promtool("check", "metrics", given=b"# HELP a A.\n# TYPE a counter\na 1\n")


async def test_every_alert_fires_when_it_should_and_only_then(tmp_path: Path) -> None:
    assert set(ILL) == set(re.findall(r"alert: (\w+)", RULES.read_text("utf-8")))
    cases = [case("well", {}, []), *(case(alert, series, [alert]) for alert, series in ILL.items())]
    file = tmp_path / "cases.yml"
    asked = {"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": cases}
    file.write_text(json.dumps(asked), "utf-8")
    assert "SUCCESS" in await promtool("test", "rules", file)
    # A test that cannot fail would show nothing.
    file.write_text(json.dumps(asked | {"tests": [case("well", {}, ["RhumblineErrors"])]}), "utf-8")
    with pytest.raises(AssertionError, match="FAILED"):
        await promtool("test", "rules", file)
