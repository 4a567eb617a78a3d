"""Solana: addresses."""
