"""What a request's parameters may be, and how they are read: every fault is reported at once."""
