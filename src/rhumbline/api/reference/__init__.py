"""``/docs``: the reference and the guides, and the examples that the OpenAPI document carries."""
