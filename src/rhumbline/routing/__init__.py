"""From a question to an executable answer."""
