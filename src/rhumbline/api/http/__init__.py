"""HTTP itself: connections, the protocol and its bounds, errors and middleware."""
