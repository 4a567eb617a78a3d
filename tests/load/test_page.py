"""Tables go between their markers and nowhere else, and the picture has what was measured."""

import re
from pathlib import Path

import pytest

from load.page import BEGIN, END, PAGE, tables, write
from load.picture import HEIGHT, WIDTH, picture

ABOUT = {"date": "2026-11-28", "machine": "2 cores of a test", "load_average": 0.1}
STEP = {
    "offered": 40.0, "answered": 40.0, "good": 36.0, "refused": 3.0, "unanswered": 0.2, "failed": 0.0, "late": 1.0,
    "quotes_ms": [620.0, 1900.0], "reads_ms": [2.0, 11.0], "faults": {},
    "cpu": {"service": 0.5, "store": 0.1, "valkey": 0.0, "nodes": 0.1, "upstreams": 0.2, "generator": 0.05},
}  # fmt: skip
GROWN = {"name": "pss_mb", "first": 150.0, "last": 151.0, "slope": 0.12, "minutes": 6.6, "bound": 0.5, "most": 4.0}
RESULTS = {
    "costs": {
        **ABOUT,
        "costs": [
            {"kind": "quotes-evm", "warm": warm, "cpu_ms": cpu_ms, "median_ms": 600.0}
            for warm, cpu_ms in ((False, 50.0), (True, 10.0))
        ]
        + [{"kind": "reads", "warm": True, "cpu_ms": 0.5, "median_ms": 3.0}],
    },
    "sizes": {**ABOUT, "records": 20_000, "record_bytes": 2**30 / 1e6, "issued": 100, "issued_bytes": 2**31 / 1e6},
    "curves": {
        **ABOUT, "load_average": 7.5, "steps": {"1": [STEP], "2": [STEP, STEP | {"offered": 80.0, "good": 70.0}]},
    },
    "steady": {
        **ABOUT, "rate": 56, "seconds": 600.0, "step": STEP, "grown": [[GROWN]] * 2, "idle": [{"pss_mb": 120.0}] * 2,
        "store": GROWN | {"name": "connections"}, "errors": 0, "broken": 0, "events": 1200,
        "samples": [[[0.0, {"pss_mb": 150.0}], [600.0, {"pss_mb": 151.0}]]] * 2,
    },
}  # fmt: skip


def test_the_tables_say_what_was_measured() -> None:
    text = tables(RESULTS)
    assert "| a swap on an EVM chain | 50.0 ms | 600 ms | 10.0 ms | 600 ms | 20 cold, 100 warm |" in text
    assert "| prices, tokens, chains, records | | | 0.5 ms | 3 ms | 2000 warm |" in text
    assert "A million records, with their keys, events and indexes: 1.00 GiB (from 20,000)." in text
    assert "issued transactions that wait to be seen: 2.00 GiB (from 100)." in text
    assert "**2 processes**: saturated at 70 good answers a second, 140 for each core" in text
    assert "| 40 | 36.0 | 3.0 | 1.0, 0.2, 0.0 | 620, 1900 ms | 2, 11 ms | 0.50 |" in text
    assert "beside other work (load average 7.5)" in text
    assert "| memory (PSS), MB | 120, 120 | 150, 150 | 151, 151 | +0.12, +0.12 | 0.5 |" in text


def test_only_what_is_between_the_markers_changes(tmp_path: Path) -> None:
    page = tmp_path / "capacity.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", "utf-8")
    write("new", page)
    write("newer", page)
    assert page.read_text("utf-8") == f"before\n{BEGIN}\nnewer\n{END}\nafter\n"
    page.write_text("no place\n", "utf-8")
    with pytest.raises(ValueError, match="no place for the tables"):
        write("new", page)


def test_the_page_has_a_place_for_them() -> None:
    text = PAGE.read_text("utf-8")
    assert text.index(BEGIN) < text.index(END)


def test_the_picture_has_a_line_for_each_curve_and_process_by_day_and_by_night() -> None:
    drawn = picture(RESULTS)
    lines = re.findall(r'<polyline class="line c\d[^"]*" points="([^"]+)"/>', drawn)
    # What was asked, good answers and two times for each count of processes, and the memory of each process.
    assert len(lines) == 1 + 2 + 2 * 2 + 2
    for line in lines:
        for point in line.split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= WIDTH
            assert 0 <= y <= HEIGHT
    assert "prefers-color-scheme: dark" in drawn
    assert set(re.findall(r">([^<]+)</text>", drawn)) >= {"asked", "1", "2", "process 2"}
