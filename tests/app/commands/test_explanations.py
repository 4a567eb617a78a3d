"""Explained answers on the command line: what is saved recomputes, and what is wrong is said."""

import json
from pathlib import Path
from typing import Any

import pytest

from rhumbline.app.commands.explanations import save_explanation
from rhumbline.app.run import CommandFailed
from tests.app.conftest import Command
from tests.app.test_cli import failed
from tests.liquidity.test_explanation import explained


@pytest.fixture
def file(tmp_path: Path) -> Path:
    answers: list[dict[str, Any]] = [{"adapter": "A"}, {"adapter": "ONCHAIN", "explanation": explained(0, 1e5, 0.02)}]
    save_explanation(tmp_path / "quote.json", answers)
    assert answers[1] == {"adapter": "ONCHAIN"}
    return tmp_path / "quote.json"


def test_a_saved_answer_recomputes_without_a_service(command: Command, file: Path) -> None:
    ran = command("quote", "--explain", str(file))
    assert ran.code == 0, ran.err
    assert "every amount recomputes" in ran.out
    assert "bp above the output; no plan over these pools gives more" in ran.out
    assert "not compared with a node" in ran.out


def test_a_whole_answer_of_the_service_is_taken_too(command: Command, file: Path) -> None:
    file.write_text(json.dumps({"adapter": "ONCHAIN", "explanation": json.loads(file.read_text())}))
    assert command("quote", "--explain", str(file)).code == 0


def test_what_was_altered_is_named(command: Command, file: Path) -> None:
    document = json.loads(file.read_text())
    document["plan"][0]["amountOut"] = str(int(document["plan"][0]["amountOut"]) + 1)
    file.write_text(json.dumps(document))
    failed(command("quote", "--explain", str(file)), 1, "does not hold", "digest: ", "plan[0].amountOut: it is ")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is not JSON"),
        ("[]", "is not an explanation"),
        ('{"a": 1, "a": 2}', "is not JSON"),
        ("{}", "engine: "),
        ('{"engine": "1"}', "has not the form of an explanation"),
        ("1" * 1000, "is not JSON"),
    ],
)
def test_what_is_no_explanation_is_refused(command: Command, tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "quote.json"
    file.write_text(text)
    failed(command("quote", "--explain", str(file)), 1, why)


def test_what_is_missing_is_said(command: Command, tmp_path: Path, file: Path) -> None:
    failed(command("quote", "--explain", str(tmp_path / "none.json")), 1, "there is no such file")
    failed(command("quote", "--explain", str(tmp_path)), 1, "cannot be read")
    failed(command("quote"), 1, "ORIGIN_CHAIN is missing")
    failed(command("quote", "eth", "ETH", "--explain", str(file)), 1, "DESTINATION_CHAIN is missing")
    failed(command("quote", "--against", "http://127.0.0.1:9"), 1, "--against: compares a saved answer")
    failed(
        command("quote", "--explain", str(file), "--against", "http://127.0.0.1:9"),
        1,
        "the states cannot be read again",
    )


def test_nothing_is_overwritten_and_what_explains_nothing_is_said(tmp_path: Path, file: Path) -> None:
    with pytest.raises(CommandFailed, match="exists already"):
        save_explanation(file, [{"explanation": {}}])
    with pytest.raises(CommandFailed, match="no answer has an explanation"):
        save_explanation(tmp_path / "other.json", [{"adapter": "OKX"}])
    with pytest.raises(CommandFailed, match="cannot be written"):
        save_explanation(tmp_path / "none" / "other.json", [{"explanation": {}}])
