"""Relay on the sandbox: steps for the wallet, signed orders, and a solver that fills deposits."""
