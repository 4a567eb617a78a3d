"""What the service counts and times, as Prometheus reads it."""
