"""Across on Solana: the SvmSpoke program, deposits into it, and what proves deposit, fill and refund there."""
