"""A chain's gas price, cached for a moment: a comparison of routes needs no newer one."""

import time
from collections.abc import Callable

from rhumbline.gateways.nodes.evm.rpc import EvmRpc, quantity

KEPT_S = 2.0


class GasPrices:
    """Gas prices by chain, each asked for at most every ``KEPT_S`` seconds. ``seconds`` is a monotonic clock."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._known: dict[str, tuple[float, int]] = {}

    async def of(self, rpc: EvmRpc) -> int:
        """Return the price in wei; raise NodeUnavailable or RpcError where the node does not tell."""
        now, known = self._seconds(), self._known.get(rpc.name)
        if known is not None and now - known[0] < KEPT_S:
            return known[1]
        price = quantity(await rpc.call("eth_gasPrice"))
        self._known[rpc.name] = now, price
        return price
