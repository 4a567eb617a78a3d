"""Routing from Solana: one v0 transaction with fees, the upstream's instructions and tracking, and its checks."""
