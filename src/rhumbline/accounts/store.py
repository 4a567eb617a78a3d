"""The tables of integrators, keys and secrets, and every statement on them. Keys are here as digests only.

Whether a key is valid is judged by the database's clock: processes on several hosts must agree on when one ends.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
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
    func,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.accounts.integrators import to_decimal
from rhumbline.domain.account import ApiClient, ApiKey, Integrator
from rhumbline.domain.chain import ChainType
from rhumbline.domain.fee import FeeRule

metadata = MetaData()

integrators = Table(
    "integrators",
    metadata,
    Column("name", Text, primary_key=True),
    Column("evm_wallet", Text),
    Column("svm_wallet", Text),
    Column("service_share", Numeric),
    Column("largest_integrator_share", Numeric),
    Column("created_at", DateTime(timezone=True), nullable=False),
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("integrator", Text, ForeignKey("integrators.name"), nullable=False),
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
)

service_secrets = Table(
    "service_secrets",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("purpose", Text, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
)


async def find_integrator(connection: AsyncConnection, name: str) -> Integrator | None:
    query = select(integrators).where(func.lower(integrators.c.name) == name.lower())
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else _integrator(row)


async def all_integrators(connection: AsyncConnection) -> tuple[Integrator, ...]:
    rows = await connection.execute(select(integrators).order_by(func.lower(integrators.c.name)))
    return tuple(_integrator(row) for row in rows)


async def add_integrator(connection: AsyncConnection, integrator: Integrator) -> bool:
    """Add an integrator; False when its name is taken, in whatever case."""
    statement = (
        insert(integrators)
        .values(
            name=integrator.name,
            evm_wallet=integrator.evm_wallet,
            svm_wallet=integrator.svm_wallet,
            created_at=integrator.created_at,
        )
        .on_conflict_do_nothing()
        .returning(integrators.c.name)
    )
    return (await connection.execute(statement)).one_or_none() is not None


async def set_wallet(connection: AsyncConnection, name: str, chain_type: ChainType, address: str | None) -> bool:
    """Set or remove a fee wallet; False when there is no such integrator."""
    column = integrators.c.evm_wallet if chain_type is ChainType.EVM else integrators.c.svm_wallet
    return await _changed(connection, name, {column.name: address})


async def set_rule(connection: AsyncConnection, name: str, rule: FeeRule | None) -> bool:
    """Set an integrator's own fee rule, or remove it; False when there is no such integrator."""
    return await _changed(connection, name, _shares(rule))


async def set_key_rule(connection: AsyncConnection, key_id: int, rule: FeeRule | None) -> ApiKey | None:
    return await _changed_key(connection, key_id, _shares(rule))


async def find_key(connection: AsyncConnection, key_id: int) -> ApiKey | None:
    row = (await connection.execute(select(api_keys).where(api_keys.c.id == key_id))).one_or_none()
    return None if row is None else _key(row)


async def find_rule(connection: AsyncConnection, name: str) -> FeeRule | None:
    """Return the fee rule of its own that the integrator of this very name has; None without one."""
    row = (await connection.execute(select(integrators).where(integrators.c.name == name))).one_or_none()
    return None if row is None else _rule(row)


async def find_caller(connection: AsyncConnection, digest: bytes) -> tuple[ApiClient, datetime | None] | None:
    """Return who owns a key that is valid now, and when it was last used, as far as that is noted."""
    query: Select[Any] = (
        select(
            api_keys.c.id,
            api_keys.c.last_used_at,
            api_keys.c.quote_limit,
            api_keys.c.other_limit,
            *(getattr(integrators.c, name) for name in ("name", "evm_wallet", "svm_wallet", "created_at")),
            _first_of("service_share"),
            _first_of("largest_integrator_share"),
        )
        .join_from(api_keys, integrators)
        .where(api_keys.c.digest == digest, or_(api_keys.c.revoked_at.is_(None), api_keys.c.revoked_at > func.now()))
    )
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        return None
    limits = row.quote_limit, row.other_limit
    return ApiClient(_integrator(row), row.id, False, _rule(row), *limits), row.last_used_at


async def add_key(
    connection: AsyncConnection,
    integrator: str,
    digest: bytes,
    prefix: str,
    created_at: datetime,
    limits: tuple[int | None, int | None] = (None, None),
    rule: FeeRule | None = None,
    name: str | None = None,
) -> ApiKey:
    """Add a key to an integrator that is there; ``limits`` as `set_limits` takes them, ``rule`` its own or none."""
    statement = (
        insert(api_keys)
        .values(
            integrator=integrator,
            digest=digest,
            prefix=prefix,
            created_at=created_at,
            quote_limit=limits[0],
            other_limit=limits[1],
            name=name,
            **_shares(rule),
        )
        .returning(api_keys)
    )
    return _key((await connection.execute(statement)).one())


async def keys_of(connection: AsyncConnection, integrator: str | None) -> tuple[ApiKey, ...]:
    """Return an integrator's keys, or everybody's, oldest first."""
    query = select(api_keys).order_by(api_keys.c.id)
    if integrator is not None:
        query = query.where(api_keys.c.integrator == integrator)
    return tuple(_key(row) for row in await connection.execute(query))


async def in_turn(connection: AsyncConnection, integrator: str) -> None:
    """Wait until no other transaction that called this for the integrator of this very name goes on."""
    await connection.execute(select(func.pg_advisory_xact_lock(func.hashtext("keys of " + integrator))))


async def live_keys(connection: AsyncConnection, integrator: str) -> int:
    """Count an integrator's keys that are valid now, those included whose end is settled."""
    live = or_(api_keys.c.revoked_at.is_(None), api_keys.c.revoked_at > func.now())
    query = select(func.count()).where(api_keys.c.integrator == integrator, live)
    return (await connection.execute(query)).scalar_one()


async def end_key(connection: AsyncConnection, key_id: int) -> ApiKey | None:
    """Revoke a key now; one that has ended already stays as it is. None when there is no such key."""
    return await _changed_key(connection, key_id, {"revoked_at": func.least(api_keys.c.revoked_at, func.now())})


async def end_key_later(connection: AsyncConnection, key_id: int, after: timedelta) -> ApiKey | None:
    """Let a key end after a while; None when there is no such key, or its end is settled already."""
    return await _changed_key(connection, key_id, {"revoked_at": func.now() + after}, api_keys.c.revoked_at.is_(None))


async def set_limits(
    connection: AsyncConnection, key_id: int, quote_limit: int | None, other_limit: int | None
) -> ApiKey | None:
    """Set a key's own limits, in requests a minute; None removes one. None when there is no such key."""
    return await _changed_key(connection, key_id, {"quote_limit": quote_limit, "other_limit": other_limit})


async def set_name(connection: AsyncConnection, key_id: int, name: str | None) -> ApiKey | None:
    """Call a key something, None for nothing; None when there is no such key."""
    return await _changed_key(connection, key_id, {"name": name})


async def key_exists(connection: AsyncConnection, key_id: int) -> bool:
    return (await connection.execute(select(api_keys.c.id).where(api_keys.c.id == key_id))).one_or_none() is not None


async def secrets_of(connection: AsyncConnection, purpose: str) -> tuple[bytes, ...]:
    """Return the secrets for a purpose, newest first."""
    query = select(service_secrets.c.secret).where(service_secrets.c.purpose == purpose)
    return tuple(row.secret for row in await connection.execute(query.order_by(service_secrets.c.id.desc())))


async def add_secret(connection: AsyncConnection, purpose: str, secret: bytes) -> None:
    """Add a secret, which is the newest of its purpose from now on."""
    await connection.execute(insert(service_secrets).values(purpose=purpose, secret=secret))


async def _changed(connection: AsyncConnection, name: str, values: Mapping[str, object]) -> bool:
    statement = update(integrators).where(func.lower(integrators.c.name) == name.lower()).values(values)
    return (await connection.execute(statement)).rowcount == 1


async def _changed_key(
    connection: AsyncConnection, key_id: int, values: Mapping[str, object], *only: ColumnElement[bool]
) -> ApiKey | None:
    statement = update(api_keys).where(api_keys.c.id == key_id, *only).values(values).returning(api_keys)
    row = (await connection.execute(statement)).one_or_none()
    return None if row is None else _key(row)


def _first_of(name: str) -> Label[Any]:
    """Return a share of the key's own rule, else of its integrator's: a rule has both shares or none."""
    return func.coalesce(getattr(api_keys.c, name), getattr(integrators.c, name)).label(name)


def _shares(rule: FeeRule | None) -> dict[str, Decimal | None]:
    service, largest = (None, None) if rule is None else (rule.service_share, rule.largest_integrator_share)
    return {
        "service_share": None if service is None else to_decimal(service),
        "largest_integrator_share": None if largest is None else to_decimal(largest),
    }


def _integrator(row: Row[Any]) -> Integrator:
    return Integrator(row.name, row.evm_wallet, row.svm_wallet, row.created_at)


def _rule(row: Row[Any]) -> FeeRule | None:
    if row.service_share is None:
        return None
    return FeeRule(Fraction(row.service_share), Fraction(row.largest_integrator_share))


def _key(row: Row[Any]) -> ApiKey:
    return ApiKey(
        row.id,
        row.integrator,
        row.prefix,
        row.created_at,
        row.revoked_at,
        row.quote_limit,
        row.other_limit,
        rule=_rule(row),
        name=row.name,
        last_used_at=row.last_used_at,
    )
