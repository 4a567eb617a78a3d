"""How a quote ends whose upstreams are too late, over 10,000 calls that are cancelled.

The deadlines are 0.2 s (soft) and 0.4 s (hard), the upstreams the usual ones of 50 to 800 ms: of most quotes about a
half is cancelled. Late is what `gather_quotes` takes beyond the moment at which it is due: the soft deadline, or the
sixth answer if that comes later, or the hard deadline. It is compared with what twelve timers take beyond the last of
them, in turns in the same process: what the loop and the machine are late by themselves. A stale answer is one that
belongs to another question; every answer carries the amount it belongs to, and each pool's connections see cancelled
and answered calls in turn. Sockets are looked at 100 ms after the last call: none may wait for an answer at the
upstreams, and this process may hold none but those that the upstreams, too, know as idle.
"""

from bench.quotes_figures import figures, quantile
from bench.rows import Row

MOST_TIMERS = 4


async def run() -> list[Row]:
    """Give a row for each of the three."""
    seen = await figures("deadlines")
    late = quantile(seen["after_deadline"], 0.99)
    timers = quantile(seen["timers_over"], 0.99)
    stale, left, count = seen["stale"], seen["sockets_left"], len(seen["over"])
    return [
        Row(
            name="quote-deadline (late)",
            value=f"{late / timers:.1f}× ({late:.1f} ms, {timers:.1f} ms)",
            goal=f"≤ {MOST_TIMERS}× timers, p99",
            met=late <= MOST_TIMERS * timers,
        ),
        Row(name="quote-deadline (stale)", value=f"{stale} in {count} quotes", goal="0", met=stale == 0),
        Row(
            name="quote-deadline (sockets)",
            value=f"{left} after {seen['cancelled']} cancelled",
            goal="0 after 100 ms",
            met=left == 0,
        ),
    ]
