"""Mayan on Solana: orders of its programs, made from quotes and read back."""
