"""The picture of a run: curves to saturation and memory under a steady load, as an SVG that is legible by night too."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

WIDTH, HEIGHT = 960, 300
_LEFT, _TOP, _PANEL, _BASE, _GAP = 56, 56, 244, 244, 64
_STYLE = """
text { font: 12px system-ui, sans-serif; fill: #1f2933 } .title { font-weight: 600; font-size: 13px }
.back { fill: #ffffff } .grid { stroke: #d9dee5 } .line { fill: none; stroke-width: 2 } .faint { stroke-dasharray: 4 3 }
.c1 { stroke: #1259c3 } .c2 { stroke: #b3470a } .c4 { stroke: #0f7a4d } .c0 { stroke: #8a94a3 }
@media (prefers-color-scheme: dark) {
  text { fill: #e4e9f0 } .back { fill: #12161c } .grid { stroke: #333c48 }
  .c1 { stroke: #7db0ff } .c2 { stroke: #ffab73 } .c4 { stroke: #63d3a0 } .c0 { stroke: #8793a3 }
}
"""
Line = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Panel:
    """One diagram: its title, the words below it, and its lines by their classes and labels."""

    title: str
    below: str
    lines: Sequence[tuple[str, str, Line]]

    def drawn(self, place: int) -> str:
        left = _LEFT + place * (_PANEL + _GAP)
        points = [point for _, _, line in self.lines for point in line] or [(1.0, 1.0)]
        most_x, most_y = (_round_up(max(point[at] for point in points)) for at in (0, 1))

        def at(point: tuple[float, float]) -> tuple[float, float]:
            return left + _PANEL * point[0] / most_x, _BASE - (_BASE - _TOP) * point[1] / most_y

        drawn = [f'<text class="title" x="{left}" y="24">{self.title}</text>']
        for part in range(5):
            x, y = at((most_x * part / 4, most_y * part / 4))
            drawn.append(f'<line class="grid" x1="{left}" x2="{left + _PANEL}" y1="{y:.1f}" y2="{y:.1f}"/>')
            drawn.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{most_y * part / 4:g}</text>')
            drawn.append(f'<text x="{x:.1f}" y="{_BASE + 18}" text-anchor="middle">{most_x * part / 4:g}</text>')
        drawn.append(f'<text x="{left + _PANEL / 2}" y="{_BASE + 38}" text-anchor="middle">{self.below}</text>')
        for style, _, line in self.lines:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(at, line))
            drawn.append(f'<polyline class="line {style}" points="{path}"/>')
        drawn += _legend(self.lines, left)
        return "\n".join(drawn)


def _legend(lines: Sequence[tuple[str, str, Line]], left: float) -> list[str]:
    named = [(style, label) for style, label, _ in lines if label]
    step = _PANEL / max(1, len(named))
    return [
        f'<line class="line {style}" x1="{x:.0f}" x2="{x + 18:.0f}" y1="40" y2="40"/>'
        f'<text x="{x + 22:.0f}" y="44">{label}</text>'
        for x, (style, label) in ((left + step * place, each) for place, each in enumerate(named))
    ]


def _round_up(value: float) -> float:
    """Return the next of 1, 2, 4, 6, 8 times a power of ten: its quarters are short numbers."""
    unit = 1.0
    while value > 8 * unit:
        unit *= 10
    while value <= 0.8 * unit and unit > 1e-3:
        unit /= 10
    return next(part * unit for part in (1, 2, 4, 6, 8) if value <= part * unit)


def picture(results: Mapping[str, Any]) -> str:
    """Draw what there is of ``curves`` and ``steady``."""
    curves: Mapping[str, Sequence[Mapping[str, Any]]] = results.get("curves", {}).get("steps", {})
    fastest = max((step["offered"] for steps in curves.values() for step in steps), default=1.0)
    panels = [
        Panel(
            "good answers a second, by processes",
            "requests a second",
            [("c0 faint", "asked", ((0, 0), (fastest, fastest))), *_of(curves, lambda step: step["good"])],
        ),
        Panel(
            "time of a quote, s: median, p99 dashed",
            "requests a second",
            [
                *_of(curves, lambda step: step["quotes_ms"][0] / 1000),
                *((f"{style} faint", "", line) for style, _, line in _of(curves, lambda s: s["quotes_ms"][1] / 1000)),
            ],
        ),
        Panel("memory of each process, MB (PSS)", "minutes at 80 % of saturation", _memory(results)),
    ]
    drawn = "\n".join(panel.drawn(place) for place, panel in enumerate(panels))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="Answers, times and memory under load">\n<style>{_STYLE}</style>\n'
        f'<rect class="back" width="{WIDTH}" height="{HEIGHT}"/>\n{drawn}\n</svg>\n'
    )


def _of(
    curves: Mapping[str, Sequence[Mapping[str, Any]]], figure: Callable[[Mapping[str, Any]], float]
) -> list[tuple[str, str, Line]]:
    return [
        (f"c{count}", count, [(step["offered"], figure(step)) for step in steps]) for count, steps in curves.items()
    ]


def _memory(results: Mapping[str, Any]) -> list[tuple[str, str, Line]]:
    samples = results.get("steady", {}).get("samples", [])
    return [
        (style, f"process {number}", [(at / 60, figures["pss_mb"]) for at, figures in each])
        for number, (style, each) in enumerate(zip(("c1", "c2", "c4", "c0"), samples, strict=False), 1)
    ]
