"""`make load`: what a quote costs, curves to saturation on 1, 2 and 4 processes, and ten minutes at 80 % of it.

Exit status 1 where an answer failed, an error is in the log, or memory, files or connections grow.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from load.campaign import Campaign, campaign
from load.judge import Step, faults, saturation
from load.page import tables, write
from load.picture import picture
from load.world import machine, sizes
from rhumbline.app.run import run, until_signalled

PARTS = ("costs", "curves", "steady")
PROCESSES = (1, 2, 4)
STEADY_PROCESSES, STEADY_SHARE = 2, 0.8
_ROOT = Path(__file__).parents[1]
PICTURE = _ROOT / "docs" / "images" / "capacity.svg"
_OWN = _ROOT / ".rhumbline" / "load"
_MINUTES = 25.0
FORM = 2
"""Of the kept results; those of another form are not read."""


class Run:
    """One run of some parts, as long as it may take; ``results`` has the other parts of the run before."""

    def __init__(self, parts: Sequence[str], minutes: float, results: dict[str, Any]) -> None:
        self.parts, self.results, self.wrong = parts, results, list[str]()
        self.scale = minutes / _MINUTES
        self.load_average = os.getloadavg()[0]

    async def go(self) -> None:
        with tempfile.TemporaryDirectory(prefix="rhumbline-load-") as name:
            # The server's own user must enter it where we are root.
            Path(name).chmod(0o755)
            async with campaign(Path(name), partial(print, flush=True)) as running:
                for part in self.parts:
                    self._found(part, await getattr(self, f"_{part}")(running))
                self._found("sizes", await sizes(running.world.dsn))

    def _found(self, part: str, figures: Mapping[str, Any]) -> None:
        about = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "machine": machine(), "load_average": self.load_average}
        self.results[part] = {**about, **figures}

    async def _costs(self, running: Campaign) -> dict[str, Any]:
        found = await running.costs(max(3.0, 15 * self.scale))
        return {"costs": [asdict(each) for each in found]}

    async def _curves(self, running: Campaign) -> dict[str, Any]:
        steps: dict[str, list[Step]] = {}
        for count in PROCESSES:
            steps[str(count)] = await running.curve(count, max(3.0, 12 * self.scale))
            self.wrong += faults(steps[str(count)], [], 0, 0)
        return {"steps": {count: [asdict(each) for each in some] for count, some in steps.items()}}

    async def _steady(self, running: Campaign) -> dict[str, Any]:
        known = self.results.get("curves", {}).get("steps", {}).get(str(STEADY_PROCESSES))
        if known is None:
            raise SystemExit("load: how much is 80 % of saturation is not known yet; run the part curves first")
        most = saturation([Step(**each) for each in known])
        found = await running.steady(STEADY_PROCESSES, round(STEADY_SHARE * most), max(30.0, 600 * self.scale))
        grown = [each for process in found.grown for each in process]
        self.wrong += faults([found.step], [*grown, found.store], found.errors, found.broken)
        return {**asdict(found), "idle": running.idle[STEADY_PROCESSES]}


def _known() -> dict[str, Any]:
    file = _OWN / "results.json"
    found = dict(json.loads(file.read_text("utf-8"))) if file.exists() else {}
    return found if found.get("form") == FORM else {"form": FORM}


def _keep(results: Mapping[str, Any], into_docs: bool) -> None:
    text, drawn = json.dumps(results, indent=1) + "\n", picture(results)
    _OWN.mkdir(parents=True, exist_ok=True)
    (_OWN / "results.json").write_text(text, "utf-8")
    (_OWN / "capacity.svg").write_text(drawn, "utf-8")
    if into_docs:
        PICTURE.write_text(drawn, "utf-8")
        write(tables(results))


def main() -> int:
    parser = argparse.ArgumentParser(prog="make load", description=__doc__)
    parser.add_argument("--only", choices=PARTS, help="one part; the others keep their last figures")
    parser.add_argument("--minutes", type=float, default=_MINUTES, help="how long all of it may take (default 25)")
    parser.add_argument("--write", action="store_true", help="write into docs/capacity.md and its picture")
    arguments = parser.parse_args()
    began, work = time.monotonic(), Run([arguments.only] if arguments.only else PARTS, arguments.minutes, _known())
    run(until_signalled(work.go()))
    if any(part not in work.results for part in work.parts):
        return 130
    _keep(work.results, arguments.write)
    print(f"\n{tables(work.results)}\n\n{(time.monotonic() - began) / 60:.1f} minutes")
    for each in work.wrong:
        print(f"wrong: {each}")
    return 1 if work.wrong else 0


sys.exit(main())
