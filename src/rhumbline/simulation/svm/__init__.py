"""Solana."""
