"""How a wallet's transaction on Solana is run."""

from dataclasses import dataclass

from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.simulation import SimulationTask


@dataclass(frozen=True, slots=True)
class SvmSimulationTask(SimulationTask):
    """The wallet's transaction, serialised, not or partly signed. ``writable`` are all accounts that it may write.

    ``signatures`` is how many it needs. ``co_signers`` are addresses that were made up for it, whose accounts are
    nobody's. ``programs`` are the pinned ones that the quote's call is made of. ``native_fee`` are lamports that the
    quote takes beside the input. ``delegate`` is who may be left allowed to take the input token. ``deposit`` is how a
    bridge is seen to take over the order. ``held`` tells that something fails the transaction unless it does what was
    quoted: a pinned program or an assertion unless the receiver gains ``min_output`` and no more than the input leaves,
    the bridge's instruction, which was read, unless it takes what was ordered.
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
    held: bool = False
