"""Symbiosis on the sandbox: crossings by way of a host chain that nobody sees."""
