"""Tracking on EVM chains: blocks, logs, wallets' own calls and deliveries."""
