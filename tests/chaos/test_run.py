"""Rows run in their order, each within its time; one that fails is bad and keeps no other from running."""

import asyncio
import sys
from pathlib import Path

import pytest

from chaos.__main__ import main, on_small_disk
from chaos.bench import Bench, open_bench
from chaos.result import RowResult
from chaos.run import LONGEST_S, ROWS, Row, run_rows


async def good(_: Bench) -> RowResult:
    return RowResult({"things": 1})


async def failing(_: Bench) -> RowResult:
    raise KeyError("x")


async def endless(_: Bench) -> RowResult:
    await asyncio.Event().wait()
    raise AssertionError


async def test_a_row_that_fails_or_never_ends_is_bad_and_the_others_run(tmp_path: Path) -> None:
    rows = {
        "failing": Row("fails", failing, 60, on_service=False),
        "endless": Row("never ends", endless, 0.01, on_service=False),
        "late": Row("has no time left", good, 0, on_service=False),
        "good": Row("works", good, 60, on_service=False),
        "other": Row("is not wanted", failing, 60, on_service=False),
    }
    said: list[str] = []
    async with open_bench(1, tmp_path, say=said.append) as bench:
        done = await run_rows(bench, ["failing", "endless", "late", "good"], rows)
    assert [(each.key, each.result.is_good) for each in done] == [
        ("failing", False), ("endless", False), ("late", False), ("good", True),
    ]  # fmt: skip
    assert [each.result.broken[:20] for each in done] == [
        "KeyError: 'x'",
        "it had not ended aft",
        "the 30 minutes of al",
        "",
    ]
    assert any("broke off: KeyError" in each for each in said)


def test_an_unknown_row_is_named_and_nothing_is_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["chaos", "nodez"])
    assert main() == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("no such row: nodez; there are: nodes, forks, kills, disk")


async def test_logs_of_a_row_outlive_its_folder(tmp_path: Path) -> None:
    async with open_bench(1, tmp_path) as bench:
        folder = bench.own_folder("row")
        for name, words in (("log", "one"), ("postgres.log", "two"), ("data", "three")):
            (folder / name).write_text(words)
        bench.keep_logs(tmp_path)
    assert sorted(bench.logs.values()) == ["one", "two"]


def test_a_small_disk_is_mounted_with_and_without_root() -> None:
    mount = "mount -t tmpfs -o size=640m,mode=755 tmpfs /d && exec"
    as_root = on_small_disk(Path("/d"), is_root=True, user=0, group=0)
    assert as_root == ["unshare", "--mount", "sh", "-c", f'{mount} "$@"', "sh"]
    plain = on_small_disk(Path("/d"), is_root=False, user=7, group=8)
    again = "unshare --user --map-user=7 --map-group=8"
    assert plain == ["unshare", "--map-root-user", "--mount", "sh", "-c", f'{mount} {again} "$@"', "sh"]


def test_every_row_of_the_list_is_there() -> None:
    assert set(ROWS) == {"nodes", "forks", "kills", "disk", "outages", "upstreams", "requests", "secrets", "lies"}
    assert LONGEST_S == 1800


def test_the_page_tells_of_every_row() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reliability.md").read_text("utf-8")
    assert [key for key in ROWS if f"- **`{key}`**: " not in page] == []
