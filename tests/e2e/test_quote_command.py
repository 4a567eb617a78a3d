"""`rhumbline quote` as a person types it: keys, symbols and amounts, and every answer beside the best."""

import re

import pytest

from rhumbline.app.commands.quote import smallest_units
from rhumbline.app.run import CommandFailed
from tests.app.conftest import Command, command
from tests.e2e.running_demo import Demo

__all__ = ["command"]


def test_keys_symbols_and_an_amount_are_enough(demo: Demo, command: Command) -> None:
    url = str(demo.sandbox["base_url"])
    here = command("quote", "sbxa", "usdc", "sbxa", "ETH", "100.5", "--url", url)
    assert here.code == 0, here.err
    assert "a look only" in here.err
    assert "inputAmount 100500000 (100.5 USDC)" in here.words
    assert re.search(r"best [A-Z0-9_]+ 0\.0\d+ ETH 0\.0\d+ ETH SUCCESS", here.words)
    assert here.words.index("best ") < here.words.index("UNISWAP")
    across = command("quote", "sbxa", "USDC", "sbxb", "USDC", "100", "--url", url, "--sender", "0x" + "22" * 20)
    assert across.code == 0, across.err
    assert "a look only" not in across.err
    for adapter in ("ACROSS", "RELAY"):
        assert re.search(rf"{adapter} \d", across.words), across.out


def test_solana_can_be_looked_at_without_a_wallet(demo: Demo, command: Command) -> None:
    url = str(demo.sandbox["base_url"])
    here = command("quote", "sbxs", "USDC", "sbxs", "SOL", "100", "--url", url)
    assert here.code == 0, here.err
    assert "a look only" in here.err
    for adapter in ("JUPITER", "DFLOW"):
        assert re.search(rf"{adapter} 0\.6\d+ SOL", here.words), here.out
    assert "fee (app) 100000 (0.1 USDC)" in here.words
    assert re.search(r"fee \(gas\) [5-9]\d{3} \(0\.00000\d+ SOL\)", here.words), here.out
    for ends in (("sbxs", "USDC", "sbxa", "USDC"), ("sbxa", "USDC", "sbxs", "USDC")):
        across = command("quote", *ends, "100", "--url", url, "--best")
        assert across.code == 0, across.err
        assert "inputAmount 100000000 (100 USDC)" in across.words


def test_only_the_best_on_demand_and_raw_amounts_too(demo: Demo, command: Command) -> None:
    described = demo.sandbox["chains"][0]
    token = described["tokens"]["USDC"]["address"]
    words = ("quote", str(described["id"]), token, "sbxa", "WETH", "2500000", "--raw", "--best")
    ran = command(*words, "--url", str(demo.sandbox["base_url"]))
    assert ran.code == 0, ran.err
    assert "inputAmount 2500000 (2.5 USDC)" in ran.words
    assert "at least" not in ran.words


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("mars", "USDC", "sbxa", "ETH", "1"), "mars"),
        (("sbxa", "NOSUCH", "sbxa", "ETH", "1"), "NOSUCH"),
        (("sbxa", "USDC", "sbxa", "ETH", "1.0000001"), "USDC has 6 decimals, so 1.0000001 is not an amount of it"),
        (("sbxa", "USDC", "sbxa", "ETH", "1,000"), "'1,000' is not a number above 0"),
    ],
)
def test_what_is_not_known_is_named(demo: Demo, command: Command, words: tuple[str, ...], says: str) -> None:
    ran = command("quote", *words, "--url", str(demo.sandbox["base_url"]))
    assert ran.code == 1
    assert says in ran.err


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
