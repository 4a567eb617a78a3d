"""Mayan on the sandbox: its price API, its explorer, and relayers of every kind of transfer."""
