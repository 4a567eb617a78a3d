"""HTTP itself: connections, the protocol and its bounds, errors, and what every request passes."""
