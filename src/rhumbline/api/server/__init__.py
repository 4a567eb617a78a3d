"""The HTTP application and its socket."""
