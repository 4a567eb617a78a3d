"""Kinds of pools: how much comes out for an exact input, to the wei as the contract computes it.

A kind is one module with the state of a pool at one block; ``PoolState`` is what all of them answer.
"""
