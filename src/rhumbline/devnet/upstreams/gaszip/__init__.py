"""Gas.zip on the sandbox: its quotes and its table of chains, and a solver that pays for deposits."""
