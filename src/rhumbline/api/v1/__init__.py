"""The API: one module per resource, and the health pages."""
