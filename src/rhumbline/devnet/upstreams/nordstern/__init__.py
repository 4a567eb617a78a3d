"""Nordstern on the sandbox: one answer is quote and call."""
