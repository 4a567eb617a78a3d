"""Simulation on EVM chains, by their nodes."""
