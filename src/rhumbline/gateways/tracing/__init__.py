"""Traces for a collector."""
