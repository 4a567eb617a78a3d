"""Amounts of the command line, and a service that does not answer."""

from pathlib import Path

import pytest

from rhumbline.app.commands.quote import smallest_units
from rhumbline.app.run import CommandFailed
from tests.app.conftest import Command
from tests.app.test_cli import failed


def test_asking_where_nobody_answers(tmp_path: Path, command: Command) -> None:
    words = ["900001", "0x" + "11" * 20, "900001", "0x" + "22" * 20, "1", "--sender", "0x" + "33" * 20]
    failed(command("quote", *words, "--url", "http://127.0.0.1:9"), 1, "no answer from a service there")


@pytest.mark.parametrize(
    ("amount", "decimals", "units"),
    [("100", 6, "100000000"), ("0.25", 18, "250000000000000000"), ("1.50", 1, "15"), ("007", 0, "7"), ("2.0", 0, "2")],
)
def test_amounts_are_exact(amount: str, decimals: int, units: str) -> None:
    assert smallest_units(amount, decimals, "X", raw=False) == units


@pytest.mark.parametrize("amount", ["", "0", "0.00", "-1", "+1", "1e3", ".5", "5.", "1 000", "½", "٣", "9" * 81])
@pytest.mark.parametrize("raw", [True, False])
def test_what_is_no_amount_is_refused(amount: str, raw: bool) -> None:
    with pytest.raises(CommandFailed, match="amount: "):
        smallest_units(amount, 6, "X", raw=raw)


def test_smallest_units_have_no_point() -> None:
    assert smallest_units("1500000", 6, "X", raw=True) == "1500000"
    with pytest.raises(CommandFailed, match="such as 1500000"):
        smallest_units("1.5", 6, "X", raw=True)


def test_a_service_that_is_not_there_is_named_with_its_host(command: Command) -> None:
    ran = command("quote", "base", "USDC", "eth", "USDC", "100", "--url", "http://127.0.0.1:9/hidden-word")
    assert ran.code == 1
    assert ran.err == "127.0.0.1:9: no answer from a service there: nothing listens there\n"
