"""Which chains, tokens and tools there are."""
