"""What became of a row, and the table of all rows."""

import platform
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

_BEGIN, _END = "<!-- chaos: begin -->\n", "<!-- chaos: end -->\n"
_HEAD = "| row | what was done, and how often | lost | doubled | wrong or stale | verdict | time |"


@dataclass(frozen=True)
class RowResult:
    """What became of a row; every fault is told in words.

    ``done`` is what was done and how often: what was to be done has a 0 as long as it was not, and a row that did not
    do all of it has shown nothing. ``broken`` says why it ended early.
    """

    done: Mapping[str, int]
    lost: Sequence[str] = ()
    doubled: Sequence[str] = ()
    wrong: Sequence[str] = ()
    figures: str = ""
    broken: str = ""

    @property
    def undone(self) -> list[str]:
        """What was to be done and was not."""
        return [what for what, times in self.done.items() if not times]

    @property
    def is_good(self) -> bool:
        return not (self.lost or self.doubled or self.wrong or self.broken or self.undone or not self.done)

    def faults(self) -> Iterable[str]:
        """Name everything that is amiss."""
        yield from (f"lost: {each}" for each in self.lost)
        yield from (f"doubled: {each}" for each in self.doubled)
        yield from (f"wrong: {each}" for each in self.wrong)
        yield from (f"not done: {each}" for each in self.undone)
        if not self.done:
            yield "nothing was done"
        if self.broken:
            yield f"broke off: {self.broken}"


@dataclass(frozen=True)
class TableRow:
    """A row that was run. ``took_s`` includes the start of what it works on."""

    key: str
    what: str
    result: RowResult
    took_s: float


@dataclass
class Tally:
    """Counts what is done; what is ``wanted`` is in it from the beginning."""

    wanted: Sequence[str]
    times: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.times.update(dict.fromkeys(self.wanted, 0))


def table(rows: Sequence[TableRow]) -> str:
    """Write the one table."""
    lines = [_HEAD, "|---|---|---|---|---|---|---|"]
    for each in rows:
        result = each.result
        done = ", ".join(f"{what} {times}" for what, times in result.done.items()) or "nothing"
        words = [f"{each.what}: {done}" + (f"; {result.figures}" if result.figures else "")]
        words += [str(len(part)) for part in (result.lost, result.doubled, result.wrong)]
        words += ["good" if result.is_good else "**bad**", f"{each.took_s:.0f} s"]
        lines.append(f"| `{each.key}` | {' | '.join(words)} |")
    return "\n".join(lines) + "\n"


def summary(rows: Sequence[TableRow], seed: int, day: date) -> str:
    """Write date, seed and machine in a sentence."""
    transactions = sum(times for row in rows for what, times in row.result.done.items() if what in SENT)
    verdict = "all rows are good" if all(row.result.is_good for row in rows) else "not all rows are good"
    return (
        f"Seed {seed} on {day.isoformat()}, {machine()}: {transactions:,} transactions in "
        f"{sum(row.took_s for row in rows) / 60:.0f} minutes; {verdict}.\n"
    )


SENT = ("swaps on an EVM chain", "swaps on Solana", "transfers")
"""What counts as a transaction of the campaign."""


def machine() -> str:
    """Describe the machine by what its results depend on."""
    cores = Path("/proc/cpuinfo").read_text().count("processor\t:")
    kib = int(Path("/proc/meminfo").read_text().split()[1])
    return f"{cores} cores, {round(kib / 2**20)} GB, Linux {platform.release().split('-')[0]}, {platform.machine()}"


def write_into(page: Path, text: str) -> None:
    """Put the table between the page's marks; raise ValueError where they are missing."""
    whole = page.read_text("utf-8")
    before, begin, rest = whole.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise ValueError(f"{page.name}: the marks of the table are missing")
    page.write_text(f"{before}{begin}{text}{end}{after}", "utf-8")
