"""Cached answers, sent as bytes as soon as their request is read."""
