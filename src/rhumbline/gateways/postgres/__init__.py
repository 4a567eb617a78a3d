"""PostgreSQL: an embedded server when none is configured, the engine, the schema, and what its failures mean."""
