"""What the operator sets while the service runs: pauses and the log level, for all processes within two seconds."""
