"""What a quote of twelve adapters takes beyond the slowest of its upstreams, with fifty quotes at once.

From the call of `gather_quotes` to its return, less the longest of the twelve times that the upstreams take (50 to
800 ms, all of them awaited: the soft deadline is beyond). Included: the adapters' checks and calldata, their HTTP calls
over loopback, log, metrics, breaker, and also what the upstreams' process and the machine are late by; the same fifty
with timers instead of adapters show how much of it is the machine's. Not included: TLS, names, the service's own HTTP,
ranking, building and simulation.
"""

from bench.quotes_figures import figures, quantile
from bench.rows import Row

P50_MS, P99_MS = 2, 8


async def run() -> list[Row]:
    """Compare the median and the 99th percentile."""
    seen = await figures("answers")
    half, most = (quantile(seen["over"], share) for share in (0.5, 0.99))
    timers = ", ".join(f"{quantile(seen['timers_over'], share):.1f}" for share in (0.5, 0.99))
    value = f"{half:.1f}, {most:.1f} ms (timers {timers})"
    goal = f"≤ {P50_MS} ms p50, ≤ {P99_MS} ms p99"
    return [Row(name="quote-overhead", value=value, goal=goal, met=half <= P50_MS and most <= P99_MS)]
