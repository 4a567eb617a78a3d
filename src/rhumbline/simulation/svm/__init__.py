"""Simulation on Solana: the node runs the transaction, and the accounts afterwards show its effect."""
