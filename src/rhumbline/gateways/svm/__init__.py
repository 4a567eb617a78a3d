"""Solana's codecs: addresses, accounts, tokens, instructions and messages. Nothing here asks a node."""
