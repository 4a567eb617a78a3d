"""The log level of running processes, on the command line."""

import pytest

from tests.app.conftest import Command
from tests.app.test_cli import failed


def test_a_level_is_set_shown_and_given_back(rhumbline: Command) -> None:
    assert rhumbline("log-level").out == "info, by the settings\n"
    done = rhumbline("log-level", "DEBUG", "--for", "2d", "--reason", "a case")
    assert (done.code, done.err) == (0, "the log level is debug, for 2d: all processes take it over within 2 s\n")
    assert rhumbline("log-level").out in ("debug for another 2 d\n", "debug for another 47 h\n")
    assert rhumbline("log-level", "warning").err.startswith("the log level is warning: all processes")
    assert rhumbline("log-level").out == "warning\n"
    assert rhumbline("log-level", "settings").err.startswith("the log level is that of the settings: all")
    assert rhumbline("log-level").out == "info, by the settings\n"


@pytest.mark.parametrize(
    ("words", "faults"),
    [
        (("loud",), ["level: there is no 'loud'; there are debug, info, warning, error, settings"]),
        (("debug", "--for", "1.5h"), ["for: must be a time from 1s to 7d"]),
        (("debug", "--for", "8d"), ["for: must be a time from 1s to 7d"]),
        (("debug", "--for", "0s"), ["for: must be a time from 1s to 7d"]),
        (("settings", "--for", "1h"), ["for: settings holds until another level is set"]),
        (("loud", "--for", "long"), ["level: there is no", "for: must be a time"]),
        (("--for", "1h"), ["level: is missing"]),
        (("debug", "--reason", "x" * 201), ["reason: has 201 characters"]),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(
    rhumbline: Command, words: tuple[str, ...], faults: list[str]
) -> None:
    failed(rhumbline("log-level", *words), 1, *faults)
    assert rhumbline("log-level").out == "info, by the settings\n"
