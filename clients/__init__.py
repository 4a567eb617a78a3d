"""Clients of the service's API, and what generates a part of them."""
