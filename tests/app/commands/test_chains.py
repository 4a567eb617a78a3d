"""Chains are paused and resumed on the command line."""

import json

import pytest

from tests.app.conftest import NOWHERE, Command
from tests.app.test_cli import failed


@pytest.fixture
def served(rhumbline: Command, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("RHUMBLINE_CHAINS", json.dumps([{"id": 8453, "rpc": NOWHERE}, {"id": 10, "rpc": NOWHERE}]))
    return rhumbline


def test_the_list_has_what_is_served_and_what_is_paused(served: Command) -> None:
    done = served("chains", "pause", "base", "--reason", "it is being upgraded", "--by", "alice")
    assert (done.code, done.err) == (0, "base is paused: all processes take it over within 2 s\n")
    served("chains", "pause", "1", "--reason", "no use")
    served("adapters", "pause", "ACROSS", "--chain", "arb", "--reason", "x")
    listed = served("chains", "list", "--json")
    rows = {row["chain"]: row for row in json.loads(listed.out)}
    assert {key: row["served"] for key, row in rows.items()} == {"base": "yes", "op": "yes", "eth": "no"}
    assert rows["base"]["paused"].endswith(" by alice: it is being upgraded")
    assert rows["op"]["paused"] is None
    assert listed.err == ""
    assert len(json.loads(served("chains", "list", "--all", "--json").out)) > 20
    again = served("chains", "pause", "BASE", "--reason", "x")
    failed(again, 1, "base is paused since ", "by alice: it is being upgraded; to change that")
    assert served("chains", "resume", "base").code == 0
    failed(served("chains", "resume", "base"), 1, "base is not paused")


def test_a_chain_that_there_is_not(served: Command) -> None:
    failed(served("chains", "pause", "nowhere", "--reason", "x"), 1, "chain: there is no 'nowhere'; there are eth, ")
