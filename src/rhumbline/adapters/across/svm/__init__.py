"""Across on Solana: the SvmSpoke program, deposits into it, and the proofs of deposit, fill and refund."""
