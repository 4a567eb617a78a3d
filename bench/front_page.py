"""How soon the front page is there, as Lighthouse judges it with its usual throttling, on the sandbox."""

import json
import statistics
import tempfile
from pathlib import Path

from bench.commands import ROOT, sandbox
from bench.rows import Row
from tests.portal.chromium import Browser, running_chromium
from tests.portal.lighthouse import Form, Judgement, judged

RUNS = 5
LEAST = 95
FORMS: tuple[Form, ...] = ("mobile", "desktop")


async def run() -> list[Row]:
    """Judge the page five times as a phone's, then as a desktop's; each time nothing of it is kept."""
    with tempfile.TemporaryDirectory(dir=ROOT / ".rhumbline") as name:
        folder, profile = Path(name), Path(name) / "browser"
        async with sandbox(folder), running_chromium(profile) as browser:
            url = json.loads((folder / "sandbox.json").read_text())["base_url"] + "/"
            return [_row(form, [await _judged(browser, url, form) for _ in range(RUNS)]) for form in FORMS]


async def _judged(browser: Browser, url: str, form: Form) -> tuple[int, Judgement]:
    found = await judged(browser, url, form, "performance")
    points = found.scores["performance"]
    assert points is not None, found.lost
    return points, found


def _row(form: Form, runs: list[tuple[int, Judgement]]) -> Row:
    points = [each for each, _ in runs]
    middle = int(statistics.median(points))
    painted = statistics.median(found.figures["largest-contentful-paint"] for _, found in runs)
    blocked = statistics.median(found.figures["total-blocking-time"] for _, found in runs)
    value = f"{middle} ({min(points)} to {max(points)}; painted at {painted / 1000:.1f} s, blocked {blocked:.0f} ms)"
    return Row(name=f"front-page-{form}", value=value, goal=f"≥ {LEAST} of 100", met=middle >= LEAST)
