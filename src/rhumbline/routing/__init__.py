"""From a request to an executable answer."""
