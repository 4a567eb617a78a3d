"""Which wallets may run which integrators in the portal. An integrator made from the command line has no owner yet."""

from dataclasses import dataclass

from sqlalchemy import Column, ColumnElement, DateTime, ForeignKey, MetaData, Table, Text, delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.accounts import integrator_store
from rhumbline.accounts.integrators import is_name, name_faults
from rhumbline.domain.account import Integrator
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import InvalidRequest, NotFound
from rhumbline.gateways.postgres.failures import store_access

MOST_INTEGRATORS = 10

owners = Table(
    "portal_owners",
    MetaData(),
    Column("address", Text, primary_key=True),
    Column("integrator", Text, ForeignKey(integrator_store.integrators.c.name), primary_key=True),
    Column("since", DateTime(timezone=True), nullable=False),
)


@dataclass(frozen=True, slots=True)
class Owners:
    """Owners by address, in EIP-55 form. All methods raise StoreUnavailable when the store cannot be reached."""

    engine: AsyncEngine
    clock: Clock

    async def register(self, address: str, name: str) -> Integrator:
        """Register an integrator and its owner, or neither; InvalidRequest: a bad or taken name, too many."""
        if faults := name_faults(name):
            raise InvalidRequest(faults)
        integrator = Integrator(name, None, None, self.clock())
        with store_access():
            async with self.engine.begin() as connection:
                # Registrations of one wallet go one after the other, so that the count below holds.
                await connection.execute(select(func.pg_advisory_xact_lock(func.hashtext(address))))
                owned = select(func.count()).where(owners.c.address == address)
                if (await connection.execute(owned)).scalar_one() >= MOST_INTEGRATORS:
                    raise InvalidRequest(
                        [f"integrator: a wallet may register {MOST_INTEGRATORS}; use another, or ask the operator"]
                    )
                if not await integrator_store.add_integrator(connection, integrator):
                    raise InvalidRequest([f"integrator: {name} is taken; choose another name"])
                await self._add(connection, address, name)
        return integrator

    async def add(self, address: str, name: str) -> None:
        """Make a wallet an owner of an integrator that is there; once more changes nothing. Raise NotFound."""
        with store_access():
            async with self.engine.begin() as connection:
                found = await integrator_store.find_integrator(connection, name) if is_name(name) else None
                if found is None:
                    raise NotFound(f"integrator: there is none named {name!r}; register it first")
                await self._add(connection, address, found.name)

    async def remove(self, address: str, name: str) -> None:
        """Make a wallet an owner no longer, from its next request on. Raise NotFound where it is none."""
        gone = delete(owners).where(owners.c.address == address, func.lower(owners.c.integrator) == name.lower())
        with store_access():
            async with self.engine.begin() as connection:
                if not (await connection.execute(gone)).rowcount:
                    raise NotFound(f"owner: {address} does not sign in for {name!r}; see its list of owners")

    async def owners_of(self, name: str) -> tuple[str, ...]:
        """Return the wallets that own the integrator of this very name, oldest ownership first."""
        return await self._oldest_first(owners.c.address, owners.c.integrator == name)

    async def integrators_of(self, address: str) -> tuple[str, ...]:
        """Return the names of a wallet's integrators, oldest ownership first."""
        return await self._oldest_first(owners.c.integrator, owners.c.address == address)

    async def _oldest_first(self, column: Column[str], of: ColumnElement[bool]) -> tuple[str, ...]:
        query = select(column).where(of).order_by(owners.c.since, column)
        with store_access():
            async with self.engine.connect() as connection:
                return tuple((await connection.execute(query)).scalars())

    async def find(self, address: str, name: str) -> Integrator | None:
        """Return an integrator if the wallet owns it: one of another cannot be told from none."""
        if not is_name(name):
            return None
        query = select(owners.c.integrator).where(owners.c.address == address, owners.c.integrator == name)
        with store_access():
            async with self.engine.connect() as connection:
                if (await connection.execute(query)).one_or_none() is None:
                    return None
                return await integrator_store.find_integrator(connection, name)

    async def _add(self, connection: AsyncConnection, address: str, name: str) -> None:
        row = {"address": address, "integrator": name, "since": self.clock()}
        await connection.execute(insert(owners).values(row).on_conflict_do_nothing())
