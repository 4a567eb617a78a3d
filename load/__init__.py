"""How much the service serves: its load, what it costs, and what grows under it (`make load`)."""
