"""The SvmSpoke's addresses and layouts, held to what the vendor publishes.

The vaults are those of script/chain-adapters/DeploySolanaAdapter.s.sol, the names' bytes those of the program's IDL,
both of across-protocol/contracts, read 2026-11-22.
"""

from dataclasses import replace

import pytest

from rhumbline.adapters.across.calldata import DepositCall
from rhumbline.adapters.across.deployments import DEPLOYMENTS, SOLANA
from rhumbline.adapters.across.logs import Relay
from rhumbline.adapters.across.svm.program import DEPOSIT, decode, delegate_of, encode, fill_of, relay_hash, vault_of
from rhumbline.adapters.across.svm.proof import EXECUTED_REFUNDS, FILLED_RELAY, FUNDS_DEPOSITED
from rhumbline.devnet.upstreams.across import svm_spoke
from rhumbline.devnet.upstreams.across.relay import Relay as SandboxRelay
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.svm.address import anchor_name
from rhumbline.gateways.svm.programs import SPL

VAULTS = [
    (
        DEPLOYMENTS[SOLANA].spoke_pool,
        "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
        "HYhZwefNFmEm9sXYKkNM4QPMgGQnS9VjC6kgxwrGk3Ru",
    ),
    (
        "JAZWcGrpSWNPTBj8QtJ9UyQqhJCDhG9GJkDeMf5NQBiq",
        "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
        "BoYRcMVZE7aBdWkMiCXn1Choa1EAAsi4PR2PmzrKeErJ",
    ),
]
CALL = DepositCall(
    b"\1" * 32, b"\2" * 32, b"\3" * 32, b"\4" * 32, 10**9, 999 * 10**6, 8453, b"\5" * 32, 1_795_000_000,
    1_795_010_800, 10,
)  # fmt: skip
RELAY = Relay(
    b"\1" * 32, b"\2" * 32, b"\5" * 32, b"\3" * 32, b"\4" * 32, 10**9, 999 * 10**6, 8453, 7, 1_795_010_800,
    1_795_000_010, bytes(32),
)  # fmt: skip


@pytest.mark.parametrize(("program", "mint", "vault"), VAULTS)
def test_vaults_are_where_the_vendor_has_them(program: str, mint: str, vault: str) -> None:
    assert vault_of(program, mint, SPL) == vault


def test_names_are_those_of_the_idl() -> None:
    assert DEPOSIT.hex() == "f223c68952e1f2b6"
    assert FUNDS_DEPOSITED.hex() == "e445a52e51cb9a1d" + "9dd1645f3b640344"
    assert FILLED_RELAY.hex() == "e445a52e51cb9a1d" + "193ab6003263a075"
    assert EXECUTED_REFUNDS.hex() == "e445a52e51cb9a1d" + "c6a7f8af220304f0"
    assert anchor_name("account", "State").hex() == "d8926b5e684bb6b1"
    assert anchor_name("account", "FillStatusAccount").hex() == "695958231893b289"


def test_a_deposit_is_read_as_it_was_written_and_nothing_else_is() -> None:
    data = encode(replace(CALL, message=b"message"))
    assert decode(data) == replace(CALL, message=b"message")
    for spoilt in (data[:-1], data + b"\0", b"\0" + data[1:], data[:8], b"", encode(CALL)[:-4]):
        with pytest.raises(MalformedAnswer):
            decode(spoilt)


def test_every_argument_has_a_delegate_of_its_own() -> None:
    program = DEPLOYMENTS[SOLANA].spoke_pool
    others = [
        replace(CALL, depositor=b"\0" * 32), replace(CALL, recipient=b"\0" * 32), replace(CALL, input_token=b"\0" * 32),
        replace(CALL, output_token=b"\0" * 32), replace(CALL, input_amount=1), replace(CALL, output_amount=1),
        replace(CALL, destination=1), replace(CALL, exclusive_relayer=b"\0" * 32), replace(CALL, quote_timestamp=1),
        replace(CALL, fill_deadline=1), replace(CALL, exclusivity=1), replace(CALL, message=b"\0"),
    ]  # fmt: skip
    assert len({delegate_of(program, each) for each in (CALL, *others)}) == 13


def test_the_sandbox_came_to_the_same_addresses_by_itself() -> None:
    """Both were written from the vendor's source, and share nothing."""
    told = SandboxRelay(
        *(RELAY.depositor, RELAY.recipient, RELAY.exclusive_relayer, RELAY.input_token, RELAY.output_token),
        *(RELAY.input_amount, RELAY.output_amount, RELAY.origin, RELAY.deposit_id, RELAY.fill_deadline),
        *(RELAY.exclusivity_deadline, b""),
    )
    digest = relay_hash(RELAY, 900_003)
    assert digest == svm_spoke.relay_hash(told, 900_003)
    assert fill_of(svm_spoke.SPOKE, digest) == svm_spoke.fill_account(told, 900_003)
    assert delegate_of(svm_spoke.SPOKE, CALL) == svm_spoke.deposit_delegate(encode(CALL)[8:])
