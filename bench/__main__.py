"""`make bench`: run every scenario, or the named one, and print a row for each goal."""

import importlib
import json
import sys
from pathlib import Path

from bench.rows import Row
from bench.tools import CACHE, ToolMissing
from rhumbline.app.run import run

SCENARIOS = {
    "http-prices": "bench.http_prices",
    "http-tokens": "bench.http_tokens",
    "quote-overhead": "bench.quotes_overhead",
    "quote-cpu": "bench.quotes_cpu",
    "quote-deadline": "bench.quotes_deadline",
    "node-calls": "bench.node_calls",
    "overload": "bench.overload",
    "v3-exact": "bench.v3_exact",
    "v3-speed": "bench.v3_speed",
    "router-gap": "bench.router_gap",
    "liquidity-read": "bench.liquidity_read",
    "liquidity-warm": "bench.liquidity_warm",
    "plan-gas": "bench.plan_gas",
    "simulate": "bench.simulate",
    "start": "bench.start",
    "idle": "bench.idle",
    "idle-calls": "bench.idle_calls",
    "tracking-page": "bench.tracking_page",
    "tracking-ingest": "bench.tracking_ingest",
    "push-latency": "bench.push_latency",
    "widget-size": "bench.widget_size",
    "front-page": "bench.front_page",
}


def main() -> int:
    """Run, print, write ``bench/results.json``; 2 for an unknown name, 1 when a goal is missed."""
    chosen = sys.argv[1:] or list(SCENARIOS)
    if unknown := [name for name in chosen if name not in SCENARIOS]:
        print(f"unknown scenario {unknown[0]!r}; there are: {', '.join(SCENARIOS)}", file=sys.stderr)
        return 2
    CACHE.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    for name in chosen:
        try:
            found = run(importlib.import_module(SCENARIOS[name]).run())
        except (ToolMissing, SystemExit) as error:
            found = [Row(name=name, value=str(error), goal="see docs", met=False)]
        for row in found:
            verdict = "met" if row["met"] else "MISSED"
            print(f"{row['name']:<22}  {row['value']:>46}  goal {row['goal']:<30}  {verdict}", flush=True)
        rows += found
    Path(__file__).with_name("results.json").write_text(json.dumps(rows, indent=2) + "\n")
    return 0 if all(row["met"] for row in rows) else 1


sys.exit(main())
