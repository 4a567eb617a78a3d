"""Prices out of pools on EVM chains."""
