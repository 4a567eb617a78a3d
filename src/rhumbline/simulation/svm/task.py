"""The task of simulating a wallet's transaction on Solana."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.simulation import SimulationTask


@dataclass(frozen=True, slots=True)
class FeePayer:
    """Who pays in the sender's place: the fee, ``tip``, and ``rents``, the most of each account that it makes.

    ``income`` are lamports of the input that it gets as a fee of the service or the integrator.
    """

    address: str
    tip: int = 0
    rents: Mapping[str, int] = field(default_factory=dict)
    income: int = 0


@dataclass(frozen=True, slots=True)
class SvmSimulationTask(SimulationTask):
    """The wallet's transaction, serialised, not or partly signed. ``writable`` are all accounts that it may write.

    ``signatures`` is how many it needs. ``co_signers`` are addresses generated for it, whose accounts belong to nobody.
    ``programs`` are the pinned ones that the quote's call uses. ``native_fee`` are lamports that the quote takes beside
    the input. ``delegate`` may keep an approval of the input token. ``deposit`` is how the simulation shows a bridge's
    deposit. ``is_enforced``: the transaction fails unless it does what was quoted: by a pinned program or an assertion
    unless the receiver gains ``min_output`` and at most the input leaves, or by the bridge's instruction, which was
    decoded, unless it takes the ordered amount. ``tip`` are lamports that the sender pays for a place in a block;
    ``fee_payer`` is None where the sender pays the fee too.
    """

    transaction: bytes
    writable: tuple[str, ...]
    signatures: int
    min_output: int
    native_fee: int = 0
    co_signers: frozenset[str] = frozenset()
    programs: frozenset[str] = frozenset()
    delegate: str | None = None
    deposit: BridgeDeposit | None = None
    is_enforced: bool = False
    tip: int = 0
    fee_payer: FeePayer | None = None
