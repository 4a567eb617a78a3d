"""The table of integrators, and every statement on it."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from sqlalchemy import Column, DateTime, MetaData, Numeric, Row, Table, Text, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.accounts.integrators import to_decimal
from rhumbline.domain.account import Integrator
from rhumbline.domain.chain import ChainType
from rhumbline.domain.fee import FeeRule

integrators = Table(
    "integrators",
    MetaData(),
    Column("name", Text, primary_key=True),
    Column("evm_wallet", Text),
    Column("svm_wallet", Text),
    Column("service_share", Numeric),
    Column("largest_integrator_share", Numeric),
    Column("created_at", DateTime(timezone=True), nullable=False),
)


async def find_integrator(connection: AsyncConnection, name: str) -> Integrator | None:
    query = select(integrators).where(func.lower(integrators.c.name) == name.lower())
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else integrator_of(row)


async def all_integrators(connection: AsyncConnection) -> tuple[Integrator, ...]:
    rows = await connection.execute(select(integrators).order_by(func.lower(integrators.c.name)))
    return tuple(integrator_of(row) for row in rows)


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
    return await _changed(connection, name, shares_of(rule))


async def find_rule(connection: AsyncConnection, name: str) -> FeeRule | None:
    """Return the fee rule of its own that the integrator of this very name has; None without one."""
    row = (await connection.execute(select(integrators).where(integrators.c.name == name))).one_or_none()
    return None if row is None else rule_of(row)


def shares_of(rule: FeeRule | None) -> dict[str, Decimal | None]:
    service, largest = (None, None) if rule is None else (rule.service_share, rule.largest_integrator_share)
    return {
        "service_share": None if service is None else to_decimal(service),
        "largest_integrator_share": None if largest is None else to_decimal(largest),
    }


def rule_of(row: Row[Any]) -> FeeRule | None:
    if row.service_share is None:
        return None
    return FeeRule(Fraction(row.service_share), Fraction(row.largest_integrator_share))


def integrator_of(row: Row[Any]) -> Integrator:
    return Integrator(row.name, row.evm_wallet, row.svm_wallet, row.created_at)


async def _changed(connection: AsyncConnection, name: str, values: Mapping[str, object]) -> bool:
    statement = update(integrators).where(func.lower(integrators.c.name) == name.lower()).values(values)
    return (await connection.execute(statement)).rowcount == 1
