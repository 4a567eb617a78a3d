"""Rhumbline: a self-hosted service that quotes, routes, simulates and tracks token swaps and bridges."""
