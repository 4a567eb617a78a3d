"""Every failure has a code of the contract, and invalid requests name all their faults."""

from collections.abc import Iterator

import pytest

from rhumbline.domain.errors import InvalidRequest, KeyMissing, RhumblineError, WrongAddress


def leaves(error: type[RhumblineError]) -> Iterator[type[RhumblineError]]:
    below = error.__subclasses__()
    yield from (leaf for each in below for leaf in leaves(each)) if below else (error,)


def test_every_failure_has_a_code() -> None:
    assert all(leaf.code.isupper() for leaf in leaves(RhumblineError))


@pytest.mark.parametrize("error", [InvalidRequest, WrongAddress])
def test_the_first_fault_is_in_the_message_and_all_are_in_the_details(
    error: type[InvalidRequest | WrongAddress],
) -> None:
    both = error(["amount: too small", "slippage: too large"])
    assert both.message.endswith(": amount: too small (and 1 more)")
    assert both.details == {"message": ["amount: too small", "slippage: too large"]}
    assert error(["amount: too small"]).message.endswith(": amount: too small")


def test_what_a_key_does_not_allow_is_told_to_machines() -> None:
    assert KeyMissing("Send a key").details == {"errorCode": "API_KEY_MISSING"}
