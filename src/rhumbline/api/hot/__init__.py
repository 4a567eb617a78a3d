"""Answers that are kept as bytes and sent as soon as their request is read."""
