"""OKX DEX on Solana: its instructions, and what is checked of them."""
