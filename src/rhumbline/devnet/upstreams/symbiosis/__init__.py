"""Symbiosis on the sandbox: crossings through a host chain that is not emulated as a chain."""
