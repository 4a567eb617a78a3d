"""All outgoing HTTP: targets, connections, their pool, bounded answers, and errors in words."""
