"""Nodes of Solana, and what they answer: accounts, transactions, blocks, heads."""
