"""OKX on the sandbox: swaps on EVM chains and on Solana, for signed requests."""
