"""How soon the front page is there, as Lighthouse judges it, and shows a quote on slow 4G; all on the sandbox."""

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
LINK = "?from=900001:USDC&to=900001:WETH&amount=1234.56"
# Slow 4G as Lighthouse throttles by the browser's own means (`mobileSlow4G` of lighthouse/core/config/constants.js):
# 150 ms and 1.6 Mbit/s, with factors for what a browser does not slow down; a quarter of the CPU.
SLOW_4G = {"offline": False, "latency": 562.5, "downloadThroughput": 184_320, "uploadThroughput": 84_375}
CPU_RATE = 4


async def run() -> list[Row]:
    """Judge the page five times as a phone's, then as a desktop's; each time nothing of it is kept."""
    with tempfile.TemporaryDirectory(dir=ROOT / ".rhumbline") as name:
        folder, profile = Path(name), Path(name) / "browser"
        async with sandbox(folder), running_chromium(profile) as browser:
            url = json.loads((folder / "sandbox.json").read_text())["base_url"] + "/"
            rows = [_row(form, [await _judged(browser, url, form) for _ in range(RUNS)]) for form in FORMS]
            return [*rows, _quote_row([await _quoted(browser, url) for _ in range(RUNS)])]


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


async def _quoted(browser: Browser, url: str) -> tuple[float, float]:
    """Open a link with an amount in a new profile; return after how many ms it is painted, and shows routes."""
    page = await browser.page(412, 823)
    await page.send("Network.emulateNetworkConditions", **SLOW_4G)
    await page.send("Emulation.setCPUThrottlingRate", rate=CPU_RATE)
    await page.goto(url + LINK)
    await page.until("!!deep('#routes tbody')")
    shown: float = await page.evaluate("performance.now()")
    painted: float = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    await page.close()
    return painted, shown


def _quote_row(runs: list[tuple[float, float]]) -> Row:
    painted = statistics.median(each for each, _ in runs) / 1000
    shown = sorted(each / 1000 for _, each in runs)
    value = f"{statistics.median(shown):.1f} s ({shown[0]:.1f} to {shown[-1]:.1f}; painted at {painted:.1f} s)"
    return Row(name="front-page-quote", value=value, goal="stated", met=True)
