"""OKX DEX on Solana: its instructions and their checks."""
