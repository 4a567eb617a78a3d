"""Gas.zip on Solana: deposits with its program."""
