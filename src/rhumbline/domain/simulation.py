"""The result of simulating a transaction before it is signed."""

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from enum import StrEnum
from functools import cached_property

_EXACT = Context(prec=160)
"""Has digits enough for a difference of 2^256 in units of a hundredth of a basis point."""
_BPS_PLACES = Decimal("0.01")


class SimulationSource(StrEnum):
    """Who ran the simulation."""

    RPC = "RPC"
    TENDERLY = "TENDERLY"
    SOLANA_RUNTIME = "SOLANA_RUNTIME"
    NONE = "NONE"


class ExecutionStatus(StrEnum):
    """How the simulation ended."""

    SUCCESS = "SUCCESS"
    REVERTED = "REVERTED"
    TIMEOUT = "TIMEOUT"
    SKIPPED = "SKIPPED"
    UNSUPPORTED = "UNSUPPORTED"
    ERROR = "ERROR"


class OutputValidation(StrEnum):
    """Whether the receiver's gain was measured."""

    VERIFIED = "VERIFIED"
    UNVERIFIABLE = "UNVERIFIABLE"
    NOT_SIMULATED = "NOT_SIMULATED"


@dataclass(frozen=True, slots=True)
class Deviation:
    """Simulated minus advertised output: ``absolute`` in raw units, ``bps`` rounded to two decimals (half even)."""

    absolute: int
    bps: Decimal

    @classmethod
    def between(cls, simulated: int, advertised: int) -> "Deviation":
        """Compare two outputs; ``advertised`` is positive. Negative means the adapter overstated its output."""
        difference = simulated - advertised
        bps = _EXACT.divide(Decimal(difference * 10_000), Decimal(advertised))
        return cls(difference, bps.quantize(_BPS_PLACES, ROUND_HALF_EVEN, _EXACT))


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """One provider's verdict. ``latency_ms`` is wall time, ``gas_used`` the whole call's; ``reason`` is shown."""

    source: SimulationSource
    status: ExecutionStatus
    validation: OutputValidation
    latency_ms: int
    simulated_output: int | None = None
    deviation: Deviation | None = None
    gas_used: int | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Bridged:
    """What a simulation did with the token that the bridge takes, in raw units.

    ``amount`` is the bridge's gain, ``kept`` by how much the wallet's balance of that token grew, not counting the
    input taken from it.
    """

    amount: int
    kept: int = 0


@dataclass(frozen=True, slots=True)
class AccountRent:
    """The rent that the sender pays for a new account: ``amount`` of the native asset."""

    account: str
    owner: str
    amount: int


@dataclass(frozen=True)
class Simulation:
    """The verdict that counts, the adapter's advertised output, and every provider's own result.

    ``gas_limit`` is a limit at which the call succeeded; None if none was tried. ``wallet_fault``: the simulation
    failed for a reason of the wallet's own (funds, allowance, a block list). ``objection`` is why the call must not be
    offered although it may succeed: it takes more from the sender than it should, a token arrives short, or the bridge
    does not take exactly this order; None without one. ``below_minimum``: it failed because less than the minimum would
    have arrived. ``stood_in``: a stand-in replaced the wallet or the receiver. ``bridged`` is the measured deposit of
    the task, None if it was not visible. ``reset``: the token accepted the approval only after one of 0. ``rent`` is
    the sender's rent for new accounts. ``stand_in_output`` is the gain of a stand-in by the same call, simulated if the
    receiver gained less than was advertised; None if it was not simulated or not visible. ``outdated``: the wallets'
    balances have changed since the transaction was made, so that its assertions may not hold any more.
    """

    result: SimulationResult
    advertised_output: int
    providers: tuple[SimulationResult, ...]
    gas_limit: int | None = None
    wallet_fault: bool = False
    objection: str | None = None
    below_minimum: bool = False
    stood_in: bool = False
    bridged: Bridged | None = None
    reset: bool = False
    rent: tuple[AccountRent, ...] = ()
    stand_in_output: int | None = None
    outdated: bool = False

    @cached_property
    def measured_output(self) -> int | None:
        """What the receiver itself was seen to gain by the sender's own call; None where that was not seen."""
        return None if self.stood_in else self.result.simulated_output


@dataclass(frozen=True, slots=True)
class SimulationTask:
    """The task of a simulation, for every chain type: the sender, its input, and the receiver's expected output.

    Each chain type has its own task with the details. Tokens are addresses on the origin chain (the native marker for
    the native asset); ``output_token`` is None if the output arrives on another chain. Amounts in raw units.
    """

    chain_id: int
    sender: str
    receiver: str
    input_token: str
    input_amount: int
    output_token: str | None
    advertised_output: int
