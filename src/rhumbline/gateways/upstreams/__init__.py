"""What every adapter with an HTTP API is made of: its upstream's description, answer fields, shared calls."""
