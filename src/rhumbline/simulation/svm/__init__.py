"""Simulation on Solana: a run of the node, judged by the accounts that it leaves behind."""
