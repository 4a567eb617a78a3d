"""Tracking on Solana: so far, transfers that are delivered there."""
