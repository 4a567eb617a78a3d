"""Routing from EVM chains: calls through the Diamond, their checks, and the wallet's own."""
