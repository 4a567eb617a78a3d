"""`rhumbline integrators` on a real store: what it sets is what the service reads."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.members import Members
from rhumbline.accounts.service import Accounts
from rhumbline.domain.account import Role
from rhumbline.domain.clock import system_clock
from rhumbline.domain.fee import FeeRule
from rhumbline.gateways.postgres.engine import create_engine
from tests.app.conftest import Command

WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
OTHER = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
SVM = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"

T = TypeVar("T")


def read(dsn: str, ask: Callable[[AsyncEngine], Awaitable[T]]) -> T:
    """Ask the store what it holds now, on a loop of its own."""

    async def go() -> T:
        engine = create_engine(dsn)
        try:
            return await ask(engine)
        finally:
            await engine.dispose()

    return asyncio.run(go())


def rule_of(dsn: str, name: str) -> FeeRule | None:
    return read(dsn, lambda engine: Accounts(engine, system_clock).rule(name))


def wallets_of(dsn: str, name: str) -> tuple[str | None, str | None]:
    found = read(dsn, lambda engine: Accounts(engine, system_clock).integrator(name))
    assert found is not None
    return found.evm_wallet, found.svm_wallet


def owned(dsn: str, wallet: str) -> tuple[str, ...]:
    found = read(dsn, lambda engine: Members(engine, system_clock).memberships_of(wallet))
    return tuple(each.integrator for each in found if each.role is Role.OWNER)


def test_an_integrator_is_registered_and_shown(rhumbline: Command, store_dsn: str) -> None:
    made = rhumbline("integrators", "create", "Acme", "--evm-wallet", WALLET.lower(), "--svm-wallet", SVM)
    assert (made.code, made.out, made.err) == (0, "", "Acme is registered\n")
    assert wallets_of(store_dsn, "acme") == (WALLET, SVM)
    assert rhumbline("integrators", "create", "Bcme").code == 0
    listed = rhumbline("integrators", "list")
    assert listed.code == 0
    assert [line.split()[0] for line in listed.out.splitlines()] == ["integrator", "Acme", "Bcme"]
    assert f"Acme {WALLET} {SVM} 20" in listed.words
    text = rhumbline("keys", "create", "--integrator", "acme").out.strip()
    shown = rhumbline("integrators", "show", "ACME")
    assert shown.code == 0
    assert f"EVM wallet {WALLET} SVM wallet {SVM}" in shown.words
    assert "service share 0.002, largest integrator share 0.1 (the settings)" in shown.words
    assert "signs in nobody" in shown.words
    assert f"keys 1 ({text[:12]}…)" in shown.words
    assert text not in shown.out
    assert rhumbline("keys", "revoke", "1").code == 0
    assert "keys none that is valid" in rhumbline("integrators", "show", "acme").words


def test_wallets_are_set_together_and_removed(rhumbline: Command, store_dsn: str) -> None:
    rhumbline("integrators", "create", "acme", "--evm-wallet", WALLET)
    both = rhumbline("integrators", "wallets", "ACME", "--evm-wallet", OTHER, "--svm-wallet", SVM)
    assert (both.code, both.err) == (0, f"acme: EVM wallet {OTHER}\nacme: SVM wallet {SVM}\n")
    assert wallets_of(store_dsn, "acme") == (OTHER, SVM)
    assert rhumbline("integrators", "wallets", "acme", "--evm-wallet", "none").code == 0
    assert wallets_of(store_dsn, "acme") == (None, SVM)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ([], "wallets: nothing to set; give --evm-wallet or --svm-wallet"),
        (["--svm-wallet", SVM, "--evm-wallet", WALLET[:-1] + "D"], "evm_wallet: has a wrong checksum"),
        (["--svm-wallet", SVM, "--evm-wallet", WALLET[:-1]], "evm_wallet: must be an EVM address"),
        (["--evm-wallet", "0x" + "0" * 40], "evm_wallet: is an address that nobody can sign for"),
        (["--evm-wallet", "0x" + "0" * 39 + "1"], "evm_wallet: is an address that nobody can sign for"),
        (["--evm-wallet", OTHER, "--svm-wallet", WALLET], "svm_wallet: must be a Solana address"),
        (["--evm-wallet", OTHER, "--svm-wallet", ""], "svm_wallet: must be a Solana address"),
    ],
)
def test_a_wrong_wallet_changes_nothing(rhumbline: Command, store_dsn: str, words: list[str], fault: str) -> None:
    rhumbline("integrators", "create", "acme", "--evm-wallet", WALLET)
    failed = rhumbline("integrators", "wallets", "acme", *words)
    assert (failed.code, failed.out) == (1, "")
    assert failed.err.startswith(fault)
    assert wallets_of(store_dsn, "acme") == (WALLET, None)


def test_all_wrong_wallets_are_named_at_once(rhumbline: Command) -> None:
    failed = rhumbline("integrators", "create", "root", "--evm-wallet", "0x1", "--svm-wallet", "0x2")
    assert [line.split(":")[0] for line in failed.err.splitlines()] == ["integrator", "evm_wallet", "svm_wallet"]


def test_an_owner_may_sign_in_until_removed(rhumbline: Command, store_dsn: str) -> None:
    rhumbline("integrators", "create", "acme")
    assert rhumbline("integrators", "owner", "ACME", WALLET.lower()).err == f"{WALLET} can sign in for ACME\n"
    assert rhumbline("integrators", "owner", "acme", WALLET).code == 0, "once more changes nothing"
    assert rhumbline("integrators", "owner", "acme", OTHER).code == 0
    assert owned(store_dsn, WALLET) == ("acme",)
    shown = rhumbline("integrators", "show", "acme").words
    assert f"signs in {WALLET}, {OTHER}" in shown
    assert rhumbline("integrators", "owner", "Acme", WALLET, "--remove").code == 0
    assert owned(store_dsn, WALLET) == ()
    assert owned(store_dsn, OTHER) == ("acme",)
    again = rhumbline("integrators", "owner", "acme", WALLET, "--remove")
    assert (again.code, again.err) == (
        1,
        f"member: {WALLET} does not sign in for 'acme'; see its list of members\n",
    )
    wrong = rhumbline("integrators", "owner", "acme", WALLET[:-1] + "D")
    assert (wrong.code, wrong.err.split(";")[0]) == (1, "owner: has a wrong checksum")


@pytest.mark.parametrize(
    "words",
    [
        ["show", "nobody"],
        ["show", "two words"],
        ["wallets", "nobody", "--evm-wallet", WALLET],
        ["fees", "nobody", "--default"],
        ["fees", "nobody", "--largest-share", "0.01"],
        ["owner", "nobody", WALLET],
    ],
)
def test_an_unknown_integrator_is_named(rhumbline: Command, words: list[str]) -> None:
    failed = rhumbline("integrators", *words)
    assert (failed.code, failed.out) == (1, "")
    assert failed.err.startswith("integrator: there is no integrator named ")
    assert "Traceback" not in failed.err


def test_a_taken_name_is_refused_in_any_case(rhumbline: Command) -> None:
    assert rhumbline("integrators", "create", "acme").code == 0
    failed = rhumbline("integrators", "create", "ACME")
    assert (failed.code, failed.err) == (1, "integrator: ACME is taken; choose another name\n")
