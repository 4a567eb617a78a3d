"""Who changed what and why, of the service and of integrators, for operators alone."""

import getpass
import json

from tests.app.conftest import Command
from tests.app.test_cli import failed


def test_changes_of_fees_and_limits_have_who_and_why(rhumbline: Command) -> None:
    rhumbline("integrators", "create", "acme")
    number = rhumbline("keys", "create", "--integrator", "acme").err.split()[1]
    rhumbline("integrators", "fees", "acme", "--service-share", "0.001", "--reason", "agreed", "--by", "alice")
    rhumbline("keys", "limits", number, "--quotes", "700", "--reason", "they asked")
    rhumbline("keys", "fees", number, "--service-share", "0.003", "--by", "bob")
    rhumbline("quoting", "pause", "--reason", "a drill")
    rows = json.loads(rhumbline("audit", "--json").out)
    told = [(row["who"], row["of"], row["what"], row["reason"]) for row in rows]
    assert told[:4] == [
        (f"operator {getpass.getuser()}", "the service", "paused", "a drill"),
        ("operator bob", "acme", "key fee rule set", None),
        (f"operator {getpass.getuser()}", "acme", "key limits set", "they asked"),
        ("operator alice", "acme", "fee rule set", "agreed"),
    ]
    # What integrators see of their own log names no person and no reason.
    own = rhumbline("integrators", "audit", "acme", "--json").out
    assert not {"alice", "bob", "agreed", "they asked", "a drill"} & set(own.replace('"', " ").split())
    assert "alice" not in own
    assert len(json.loads(rhumbline("audit", "--service", "--json").out)) == 1
    assert len(json.loads(rhumbline("audit", "--most", "2", "--json").out)) == 2
    older = json.loads(rhumbline("audit", "--before", rows[0]["entry"], "--json").out)
    assert [row["entry"] for row in older] == [row["entry"] for row in rows[1:]]


def test_a_reason_that_is_too_long_changes_no_fee(rhumbline: Command) -> None:
    rhumbline("integrators", "create", "acme")
    long = ("--reason", "x" * 201)
    failed(rhumbline("integrators", "fees", "acme", "--service-share", "0.001", *long), 1, "reason: has 201")
    assert "fee rule set" not in rhumbline("audit").out
