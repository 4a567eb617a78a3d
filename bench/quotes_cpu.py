"""What a quote of twelve adapters costs: CPU time, user and system, of the measuring process alone.

Over the same load as `quote-overhead`, fifty quotes at once with answers that come one by one, so that caches are cold
as they are in a service that is not busy; a process that does nothing else takes about half. Included is all that the
process does in that time: the calls, their connections, log, metrics, garbage, and drawing and noting the figures. Not
included: the upstreams, TLS, the service's own HTTP, ranking, building and simulation.
"""

from bench.quotes_figures import figures
from bench.rows import Row

MOST_MS = 3


async def run() -> list[Row]:
    """Divide the CPU time by the quotes."""
    seen = await figures("answers")
    each = 1000 * seen["cpu_s"] / len(seen["over"])
    value = f"{each:.2f} ms, {len(seen['over']) / seen['wall_s']:.0f} quotes/s"
    return [Row(name="quote-cpu", value=value, goal=f"≤ {MOST_MS} ms per quote", met=each <= MOST_MS)]
