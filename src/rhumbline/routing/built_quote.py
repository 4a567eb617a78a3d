"""A quote with its finished transaction, and how to run that."""

from dataclasses import dataclass

from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.route import RouteWarning
from rhumbline.domain.simulation import SimulationTask
from rhumbline.domain.transaction import EvmTransaction, Transaction, UpstreamTransaction
from rhumbline.routing.offer import Offer


@dataclass(frozen=True, slots=True)
class BuiltQuote:
    """What is offered, with its transaction. ``task`` is how to run it, None where nothing can; ``id`` is for tracking.

    ``upstream`` is the adapter's own transaction, ``deadline`` the Unix second until which ours may run.
    ``wallet_call`` tells that no event of ours will tell of it: what is handed out must be stored. ``sent`` is what the
    bridge takes where it is not of the input: a token, and raw units of it. ``approvals`` go before the transaction, in
    their order, and are made when it is handed out.
    ``destination_call`` is what the bridge has done where it pays, under this ID. ``network_fee`` is what the network
    takes of the sender, in raw units of the native asset; None where the transaction itself does not say that.
    ``most_rent`` is what accounts that it makes may cost at the most, stated where no run shows what they cost.
    """

    offer: Offer
    id: bytes
    upstream: UpstreamTransaction
    deadline: int
    min_output: int
    transaction: Transaction
    approval_address: str | None
    task: SimulationTask | None
    wallet_call: bool = False
    warnings: tuple[RouteWarning, ...] = ()
    sent: tuple[str, int] | None = None
    approvals: tuple[EvmTransaction, ...] = ()
    destination_call: DestinationCall | None = None
    network_fee: int | None = None
    most_rent: int = 0
