"""Adapters are paused and resumed on the command line."""

import json

import pytest

from tests.app.conftest import Command
from tests.app.test_cli import failed


def test_an_adapter_is_paused_on_a_chain_and_everywhere(rhumbline: Command) -> None:
    done = rhumbline("adapters", "pause", "across", "--chain", "base", "--reason", "fills late", "--by", "alice")
    assert (done.code, done.err) == (0, "ACROSS on base is paused: all processes take it over within 2 s\n")
    assert rhumbline("adapters", "pause", "ACROSS", "--reason", "stuck", "--public").code == 0
    rows = {row["adapter"]: row for row in json.loads(rhumbline("adapters", "list", "--json").out)}
    assert (rows["ONCHAIN"]["settings"], rows["OKX"]["settings"], rows["RELAY"]["paused"]) == ("on", "off", None)
    everywhere, on_base = rows["ACROSS"]["paused"].split("; ")
    assert everywhere.startswith("everywhere since ")
    assert everywhere.endswith(": stuck (public)")
    assert on_base.startswith("on base since ")
    assert on_base.endswith(" by alice: fills late")
    resumed = rhumbline("adapters", "resume", "ACROSS", "--reason", "it moves", "--by", "bob")
    assert resumed.err == "ACROSS is resumed: all processes take it over within 2 s; still paused: ACROSS on base\n"
    (last, *_) = json.loads(rhumbline("audit", "--json").out)
    expected = {"who": "operator bob", "of": "the service", "what": "resumed", "detail": "ACROSS", "reason": "it moves"}
    assert {name: last[name] for name in expected} == expected


def test_a_list_of_one_chain_has_the_adapters_that_are_there(rhumbline: Command) -> None:
    rhumbline("adapters", "pause", "across", "--chain", "base", "--reason", "fills late")
    for chain, there, not_there in (("sol", "JUPITER", "KYBERSWAP"), ("8453", "ONCHAIN", "JUPITER")):
        rows = {
            row["adapter"]: row for row in json.loads(rhumbline("adapters", "list", "--chain", chain, "--json").out)
        }
        assert there in rows
        assert not_there not in rows
        assert (rows["ACROSS"]["paused"] is not None) is (chain == "8453")


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("pause", "acros", "--reason", "x"), "adapter: there is no 'acros'; there are ACROSS, DFLOW, "),
        (("pause", "ACROSS", "--chain", "nowhere", "--reason", "x"), "chain: there is no 'nowhere'; there are eth, "),
        (("pause", "ACROSS", "--reason", "x" * 201), "reason: has 201 characters; at most 200 are allowed"),
        (("pause", "ACROSS", "--reason", "x" * 101, "--public"), "reason: has 101 characters; at most 100"),
        (("pause", "ACROSS", "--reason", " "), "reason: is empty"),
        (("pause", "ACROSS", "--reason", "a\nb"), "reason: has a character that cannot be printed"),
        (("pause", "ACROSS", "--reason", "x", "--by", "a" * 65), "by: has 65 characters"),
        (("resume", "ACROSS"), "ACROSS is not paused"),
        (("list", "--chain", "nowhere"), "chain: there is no 'nowhere'"),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(rhumbline: Command, words: tuple[str, ...], fault: str) -> None:
    failed(rhumbline("adapters", *words), 1, fault)
    assert rhumbline("audit", "--service", "--json").out == "[]\n"


def test_pausing_twice_and_resuming_the_wrong_one(rhumbline: Command) -> None:
    failed(rhumbline("adapters", "pause", "ACROSS"), 2, "--reason")
    rhumbline("adapters", "pause", "ACROSS", "--chain", "base", "--reason", "fills late", "--by", "alice")
    again = rhumbline("adapters", "pause", "ACROSS", "--chain", "8453", "--reason", "other")
    failed(again, 1, "ACROSS on base is paused since ", "by alice: fills late; to change that, resume it")
    failed(rhumbline("adapters", "resume", "ACROSS"), 1, "ACROSS is not paused; still paused: ACROSS on base")
