"""The table of API keys, and every statement on it. Keys are here as digests only.

Whether a key is valid is judged by the database's clock: processes on several hosts must agree on when one ends.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    DateTime,
    ForeignKey,
    Identity,
    Integer,
    Label,
    LargeBinary,
    MetaData,
    Numeric,
    Row,
    Select,
    Table,
    Text,
    and_,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.accounts.integrator_store import integrator_of, integrators, rule_of, shares_of
from rhumbline.accounts.keys import is_for_browsers
from rhumbline.domain.account import UNRESTRICTED, ApiClient, ApiKey, KeyScope, KeyTerms

api_keys = Table(
    "api_keys",
    MetaData(),
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("integrator", Text, ForeignKey(integrators.c.name), nullable=False),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("prefix", Text, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("revoked_at", DateTime(timezone=True)),
    Column("quote_limit", Integer),
    Column("other_limit", Integer),
    Column("service_share", Numeric),
    Column("largest_integrator_share", Numeric),
    Column("name", Text),
    Column("last_used_at", DateTime(timezone=True)),
    Column("owner", Text),
    Column("counted_as", BigInteger),
    Column("scopes", ARRAY(Text), nullable=False),
    Column("origins", ARRAY(Text), nullable=False),
    Column("networks", ARRAY(Text), nullable=False),
    Column("expires_at", DateTime(timezone=True)),
)
_UNEXPIRED = or_(api_keys.c.expires_at.is_(None), api_keys.c.expires_at > func.now())
_VALID = and_(or_(api_keys.c.revoked_at.is_(None), api_keys.c.revoked_at > func.now()), _UNEXPIRED)


async def find_key(connection: AsyncConnection, key_id: int) -> ApiKey | None:
    row = (await connection.execute(select(api_keys).where(api_keys.c.id == key_id))).one_or_none()
    return None if row is None else _key(row)


async def find_caller(connection: AsyncConnection, digest: bytes) -> tuple[ApiClient, datetime | None] | None:
    """Return who owns a key that is valid now, and when it was last used, as far as that is noted."""
    query: Select[Any] = (
        select(
            api_keys.c.id,
            api_keys.c.last_used_at,
            api_keys.c.owner,
            api_keys.c.counted_as,
            api_keys.c.quote_limit,
            api_keys.c.other_limit,
            *(getattr(api_keys.c, name) for name in ("prefix", "scopes", "origins", "networks")),
            *(getattr(integrators.c, name) for name in ("name", "evm_wallet", "svm_wallet", "created_at")),
            _first_of("service_share"),
            _first_of("largest_integrator_share"),
        )
        .join_from(api_keys, integrators)
        .where(api_keys.c.digest == digest, _VALID)
    )
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        return None
    counted = row.quote_limit, row.other_limit, row.owner, row.counted_as
    terms = _terms(row)
    restricted = None if terms == UNRESTRICTED else terms
    return ApiClient(integrator_of(row), row.id, False, rule_of(row), *counted, restricted), row.last_used_at


async def add_key(connection: AsyncConnection, digest: bytes, key: ApiKey) -> ApiKey:
    """Add a key to an integrator that is there, with all of ``key`` but its number, its end and its last use."""
    values = {
        "integrator": key.integrator,
        "digest": digest,
        "prefix": key.prefix,
        "created_at": key.created_at,
        "quote_limit": key.quote_limit,
        "other_limit": key.other_limit,
        "name": key.name,
        "owner": key.owner,
        "counted_as": key.counted_as,
        "expires_at": key.expires_at,
        **columns_of(key.terms),
        **shares_of(key.rule),
    }
    return _key((await connection.execute(insert(api_keys).values(values).returning(api_keys))).one())


async def keys_of(connection: AsyncConnection, integrator: str | None) -> tuple[ApiKey, ...]:
    """Return an integrator's keys, or everybody's, oldest first."""
    query = select(api_keys).order_by(api_keys.c.id)
    if integrator is not None:
        query = query.where(api_keys.c.integrator == integrator)
    return tuple(_key(row) for row in await connection.execute(query))


async def in_turn(connection: AsyncConnection, whose: str) -> None:
    """Wait for other transactions that called this for the same integrator, or owner."""
    await connection.execute(select(func.pg_advisory_xact_lock(func.hashtext("keys of " + whose))))


async def live_keys(connection: AsyncConnection, integrator: str) -> int:
    """Count an integrator's keys that are valid now, those included whose end is settled."""
    query = select(func.count()).where(api_keys.c.integrator == integrator, _VALID)
    return (await connection.execute(query)).scalar_one()


async def live_keys_made_by(connection: AsyncConnection, owner: str) -> int:
    """Count the keys that an owner has made and that are valid now, of whatever integrators."""
    query = select(func.count()).where(api_keys.c.owner == owner, _VALID)
    return (await connection.execute(query)).scalar_one()


async def end_key(connection: AsyncConnection, key_id: int) -> ApiKey | None:
    """Revoke a key now; one that has already ended does not change. None if there is no such key."""
    return await change_key(connection, key_id, {"revoked_at": func.least(api_keys.c.revoked_at, func.now())})


async def end_key_later(connection: AsyncConnection, key_id: int, after: timedelta) -> ApiKey | None:
    """Let a key expire after a while; None if there is no such key, or its end is already set, or it has ended."""
    unended = and_(api_keys.c.revoked_at.is_(None), _UNEXPIRED)
    return await change_key(connection, key_id, {"revoked_at": func.now() + after}, unended)


async def key_exists(connection: AsyncConnection, key_id: int) -> bool:
    return (await connection.execute(select(api_keys.c.id).where(api_keys.c.id == key_id))).one_or_none() is not None


async def change_key(
    connection: AsyncConnection, key_id: int, values: Mapping[str, object], *only: ColumnElement[bool]
) -> ApiKey | None:
    """Set columns of a key, if it is as ``only`` says; None if there is no such key."""
    statement = update(api_keys).where(api_keys.c.id == key_id, *only).values(values).returning(api_keys)
    row = (await connection.execute(statement)).one_or_none()
    return None if row is None else _key(row)


def columns_of(terms: KeyTerms) -> dict[str, list[str]]:
    return {
        "scopes": sorted(terms.scopes),
        "origins": list(terms.origins),
        "networks": [str(network) for network in terms.networks],
    }


def _terms(row: Row[Any]) -> KeyTerms:
    return KeyTerms(
        frozenset(KeyScope(scope) for scope in row.scopes),
        tuple(row.origins),
        tuple(ip_network(network) for network in row.networks),
        is_for_browsers(row.prefix),
    )


def _first_of(name: str) -> Label[Any]:
    """Return a share of the key's own rule, else of its integrator's: a rule has both shares or none."""
    return func.coalesce(getattr(api_keys.c, name), getattr(integrators.c, name)).label(name)


def _key(row: Row[Any]) -> ApiKey:
    return ApiKey(
        row.id,
        row.integrator,
        row.prefix,
        row.created_at,
        row.revoked_at,
        row.quote_limit,
        row.other_limit,
        rule=rule_of(row),
        name=row.name,
        last_used_at=row.last_used_at,
        owner=row.owner,
        counted_as=row.counted_as,
        terms=_terms(row),
        expires_at=row.expires_at,
    )
