"""The gas price of a chain, read at most every two seconds for all quotes."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from time import monotonic

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.gas import EvmGasTerms
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, quantity

_FRESH_S = 2.0
_DEFAULT_TIP = 10**9
_HISTORY_BLOCKS = "0x4"
_HISTORY_PERCENTILE = 50


@dataclass(frozen=True)
class GasPrice:
    """The price of gas at one block, in wei a unit: ``base_fee`` is None on chains without EIP-1559.

    ``tip`` is the priority fee, or the whole gas price where there is no base fee; ``block_gas`` fits a block.
    """

    base_fee: int | None
    tip: int
    block_gas: int

    @cached_property
    def now(self) -> int:
        """The expected price in the next block, in wei per unit."""
        return (self.base_fee or 0) + self.tip

    def cost(self, units: int, /) -> int:
        return units * self.now

    def terms(self, limit: int | None = None, /) -> EvmGasTerms:
        """Return what a wallet should offer: room for the base fee to double, and never both kinds of price."""
        if self.base_fee is None:
            return EvmGasTerms(gas_price=self.tip, limit=limit)
        return EvmGasTerms(max_fee=2 * self.base_fee + self.tip, max_priority_fee=self.tip, limit=limit)


class GasReader:
    """Reads one chain's gas price; answers asked for within two seconds of each other share one reading."""

    def __init__(self, rpc: EvmRpc, now: Callable[[], float] = monotonic) -> None:
        self._rpc = rpc
        self._now = now
        self._lock = asyncio.Lock()
        self._price: GasPrice | None = None
        self._read_at = 0.0

    async def read(self) -> GasPrice:
        """Return the present price; raise NodeUnavailable if the node does not return it."""
        price = self._fresh()
        if price is not None:
            return price
        async with self._lock:
            price = self._fresh()
            if price is None:
                price = self._price = await self._fetch()
                self._read_at = self._now()
            return price

    def _fresh(self) -> GasPrice | None:
        return self._price if self._now() - self._read_at < _FRESH_S else None

    async def _fetch(self) -> GasPrice:
        # Where there is a base fee the price of both is never asked for again.
        plain = [("eth_gasPrice", ())] if self._price is None or self._price.base_fee is None else []
        block, tip, *price = await self._rpc.batch(
            [("eth_getBlockByNumber", ("latest", False)), ("eth_maxPriorityFeePerGas", ()), *plain]
        )
        if not isinstance(block, dict):
            raise NodeUnavailable(f"{self._rpc.name}: the node does not return its latest block")
        block_gas = quantity(block.get("gasLimit"))
        if block.get("baseFeePerGas") is None:
            return GasPrice(None, quantity(price[0] if price else None), block_gas)
        chosen = await self._tip_from_history() if isinstance(tip, RpcError) else quantity(tip)
        return GasPrice(quantity(block["baseFeePerGas"]), chosen, block_gas)

    async def _tip_from_history(self) -> int:
        """Median of what recent transactions tipped, for nodes that do not suggest a tip."""
        try:
            history = await self._rpc.call("eth_feeHistory", [_HISTORY_BLOCKS, "latest", [_HISTORY_PERCENTILE]])
        except RpcError:
            return _DEFAULT_TIP
        rewards = history.get("reward") if isinstance(history, dict) else None
        tips = sorted(quantity(row[0]) for row in rewards or [] if isinstance(row, list) and row)
        return tips[len(tips) // 2] if tips else _DEFAULT_TIP
