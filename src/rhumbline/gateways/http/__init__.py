"""The one way out over HTTP: targets, connections, their pool, bounded answers, and errors in words."""
