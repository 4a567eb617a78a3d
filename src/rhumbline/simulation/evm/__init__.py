"""Simulation on EVM chains, by their own nodes."""
