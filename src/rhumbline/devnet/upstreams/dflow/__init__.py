"""DFlow on the sandbox: whole transactions of its program over the pools of Solana."""
