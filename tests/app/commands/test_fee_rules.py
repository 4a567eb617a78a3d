"""Fee rules, and fee wallets, as commands take and refuse them."""

from fractions import Fraction

import pytest

from rhumbline.domain.fee import FeeRule
from rhumbline.gateways.nodes.evm.deployment import diamond_address
from tests.app.commands.test_integrators import rule_of
from tests.app.conftest import Command


@pytest.mark.parametrize("verb", ["create", "wallets"])
def test_a_contract_of_the_service_is_no_wallet(rhumbline: Command, monkeypatch: pytest.MonkeyPatch, verb: str) -> None:
    monkeypatch.setenv("RHUMBLINE_CHAINS", '[{"id": 8453, "rpc": "http://127.0.0.1:9"}]')
    for address in (diamond_address(), "0x4200000000000000000000000000000000000006"):
        failed = rhumbline("integrators", verb, "acme", "--evm-wallet", address.lower())
        assert failed.code == 1
        assert failed.err.startswith("evm_wallet: is a contract of the service itself")


def test_fees_are_set_in_part_and_returned_to_the_settings(rhumbline: Command, store_dsn: str) -> None:
    rhumbline("integrators", "create", "acme")
    assert rhumbline("integrators", "fees", "acme", "--largest-share", "0.05").code == 0
    assert rule_of(store_dsn, "acme") == FeeRule(Fraction(2, 1000), Fraction(5, 100))
    said = rhumbline("integrators", "fees", "Acme", "--service-share", "0.0003").err
    assert said == "Acme: service share 0.0003, largest integrator share 0.05 (its own)\n"
    assert rule_of(store_dsn, "acme") == FeeRule(Fraction(3, 10_000), Fraction(5, 100))
    assert "service share 0.0003, largest integrator share 0.05 (its own)" in rhumbline(
        "integrators", "show", "acme"
    ).words.replace("\n", " ")
    assert rhumbline("integrators", "fees", "acme", "--default").code == 0
    assert rule_of(store_dsn, "acme") is None


def test_a_key_has_a_fee_rule_of_its_own_until_returned(rhumbline: Command) -> None:
    rhumbline("integrators", "create", "acme")
    rhumbline("integrators", "fees", "acme", "--largest-share", "0.05")
    number = rhumbline("keys", "create", "--integrator", "acme").err.split()[1]
    said = rhumbline("keys", "fees", number, "--service-share", "0.0007").err
    assert said == f"key {number}: service share 0.0007, largest integrator share 0.05 (its own)\n"
    said = rhumbline("keys", "fees", number, "--default").err
    assert said.startswith(f"key {number}: service share 0.002, largest integrator share 0.05 (its integrator's")
    failed = rhumbline("keys", "fees", "999999", "--default")
    assert (failed.code, failed.err.split(":")[0]) == (1, "key")


@pytest.mark.parametrize(
    ("words", "faults"),
    [
        ([], ["fees"]),
        (["--default", "--largest-share", "0.1"], ["fees"]),
        (["--service-share", "0.11"], ["service_share"]),
        (["--service-share=-0.01", "--largest-share", "0.2"], ["service_share", "largest_integrator_share"]),
        (["--largest-share", "1e-999999999"], ["largest_integrator_share"]),
        (["--largest-share", "0.0000000000000000001"], ["largest_integrator_share"]),
        (["--largest-share", "nan"], ["largest_integrator_share"]),
        (["--largest-share", "-inf"], ["largest_integrator_share"]),
        (["--largest-share", "a tenth"], ["largest_integrator_share"]),
    ],
)
def test_a_wrong_share_changes_nothing(rhumbline: Command, store_dsn: str, words: list[str], faults: list[str]) -> None:
    rhumbline("integrators", "create", "acme")
    failed = rhumbline("integrators", "fees", "acme", *words)
    assert (failed.code, failed.out) == (1, "")
    assert [line.split(":")[0] for line in failed.err.splitlines()] == faults
    assert rule_of(store_dsn, "acme") is None
