"""Which pools were found, kept in the store: a new process need not ask factories for them again."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from sqlalchemy import BigInteger, Column, DateTime, MetaData, Table, Text, func, select
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.failures import store_access
from rhumbline.liquidity.kinds.pools import Pool, PoolKind, PoolSource

pools_table = Table(
    "pools",
    MetaData(),
    Column("chain_id", BigInteger, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("factory", Text),
    Column("pool", JSONB),
    Column("found_at", DateTime(timezone=True), server_default=func.now()),
)
_FIELDS = frozenset(field.name for field in fields(Pool))


@dataclass(frozen=True, slots=True)
class StoredPools:
    """One chain's pools in the store, of the sources that its deployment has."""

    engine: AsyncEngine
    chain_id: int
    sources: tuple[PoolSource, ...]

    async def load(self) -> Sequence[Pool]:
        """Return the pools that a factory named which is still among the sources; raise StoreUnavailable."""
        query = select(pools_table.c.factory, pools_table.c.pool).where(pools_table.c.chain_id == self.chain_id)
        with store_access():
            async with self.engine.connect() as connection:
                rows = (await connection.execute(query)).all()
        found = (self._pool(factory, kept) for factory, kept in rows)
        return [pool for pool in found if pool is not None]

    async def save(self, pools: Sequence[Pool]) -> None:
        """Store pools; existing ones stay unchanged. Raise StoreUnavailable."""
        factories = {source.key: source.factory for source in self.sources}
        rows = [
            {
                "chain_id": self.chain_id,
                "key": pool.key,
                "factory": factories[pool.source],
                "pool": {name: str(value) if name == "kind" else value for name, value in asdict(pool).items()},
            }
            for pool in pools
            if pool.source in factories
        ]
        if rows:
            with store_access():
                async with self.engine.begin() as connection:
                    await connection.execute(insert(pools_table).on_conflict_do_nothing(), rows)

    def _pool(self, factory: str, kept: Mapping[str, Any]) -> Pool | None:
        """Read a row; None if its source is gone, or an older release wrote it in another form."""
        known = {(source.key, source.kind, source.factory) for source in self.sources}
        if kept.keys() != _FIELDS or (kept["source"], kept["kind"], factory) not in known:
            return None
        return Pool(**{**kept, "kind": PoolKind(kept["kind"])})
