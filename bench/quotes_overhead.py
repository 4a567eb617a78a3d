"""What a quote of twelve adapters takes beyond the slowest of its upstreams, with fifty quotes at once.

From the call of `gather_quotes` to its return, less the longest of the twelve times that the upstreams take (50 to
800 ms, all of them awaited: the soft deadline is beyond); in turns with a bare `aiohttp.ClientSession` that makes the
same calls in the same process and parses their JSON. Included: the adapters' checks and calldata, their HTTP calls over
loopback, log, metrics, breaker, and, for both, what the upstreams' process and the machine are late by. Not included:
TLS, names, the service's own HTTP, ranking, building and simulation, whose CPU `quote-cpu` has.
"""

from bench.quotes_figures import figures, quantile
from bench.rows import Row


async def run() -> list[Row]:
    """Compare the medians and the 99th percentiles."""
    seen = await figures("answers")
    rows = []
    for name, share in (("p50", 0.5), ("p99", 0.99)):
        ours, bare = quantile(seen["over"], share), quantile(seen["bare_over"], share)
        value = f"{ours / bare:.2f}× ({ours:.1f} ms, {bare:.1f} ms)"
        rows.append(Row(name=f"quote-overhead ({name})", value=value, goal="≤ 1× a bare session", met=ours <= bare))
    return rows
