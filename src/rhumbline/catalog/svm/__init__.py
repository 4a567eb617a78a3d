"""What the catalogue reads on Solana."""
