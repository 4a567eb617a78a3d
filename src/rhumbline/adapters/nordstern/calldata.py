"""Decodes the call of Nordstern's guard.

AggregatorGuard (published source, read 2026-11-21). ``IceCreamSwap`` has its arguments packed after the selector: it
takes ``amountIn`` of ``tokenIn`` from its caller to ``firstTokenReceiver``, or native value, lets ``executor`` run the
rest, and reverts unless ``recipient`` gained ``minAmountOut`` of ``tokenOut``. So neither the input's receiver nor the
executor's actions matter for safety.
"""

from typing import NamedTuple

from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.evm.abi import selector

SWAP = selector("IceCreamSwap()")
"""Selector 0x3f0bde25."""
LARGEST = 2**128 - 1
"""Amounts have 16 bytes."""
SHORTEST = 139
"""Where the executor's own instructions begin."""


class GuardSwap(NamedTuple):
    """A decoded call of the guard: addresses in lower case, amounts in raw units."""

    executor: str
    amount: int
    minimum: int
    first_receiver: str
    receiver: str
    token_in: str
    token_out: str


def read_swap(data: bytes) -> GuardSwap:
    """Decode a call of ``IceCreamSwap``; raise UpstreamFailed for any other call, and for a truncated one."""
    if data[:4] != SWAP or len(data) <= SHORTEST:
        raise UpstreamFailed("answered calldata that is not a call of its guard's swap")

    def address(place: int) -> str:
        return "0x" + data[place : place + 20].hex()

    amount, minimum = int.from_bytes(data[26:42]), int.from_bytes(data[42:58])
    return GuardSwap(address(6), amount, minimum, address(59), address(79), address(99), address(119))
