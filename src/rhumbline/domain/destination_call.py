"""What happens to bridged tokens on arrival: a swap by the service's own contract."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DestinationCall:
    """A bridge pays at least ``least`` raw units of ``token`` to ``payee``, and calls it with ``message``.

    ``payee`` is the chain's pinned Receiver, which swaps them and pays who really gets the output; where the swap fails
    that one has ``token`` instead. ``message`` carries the order's ID, so that its event names the order.
    """

    payee: str
    token: str
    least: int
    message: bytes
