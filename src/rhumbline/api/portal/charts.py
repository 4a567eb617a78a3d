"""Small charts as the templates draw them: whole numbers all the way, so that a bar is never more than its amount."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from rhumbline.api.portal.formatting import quantity

DAYS = 30
HEIGHT = 48
_STEP = 10
_WIDTH = 7


@dataclass(frozen=True, slots=True)
class Bar:
    """One day of a chart; ``y`` counts from the top, ``label`` says day and amount in words."""

    x: int
    y: int
    width: int
    height: int
    label: str


def daily_bars(days: Iterable[tuple[date, int]], today: date, decimals: int, symbol: str) -> tuple[Bar, ...]:
    """Draw the last 30 days, today the last; days without anything have no bar. The greatest day fills the height."""
    first = today - timedelta(days=DAYS - 1)
    shown = [(day, raw) for day, raw in days if first <= day <= today and raw > 0]
    largest = max((raw for _, raw in shown), default=1)
    bars = []
    for day, raw in shown:
        # Rounded down, but never to nothing: a day that had a fee is seen.
        height = max(2, raw * HEIGHT // largest)
        label = f"{day.isoformat()}: {quantity(raw, decimals, symbol)}"
        bars.append(Bar((day - first).days * _STEP, HEIGHT - height, _WIDTH, height, label))
    return tuple(bars)
