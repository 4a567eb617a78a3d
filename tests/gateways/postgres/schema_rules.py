"""What a migration may do to the schema while processes of the version before go on: add, and take nothing away.

Two catalogs of PostgreSQL are compared, of the schema that the older code was written for and of the newer one.
"""

from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

# Months are made as they come, and have what their table has.
_TABLES = text("""
    SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')
        AND NOT relispartition AND relname NOT IN ('alembic_version', 'schema_compatible')
""")
_COLUMNS = text("""
    SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
        a.atthasdef OR a.attidentity <> '' OR c.relkind = 'v'
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.oid = ANY(:tables) AND a.attnum > 0 AND NOT a.attisdropped
""")
# Of an index without its name: what is unique, and what ON CONFLICT can name.
_UNIQUE = text("""
    SELECT c.relname, regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', '')
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE c.oid = ANY(:tables) AND i.indisunique
""")
_CONSTRAINTS = text("""
    SELECT c.relname, pg_get_constraintdef(k.oid)
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE c.oid = ANY(:tables) AND k.contype IN ('c', 'f', 'x')
""")
_FUNCTIONS = text("SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace")


@dataclass(frozen=True)
class Catalog:
    """``columns`` by table and name: their type, whether they must be given a value, and whether they may be null."""

    columns: dict[tuple[str, str], tuple[str, bool, bool]]
    unique: frozenset[tuple[str, str]]
    constraints: frozenset[tuple[str, str]]
    functions: frozenset[str]

    @property
    def tables(self) -> set[str]:
        return {table for table, _ in self.columns}


async def catalog(connection: AsyncConnection) -> Catalog:
    """Read what is in the database."""
    tables = {"tables": (await connection.execute(_TABLES)).scalars().all()}
    columns = {
        (table, name): (kind, not_null and not default, not not_null)
        for table, name, kind, not_null, default in await connection.execute(_COLUMNS, tables)
    }
    unique, constraints = [
        frozenset((table, definition) for table, definition in await connection.execute(query, tables))
        for query in (_UNIQUE, _CONSTRAINTS)
    ]
    return Catalog(columns, unique, constraints, frozenset((await connection.execute(_FUNCTIONS)).scalars()))


def objections(older: Catalog, newer: Catalog) -> list[str]:
    """Say what keeps processes of the older schema from going on with the newer one."""
    found = [f"table {table} is gone" for table in sorted(older.tables - newer.tables)]
    for (table, name), (kind, _, null) in older.columns.items():
        if table not in newer.tables:
            continue
        there = newer.columns.get((table, name))
        if there is None:
            found.append(f"column {table}.{name} is gone")
            continue
        if there[0] != kind:
            found.append(f"column {table}.{name} has another type, {there[0]}")
        if there[1] and not older.columns[table, name][1]:
            found.append(f"column {table}.{name} has to be given a value")
        if there[2] and not null:
            found.append(f"column {table}.{name} may be null, which is not expected")
    for (table, name), (_, needed, _) in newer.columns.items():
        if table in older.tables and (table, name) not in older.columns and needed:
            found.append(f"column {table}.{name} has to be given a value, and is not known")
    for table, definition in sorted(older.unique - newer.unique):
        found.append(f"{table} is not unique by {definition} any more, which ON CONFLICT may name")
    for table, definition in sorted((newer.unique - older.unique) | (newer.constraints - older.constraints)):
        if table in older.tables:
            found.append(f"{table} has a new rule that writers do not know: {definition}")
    return found + [f"function {name} is gone" for name in sorted(older.functions - newer.functions)]
