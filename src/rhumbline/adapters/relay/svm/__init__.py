"""Relay on Solana: deposits into its depository program."""
