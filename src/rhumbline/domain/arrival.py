"""What is wanted where a transfer arrives, beside its output: a little native, and a call of another contract."""

from dataclasses import dataclass

LONGEST_CALLDATA = 1_536
"""In bytes: the call travels in a bridge's message, which bridges take as a part of a URL."""
MOST_CALL_GAS = 2_500_000
"""What a relayer can be asked to spend on a call, beside the service's own contracts around it."""


@dataclass(frozen=True, slots=True)
class CallOnArrival:
    """A call of ``target`` with ``data`` and what has arrived, made by the destination's Executor.

    ``gas`` is what the call itself may use; None: what a run of it used, and half as much again.
    """

    target: str
    data: bytes
    gas: int | None = None


@dataclass(frozen=True, slots=True)
class GasOnArrival:
    """Native of the destination for the receiver, in wei: ``amount`` is expected, ``minimum`` guaranteed.

    ``cost`` is what it costs, in raw units of the output, rounded down: so much more would arrive without it. It is 0
    where nobody tells.
    """

    amount: int
    minimum: int
    cost: int = 0
