"""`rhumbline integrators`: members, invitations and the log, on a real store."""

import re

import pytest

from rhumbline.accounts.invitations import Invitations
from rhumbline.accounts.members import Members
from rhumbline.domain.account import Role
from rhumbline.domain.clock import system_clock
from tests.app.commands.test_integrators import OTHER, WALLET, read
from tests.app.conftest import Command

LINK = re.compile(r"http://127\.0\.0\.1:8700/portal/join#([A-Za-z0-9_-]{43})\n")


def roles(dsn: str) -> list[tuple[str, Role]]:
    found = read(dsn, lambda engine: Members(engine, system_clock).members_of("acme"))
    return [(each.address, each.role) for each in found]


@pytest.fixture
def acme(rhumbline: Command) -> Command:
    assert rhumbline("integrators", "create", "acme").code == 0
    return rhumbline


def test_a_member_is_added_changed_and_removed(acme: Command, store_dsn: str) -> None:
    added = acme("integrators", "member", "ACME", WALLET.lower(), "--role", "viewer")
    assert (added.code, added.err) == (0, f"{WALLET} can sign in for ACME as viewer\n")
    assert acme("integrators", "owner", "acme", OTHER).code == 0
    assert acme("integrators", "member", "acme", WALLET, "--role", "developer").code == 0
    assert roles(store_dsn) == [(OTHER, Role.OWNER), (WALLET, Role.DEVELOPER)]
    listed = acme("integrators", "members", "Acme").words
    assert f"{OTHER} owner 20" in listed
    assert f"{WALLET} developer 20" in listed
    assert f"signs in {OTHER}, {WALLET} (developer)" in acme("integrators", "show", "acme").words
    gone = acme("integrators", "member", "acme", WALLET, "--remove")
    assert (gone.code, gone.err) == (0, f"{WALLET} can no longer sign in for acme\n")
    assert acme("integrators", "member", "acme", OTHER, "--remove").code == 0, "the operator may remove the last one"
    assert roles(store_dsn) == []


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["member", "acme", WALLET], "role: give --role, or --remove, and not both"),
        (["member", "acme", WALLET, "--role", "owner", "--remove"], "role: give --role, or --remove, and not both"),
        (["member", "acme", WALLET[:-1], "--role", "owner"], "owner: must be an EVM address"),
        (["member", "acme", WALLET, "--remove"], f"member: {WALLET} does not sign in for 'acme'"),
        (["member", "nobody", WALLET, "--role", "viewer"], "integrator: there is no integrator named 'nobody'"),
        (["members", "nobody"], "integrator: there is no integrator named 'nobody'"),
        (["invite", "nobody", "--role", "viewer"], "integrator: there is no integrator named 'nobody'"),
        (["invite", "acme", "--role", "viewer", "--days", "31"], "days: an invitation lives for 1 to 30 days"),
        (["invite", "acme", "--role", "viewer", "--wallet", "0x1"], "wallet: must be an EVM address"),
        (["withdraw", "acme", "7"], "invitation: there is no such open one"),
        (["audit", "nobody"], "integrator: there is no integrator named 'nobody'"),
    ],
)
def test_what_is_wrong_is_named(acme: Command, words: list[str], fault: str) -> None:
    failed = acme("integrators", *words)
    assert (failed.code, failed.out) == (1, "")
    assert failed.err.startswith(fault)
    assert "Traceback" not in failed.err


def test_an_unknown_role_is_no_word_of_the_command(acme: Command) -> None:
    assert acme("integrators", "member", "acme", WALLET, "--role", "admin").code == 2


def test_an_invitation_is_a_link_that_is_shown_once(acme: Command, store_dsn: str) -> None:
    made = acme("integrators", "invite", "Acme", "--role", "developer", "--wallet", WALLET.lower(), "--days", "3")
    link = LINK.fullmatch(made.out)
    assert link is not None, made.out
    assert re.fullmatch(rf"invitation 1: developer of acme, for {WALLET}, once, until 20\S+\n", made.err)
    listed = acme("integrators", "members", "acme")
    assert f"{WALLET} developer 1, until 20" in listed.words
    read(store_dsn, lambda engine: Invitations(engine, system_clock).accept(link[1], WALLET))
    assert roles(store_dsn) == [(WALLET, Role.DEVELOPER)]
    other = LINK.fullmatch(acme("integrators", "invite", "acme", "--role", "viewer").out)
    assert other is not None
    assert acme("integrators", "withdraw", "ACME", "2").code == 0
    with pytest.raises(Exception, match="it was withdrawn"):
        read(store_dsn, lambda engine: Invitations(engine, system_clock).accept(other[1], OTHER))
    for secret in (link[1], other[1]):
        assert secret not in acme("integrators", "audit", "acme", "--json").out


def test_the_log_says_who_changed_what(acme: Command) -> None:
    text = acme("keys", "create", "--integrator", "acme", "--name", "Checkout").out.strip()
    assert acme("keys", "limits", "1", "--quotes", "500").code == 0
    assert acme("keys", "revoke", "1").code == 0
    shown = acme("integrators", "audit", "acme")
    assert text not in shown.out
    lines = [line.split("  ") for line in shown.out.splitlines()]
    assert [line[0].strip() for line in lines] == ["entry", "4", "3", "2", "1"]
    for words in ("operator key revoked", "operator key limits set", f"operator key created key 1 ({text[:12]}…)"):
        assert words in shown.words
    assert "key revoked" in acme("integrators", "audit", "acme", "--most", "1").out
    assert "key revoked" not in acme("integrators", "audit", "acme", "--before", "4").out
