"""Mayan on Solana: orders of its programs, built from quotes and decoded again."""
