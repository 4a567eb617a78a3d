"""Across on the sandbox: its API over the real SpokePools, and a relayer that fills deposits."""
