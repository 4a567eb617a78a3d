"""`rhumbline quote` as a person types it: keys, symbols and amounts, and every answer beside the best."""

import re
from pathlib import Path

import pytest

from tests.app.conftest import Command, command
from tests.e2e.running_demo import Demo

__all__ = ["command"]


def test_keys_symbols_and_an_amount_are_enough(demo: Demo, command: Command) -> None:
    url = str(demo.sandbox["base_url"])
    here = command("quote", "sbxa", "usdc", "sbxa", "ETH", "100.5", "--url", url)
    assert here.code == 0, here.err
    assert "for display only" in here.err
    assert "inputAmount 100500000 (100.5 USDC)" in here.words
    assert re.search(r"best [A-Z0-9_]+ 0\.0\d+ ETH 0\.0\d+ ETH SUCCESS", here.words)
    assert here.words.index("best ") < here.words.index("ONCHAIN")
    wallets = ("--sender", "0x" + "22" * 20, "--refund-to", "0x" + "33" * 20)
    across = command("quote", "sbxa", "USDC", "sbxb", "USDC", "100", "--url", url, *wallets)
    assert across.code == 0, across.err
    assert "for display only" not in across.err
    for adapter in ("ACROSS", "RELAY"):
        assert re.search(rf"{adapter} \d", across.words), across.out
    # It cannot be told whom to refund.
    assert "MAYAN_MCTP NO_AVAILABLE_QUOTES" in across.words, across.out


def test_solana_can_be_looked_at_without_a_wallet(demo: Demo, command: Command) -> None:
    url = str(demo.sandbox["base_url"])
    here = command("quote", "sbxs", "USDC", "sbxs", "SOL", "100", "--url", url)
    assert here.code == 0, here.err
    assert "for display only" in here.err
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


def test_an_exact_output_says_what_is_spent(demo: Demo, command: Command) -> None:
    words = ("quote", "sbxa", "USDC", "sbxa", "ETH", "0.05", "--exact-output")
    ran = command(*words, "--url", str(demo.sandbox["base_url"]))
    assert ran.code == 0, ran.err
    least = re.search(r"minOutputAmount (\d+) \(0\.05", ran.words)
    assert least is not None, ran.out
    assert int(least[1]) >= 5 * 10**16
    assert re.search(r"adapter spends receives at least simulation", ran.words), ran.out
    assert "expectedSurplus" in ran.words


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


def test_an_answer_is_saved_with_its_explanation_and_recomputes(demo: Demo, command: Command, tmp_path: Path) -> None:
    url, file = str(demo.sandbox["base_url"]), tmp_path / "quote.json"
    ran = command("quote", "sbxa", "WETH", "sbxa", "USDC", "3", "--url", url, "--explain", str(file))
    assert ran.code == 0, ran.err
    node = next(chain["rpc_url"] for chain in demo.sandbox["chains"] if chain["key"] == "sbxa")
    checked = command("quote", "--explain", str(file), "--against", str(node))
    assert checked.code == 0, checked.err
    assert "equal to the node's" in checked.out
