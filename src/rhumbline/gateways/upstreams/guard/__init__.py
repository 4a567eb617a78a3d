"""The guard before an upstream: its call budget, concurrency limit and circuit breaker."""
