"""Webhooks: events are posted to the integrators' own servers, signed, and again until they are taken."""
