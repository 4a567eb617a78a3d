"""1Click on Solana: payments to its deposit addresses."""
