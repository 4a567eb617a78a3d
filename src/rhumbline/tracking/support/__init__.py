"""For whoever has to explain a transaction: what the store knows of it."""
