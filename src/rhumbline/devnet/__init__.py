"""The sandbox: local chains on which everything is real but the value."""
