"""Rise on the sandbox: markets, quotes and transactions of its program."""
