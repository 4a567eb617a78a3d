"""Jupiter on the sandbox: instructions of its program over the pools of Solana."""
