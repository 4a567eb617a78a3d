from tests.postgres_fixture import postgres_databases, postgres_dsn, store_dsn, store_engine

__all__ = ["postgres_databases", "postgres_dsn", "store_dsn", "store_engine"]
