"""What commands print: texts as they are, identifiers whole, and the same as JSON."""

import json

import pytest

from rhumbline.app.console import notices, show_table

HASH = f"0x{'ab' * 32}"
ROWS = (("1", HASH, "[red]acme[/]"), ("22", HASH, ""))
COLUMNS = ("key", "transaction", "name")


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")


def test_a_table_cuts_nothing_and_eats_no_brackets(capsys: pytest.CaptureFixture[str]) -> None:
    show_table(ROWS, COLUMNS)
    show_table([("name", "[[chains]]"), ("data", HASH * 3)])
    assert capsys.readouterr().out.splitlines() == [
        f"key  transaction{' ' * 55}  name",
        f"1    {HASH}  [red]acme[/]",
        f"22   {HASH}  ",
        "name  [[chains]]",
        f"data  {HASH * 3}",
    ]


def test_a_table_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    show_table(ROWS, COLUMNS, as_json=True)
    first, second = json.loads(capsys.readouterr().out)
    assert first == {"key": "1", "transaction": HASH, "name": "[red]acme[/]"}
    assert second["name"] is None
    show_table([("name", "acme")], as_json=True)
    assert json.loads(capsys.readouterr().out) == {"name": "acme"}


def test_a_notice_keeps_its_brackets(capsys: pytest.CaptureFixture[str]) -> None:
    notices().print("add [[chains]] with id and rpc")
    assert capsys.readouterr().err == "add [[chains]] with id and rpc\n"
