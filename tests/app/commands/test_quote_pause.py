"""Quoting as a whole is paused and resumed on the command line."""

from tests.app.conftest import Command
from tests.app.test_cli import failed


def test_quoting_is_paused_once_and_lists_say_so(rhumbline: Command) -> None:
    done = rhumbline("quoting", "pause", "--reason", "we move house", "--public", "--by", "alice")
    assert (done.code, done.err) == (0, "quoting is paused: all processes take it over within 2 s\n")
    again = rhumbline("quoting", "pause", "--reason", "x")
    failed(again, 1, "quoting is paused since ", "by alice: we move house (public); to change that, resume it")
    for words in (("adapters", "list"), ("chains", "list")):
        assert "quoting is paused since " in rhumbline(*words).err
    rhumbline("chains", "pause", "base", "--reason", "x")
    resumed = rhumbline("quoting", "resume")
    assert resumed.err == "quoting is resumed: all processes take it over within 2 s; still paused: base\n"
    failed(rhumbline("quoting", "resume"), 1, "quoting is not paused; still paused: base")
    assert rhumbline("adapters", "list").err == ""
