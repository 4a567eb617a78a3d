"""PostgreSQL: an embedded server if none is configured, the engine, the schema, and the meaning of failures."""
