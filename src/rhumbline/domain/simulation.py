"""What running a transaction before it is signed tells."""

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from enum import StrEnum
from functools import cached_property

_DIGITS = 160
"""Enough for a difference of 2^256 in units of a hundredth of a basis point."""


class SimulationSource(StrEnum):
    """Who ran the simulation."""

    RPC = "RPC"
    TENDERLY = "TENDERLY"
    SOLANA_RUNTIME = "SOLANA_RUNTIME"
    NONE = "NONE"


class ExecutionStatus(StrEnum):
    """How the run ended."""

    SUCCESS = "SUCCESS"
    REVERTED = "REVERTED"
    TIMEOUT = "TIMEOUT"
    SKIPPED = "SKIPPED"
    UNSUPPORTED = "UNSUPPORTED"
    ERROR = "ERROR"


class OutputValidation(StrEnum):
    """Whether the receiver's gain was seen."""

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
        with localcontext(prec=_DIGITS):
            bps = (Decimal(difference) * 10_000 / Decimal(advertised)).quantize(Decimal("0.01"), ROUND_HALF_EVEN)
        return cls(difference, bps)


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
    """What a run was seen to do with the token that its bridge takes, in raw units.

    ``amount`` is the bridge's gain, ``kept`` what the wallet has more of that token after the run than before, without
    what was taken from it as the input.
    """

    amount: int
    kept: int = 0


@dataclass(frozen=True, slots=True)
class AccountRent:
    """What the sender pays so that an account that the transaction makes is kept: ``amount`` of the native asset."""

    account: str
    owner: str
    amount: int


@dataclass(frozen=True)
class Simulation:
    """The verdict that counts, beside what the adapter advertised, and every provider's own result.

    ``gas_limit`` is a limit at which the call was seen to succeed; None when it was not tried.
    ``wallet_fault`` is True when the run failed for a reason of the wallet's own (funds, allowance, a block list).
    ``objection`` says why the call must not be offered although it may run: it takes more from the sender than it
    should, a token arrives short, or the bridge does not take this order and nothing else; None when there is nothing
    to object to. ``below_minimum`` tells that the run failed because less than the minimum would have arrived.
    ``stood_in`` tells that somebody else took the wallet's or the receiver's place, ``bridged`` is what the task's
    deposit was seen to be, None where that was not seen. ``reset`` tells that the token took the approval only after
    one of 0. ``rent`` is what accounts that the transaction makes cost the sender. ``stand_in_output`` is what a
    stand-in gained by the same call for itself, looked at where the receiver gained less than was advertised; None
    where nobody looked, or nothing was seen. ``outdated`` tells that what the wallets have has changed since the
    transaction was made, so that what it asserts may not fit any more.
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
    """What is run, whatever the chain's type: who sends, what it spends, and what the receiver should get.

    Each type of chain has a task of its own that says how. Tokens are addresses on the origin chain (the native marker
    for the native asset); ``output_token`` is None when the output arrives on another chain. Amounts in raw units.
    """

    chain_id: int
    sender: str
    receiver: str
    input_token: str
    input_amount: int
    output_token: str | None
    advertised_output: int
