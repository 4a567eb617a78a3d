"""Lies told to scorecards, by callers, senders and adapters, to move who is ranked first."""
