"""Pools on EVM chains (Uniswap V2 and V3), quoted exactly from their state: no upstream service, an RPC endpoint only.

Upstream: https://developers.uniswap.org/contracts (v2-core 1.0.1, v3-core 1.0.1, swap-router-contracts 1.3.1), read
2026-11. Pools are found through the factories and read through Multicall3, everything of one quote at one block.
Execution is SwapRouter02. Forks are data (see ``deployments``), provided their router is a SwapRouter02.

Limits. A token that takes a fee on transfer looks like any other in a pool's state: a V2 quote of one is too high, and
a V3 swap of one reverts; only a simulation shows it.
"""
