"""A row that shows nothing is bad, and the table says so."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from chaos.result import RowResult, TableRow, Tally, summary, table, write_into

GOOD = RowResult({"transfers": 1200, "killed workers": 3}, figures="all arrived")


@pytest.mark.parametrize(
    ("result", "fault"),
    [
        (GOOD, None),
        (replace(GOOD, lost=("a",)), "lost: a"),
        (replace(GOOD, doubled=("a",)), "doubled: a"),
        (replace(GOOD, wrong=("a",)), "wrong: a"),
        (replace(GOOD, broken="it ended"), "broke off: it ended"),
        (replace(GOOD, done={"transfers": 1200, "killed workers": 0}), "not done: killed workers"),
        (replace(GOOD, done={}), "nothing was done"),
        (RowResult(Tally(("killed Redis",)).times), "not done: killed Redis"),
    ],
)
def test_what_is_amiss_makes_a_row_bad(result: RowResult, fault: str | None) -> None:
    assert list(result.faults()) == ([] if fault is None else [fault])
    assert result.is_good is (fault is None)


def test_the_table_counts_and_says_what_was_done(tmp_path: Path) -> None:
    rows = [
        TableRow("kills", "processes killed", GOOD, 61.0),
        TableRow("disk", "the disk is full", replace(GOOD, lost=("a", "b"), figures=""), 59.0),
    ]
    written = table(rows)
    assert (
        "| `kills` | processes killed: transfers 1200, killed workers 3; all arrived | 0 | 0 | 0 | good | 61 s |"
        in written
    )
    assert "| `disk` | the disk is full: transfers 1200, killed workers 3 | 2 | 0 | 0 | **bad** | 59 s |" in written
    words = summary(rows, 7, date(2026, 11, 28))
    assert words.startswith("Seed 7 on 2026-11-28, ")
    assert "2,400 transactions in 2 minutes; not all rows are good." in words
    assert "all rows are good." in summary(rows[:1], 7, date(2026, 11, 28))
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- chaos: begin -->\nold\n<!-- chaos: end -->\nafter\n")
    write_into(page, written)
    assert page.read_text() == f"before\n<!-- chaos: begin -->\n{written}<!-- chaos: end -->\nafter\n"
    page.write_text("nothing")
    with pytest.raises(ValueError, match="marks"):
        write_into(page, written)
