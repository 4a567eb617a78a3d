"""Gas.zip on the sandbox: its quotes, its table of chains, and a solver that pays for deposits."""
