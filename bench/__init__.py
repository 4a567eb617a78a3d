"""Benchmarks: what the goals say, measured side by side."""
