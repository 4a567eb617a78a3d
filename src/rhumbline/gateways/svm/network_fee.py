"""What the runtime takes for a transaction: for each signature that it verifies, and for the units that it may use.

Source: solana.com/docs/core/fees, and github.com/anza-xyz/agave, fee/src/lib.rs, read 2026-11-22.
"""

from dataclasses import dataclass

from solders.errors import BincodeError
from solders.transaction import VersionedTransaction

from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.svm.compute_budget import MOST_UNITS, ComputeBudget, read_budget

LAMPORTS_PER_SIGNATURE = 5_000
_VERIFIERS = frozenset({
    "Ed25519SigVerify111111111111111111111111111", "KeccakSecp256k11111111111111111111111111111",
    "Secp256r1SigVerify1111111111111111111111111",
})  # fmt: skip
"""Programs whose instructions begin with how many signatures they have verified, each paid for."""


@dataclass(frozen=True, slots=True)
class NetworkFee:
    """Who pays, and between what the lamports lie: one number, but where a price has no limit of units with it."""

    payer: str
    least: int
    most: int


def network_fee(transaction: bytes) -> NetworkFee:
    """Return what a serialised transaction costs, signed or not; ValueError for what is none."""
    try:
        message = VersionedTransaction.from_bytes(transaction).message
    except BincodeError as error:
        raise ValueError(f"not a transaction: {error}") from None
    keys = [str(key) for key in message.account_keys]
    if any(each.program_id_index >= len(keys) for each in message.instructions):
        raise ValueError("an instruction calls a program that is not there")
    instructions = [SvmInstruction(keys[each.program_id_index], (), each.data) for each in message.instructions]
    verified = sum(each.data[0] for each in instructions if each.program in _VERIFIERS and each.data)
    base = LAMPORTS_PER_SIGNATURE * (message.header.num_required_signatures + verified)
    budget = read_budget(instructions)
    if budget.units is not None or not budget.micro_lamports:
        exact = base + budget.priority_fee()
        return NetworkFee(keys[0], exact, exact)
    return NetworkFee(keys[0], base, base + ComputeBudget(MOST_UNITS, budget.micro_lamports).priority_fee())
