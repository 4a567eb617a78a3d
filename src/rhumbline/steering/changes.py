"""What operators change at run time; each change is in the audit log, in the same transaction."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.accounts.audit_log import THE_SERVICE, Action, Deed, note
from rhumbline.domain.operator import Operator
from rhumbline.domain.pauses import Pauses
from rhumbline.gateways.postgres.failures import store_access
from rhumbline.steering.store import Steered, add_pause, count_change, read_steering, remove_pause, set_log_level


@dataclass(frozen=True, slots=True)
class SteeringChanges:
    """Changes what all processes of the store take over within two seconds. Raise StoreUnavailable.

    ``place`` says in words for the audit log what is paused.
    """

    engine: AsyncEngine
    operator: Operator

    async def pause(
        self, adapter: str | None, chain: int | None, place: str, *, public: bool = False
    ) -> tuple[bool, Pauses]:
        """Pause an adapter (None: all) on a chain (None: all); return whether it was not paused, and all pauses."""
        async with self._change() as connection:
            is_new = await add_pause(connection, adapter, chain, self.operator, public=public)
            if is_new:
                await self._note(connection, Action.PAUSED, f"{place}{', with a public reason' if public else ''}")
            return is_new, (await read_steering(connection)).pauses

    async def resume(self, adapter: str | None, chain: int | None, place: str) -> tuple[bool, Pauses]:
        """End a pause; return whether there was one, and those that are left."""
        async with self._change() as connection:
            is_over = await remove_pause(connection, adapter, chain)
            if is_over:
                await self._note(connection, Action.RESUMED, place)
            return is_over, (await read_steering(connection)).pauses

    async def set_log_level(self, level: str | None, seconds: int | None) -> None:
        """Set the log level (None: the settings') of all processes, for so many seconds, None for until changed."""
        async with self._change() as connection:
            end = "" if seconds is None else f" for {seconds} s"
            await self._note(connection, Action.LOG_LEVEL_SET, f"{level or 'as the settings'}{end}")
            await set_log_level(connection, level, seconds)

    async def _note(self, connection: AsyncConnection, action: Action, detail: str) -> None:
        now = await count_change(connection)
        await note(connection, THE_SERVICE, now, Deed(None, action, detail, self.operator))

    @asynccontextmanager
    async def _change(self) -> AsyncIterator[AsyncConnection]:
        with store_access():
            async with self.engine.begin() as connection:
                yield connection


async def steering_now(engine: AsyncEngine) -> Steered:
    """Return what holds; raise StoreUnavailable."""
    with store_access():
        async with engine.connect() as connection:
            return await read_steering(connection)
