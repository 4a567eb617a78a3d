"""The task of simulating a wallet's call on an EVM chain."""

from dataclasses import dataclass

from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.simulation import SimulationTask


@dataclass(frozen=True, slots=True)
class EvmSimulationTask(SimulationTask):
    """The wallet's call: ``value`` in wei, ``spender`` who must be approved, None for native input.

    ``stand_in_data`` is the same call with ``STAND_IN`` as the receiver, for wallets that cannot take part; None when
    the call cannot be made for another receiver. ``deposit`` is how a bridge is seen to take over the order.
    ``returns_gain`` where the called contract measures what the receiver gains and returns that, as the Diamond's swap.
    ``approved`` is False for a call that brings its own allowance for the spender. ``actor`` is who sends it in place
    of the sender, for a call that another key has signed.
    """

    to: str
    value: int
    data: bytes
    spender: str | None
    stand_in_data: bytes | None = None
    deposit: BridgeDeposit | None = None
    returns_gain: bool = False
    approved: bool = True
    actor: str | None = None
