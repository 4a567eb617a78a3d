"""A transaction's compute budget (units, unit price, heap, bytes of accounts) and its cost.

Source: github.com/anza-xyz/solana-sdk, compute-budget-interface/src/lib.rs, and the limits in
github.com/anza-xyz/agave, compute-budget/src/compute_budget_limits.rs, read 2026-11-22.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from struct import Struct

from solders.errors import BincodeError
from solders.transaction import VersionedTransaction

from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.svm.programs import COMPUTE_BUDGET

MOST_UNITS = 1_400_000
LEAST_HEAP = 32 * 1024
MOST_HEAP = 256 * 1024
_MICRO = 1_000_000
_HEAP, _LIMIT, _PRICE, _DATA = 1, 2, 3, 4
_U32, _U64 = Struct("<BI"), Struct("<BQ")


@dataclass(frozen=True, slots=True)
class ComputeBudget:
    """Every field may be left to the runtime with None.

    ``units``: at most 1,400,000. ``micro_lamports``: the price of one unit, in millionths of a lamport. ``heap``: in
    bytes, a multiple of 1,024 from 32 to 256 KiB. ``data_size``: bytes of all accounts together.
    """

    units: int | None = None
    micro_lamports: int | None = None
    heap: int | None = None
    data_size: int | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for what the runtime refuses."""
        if self.units is not None and not 0 <= self.units <= MOST_UNITS:
            raise ValueError("a transaction has at most 1,400,000 units")
        if self.heap is not None and not (LEAST_HEAP <= self.heap <= MOST_HEAP and self.heap % 1024 == 0):
            raise ValueError("a heap has 32 to 256 KiB, whole ones")
        if self.micro_lamports is not None and not 0 <= self.micro_lamports < 2**64:
            raise ValueError("a price is a number of 64 bits")
        if self.data_size is not None and not 0 < self.data_size < 2**32:
            raise ValueError("the size of all accounts is a number of 32 bits, and not nothing")

    def instructions(self) -> tuple[SvmInstruction, ...]:
        """Return the instructions that say so, one for each field that is set."""
        fields = (
            (_U32, _LIMIT, self.units),
            (_U64, _PRICE, self.micro_lamports),
            (_U32, _HEAP, self.heap),
            (_U32, _DATA, self.data_size),
        )
        data = (form.pack(kind, value) for form, kind, value in fields if value is not None)
        return tuple(SvmInstruction(COMPUTE_BUDGET, (), each) for each in data)

    def priority_fee(self) -> int:
        """Return the lamports that units and price cost beside the signatures, rounded up; nothing without a price.

        Without a limit the runtime counts 200,000 units an instruction, which is not known here: ValueError.
        """
        if not self.micro_lamports:
            return 0
        if self.units is None:
            raise ValueError("a price without a limit of units")
        return -(-self.units * self.micro_lamports // _MICRO)


def read_budget(instructions: Iterable[SvmInstruction]) -> ComputeBudget:
    """Return what a transaction's instructions ask for; those of other programs are passed over.

    ValueError for what the runtime would refuse the transaction for: an instruction that is not known, or one twice.
    """
    found: dict[int, int] = {}
    for instruction in instructions:
        if instruction.program != COMPUTE_BUDGET:
            continue
        kind, value = _setting(instruction.data)
        if kind in found:
            raise ValueError("the compute budget is set twice")
        found[kind] = value
    return ComputeBudget(found.get(_LIMIT), found.get(_PRICE), found.get(_HEAP), found.get(_DATA))


def _setting(data: bytes) -> tuple[int, int]:
    form = _U64 if data[:1] == bytes([_PRICE]) else _U32
    if len(data) != form.size or data[0] not in (_HEAP, _LIMIT, _PRICE, _DATA):
        raise ValueError("an instruction of the compute budget that is not known")
    kind, value = form.unpack(data)
    return kind, value


LAMPORTS_PER_SIGNATURE = 5_000
_VERIFIERS = frozenset({
    "Ed25519SigVerify111111111111111111111111111", "KeccakSecp256k11111111111111111111111111111",
    "Secp256r1SigVerify1111111111111111111111111",
})  # fmt: skip
"""Programs whose instructions begin with their number of verified signatures, each paid for."""


@dataclass(frozen=True, slots=True)
class NetworkFee:
    """The payer, and the bounds of the fee in lamports, which differ only if a price has no unit limit."""

    payer: str
    least: int
    most: int


def network_fee(transaction: bytes) -> NetworkFee:
    """Return the network fee of a serialised transaction, signed or not; raise ValueError for an invalid one.

    The fee is for each signature to be verified, and for the units that may be used. Source: solana.com/docs/core/fees,
    and github.com/anza-xyz/agave, fee/src/lib.rs, read 2026-11-22.
    """
    try:
        message = VersionedTransaction.from_bytes(transaction).message
    except BincodeError as error:
        raise ValueError(f"not a transaction: {error}") from None
    keys = [str(key) for key in message.account_keys]
    if not keys:
        raise ValueError("not a transaction: nobody pays for it")
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
