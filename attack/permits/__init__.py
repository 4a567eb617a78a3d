"""Lies about permits: of tokens, of a node's reads, of an upstream, and by whoever has the signature."""
