import pytest

from rhumbline.domain.delegation import is_contract, is_delegation

DELEGATED = bytes.fromhex("ef0100") + bytes(20)


@pytest.mark.parametrize(
    ("code", "contract", "delegation"),
    [(b"", False, False), (DELEGATED, False, True), (b"\x60\x80", True, False), (b"\xef\x01", True, False)],
)
def test_a_wallet_that_borrows_code_is_no_contract(code: bytes, contract: bool, delegation: bool) -> None:
    assert (is_contract(code), is_delegation(code)) == (contract, delegation)
