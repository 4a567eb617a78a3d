"""Solana: nodes, addresses, accounts, tokens, instructions and messages."""
