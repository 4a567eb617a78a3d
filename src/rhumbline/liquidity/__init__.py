"""Pools on EVM chains: where they are, their state at one block, and the best way through them.

Source of the pools' rules, read 2026-11: https://developers.uniswap.org/contracts (v2-core 1.0.1, v3-core 1.0.1).
"""
