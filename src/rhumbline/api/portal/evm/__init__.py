"""Wallets of EVM chains in the portal."""
