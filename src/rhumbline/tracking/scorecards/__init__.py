"""Scorecards: what became on chain of what was quoted, and what that counts for."""
