"""The service under its present settings, which can be replaced while it runs (decision 0047)."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service_keys import CURSORS, SPREAD_S, TRANSACTION_IDS, load_keys
from rhumbline.api.hot.replaceable_app import ReplaceableApp
from rhumbline.api.server.listener import Tls
from rhumbline.app.failures import explain
from rhumbline.app.foundation import Foundation, founded
from rhumbline.app.log import configure_logging, set_log_level
from rhumbline.app.sections import LogSettings
from rhumbline.app.settings import Settings, SettingsError
from rhumbline.app.wiring import Wiring, built
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.tracking.loops import unless

_LASTING = ("server", "store", "limits", "metrics", "tracing", "explanations", "scorecards")
"""Sections of the settings that apply from the start of the process only."""
_READ_AGAIN = frozenset({"server.tls_certificate", "server.tls_key"})
LOOK_FOR_SECRETS_S = SPREAD_S / 3
Work = Callable[[Settings, Wiring], Coroutine[Any, Any, None]]


def tls_of(settings: Settings) -> Tls | None:
    """Return where the service's own certificate is, None for plain HTTP."""
    server = settings.server
    return Tls(server.tls_certificate, server.tls_key) if server.tls_certificate and server.tls_key else None


def check_change(old: Settings, new: Settings) -> None:
    """Raise SettingsError naming each key that differs and cannot while the service runs."""
    changed = [
        f"{section}.{key}"
        for section in _LASTING
        for key in type(getattr(old, section)).model_fields
        if getattr(getattr(old, section), key) != getattr(getattr(new, section), key)
    ]
    stays = _READ_AGAIN if tls_of(old) is not None and tls_of(new) is not None else frozenset()
    faults = [f"{key}: needs a restart" for key in changed if key not in stays]
    if served(old) and not served(new):
        faults.append("chains: none would be served any more; needs a restart")
    if faults:
        raise SettingsError(faults)


def served(settings: Settings) -> list[str]:
    """Return the chains with an endpoint, by key or ID."""
    return [str(chain.key or chain.id) for chain in settings.chains if chain.rpc is not None and not chain.remove]


@dataclass(frozen=True, slots=True, eq=False)
class _Generation:
    """Everything built from one set of settings; closed when its work and its last request have ended."""

    settings: Settings
    wiring: Wiring
    replaced: asyncio.Event = field(default_factory=asyncio.Event)
    rested: asyncio.Event = field(default_factory=asyncio.Event)
    answered: asyncio.Event = field(default_factory=asyncio.Event)


class _Generations:
    """Builds generations on one foundation, each in a task of its own, because they overlap."""

    __slots__ = ("_foundation", "_open")

    def __init__(self, foundation: Foundation) -> None:
        self._foundation = foundation
        self._open: set[asyncio.Task[None]] = set()

    async def build(self, settings: Settings) -> _Generation:
        """Raise whatever keeps the service from being built of these settings."""
        made = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._hold(settings, made))
        self._open.add(task)
        task.add_done_callback(self._open.discard)
        generation: _Generation = await made
        return generation

    async def close(self) -> None:
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _hold(self, settings: Settings, made: "asyncio.Future[_Generation]") -> None:
        try:
            async with built(settings, self._foundation) as wiring:
                generation = _Generation(settings, wiring)
                made.set_result(generation)
                await generation.rested.wait()
                await generation.answered.wait()
        except Exception as error:
            if made.done():
                raise
            made.set_exception(error)


class RunningService:
    """Serves ``app`` and does its work under the present settings."""

    __slots__ = ("_current", "_generations", "_tls", "_turn", "_work", "app", "foundation")

    def __init__(
        self, foundation: Foundation, generations: _Generations, first: _Generation, tls: Tls | None, work: Work
    ) -> None:
        self.app = ReplaceableApp(first.wiring.app)
        self.foundation = foundation
        self._generations = generations
        self._current = first
        self._tls = tls
        self._work = work
        self._turn = asyncio.Lock()

    async def run(self) -> None:
        """Run until cancelled; after a reload the old work ends, with its leases, before the new one begins."""
        while True:
            current = self._current
            self.foundation.report(current.wiring.followed, current.wiring.chains.catalog)
            try:
                await unless(current.replaced, self._work(current.settings, current.wiring))
                await current.replaced.wait()
            finally:
                current.rested.set()

    async def watch_secrets(self) -> None:
        """Rebuild the service when its own secrets were rotated, before one of them is used."""
        engine, before = self.foundation.engine, None
        while True:
            with suppress(StoreUnavailable):
                now = [await load_keys(engine, purpose) for purpose in (TRANSACTION_IDS, CURSORS)]
                if before in (None, now) or await self.reload(lambda: self._current.settings):
                    before = now
            await asyncio.sleep(LOOK_FOR_SECRETS_S)

    async def reload_when(self, requested: asyncio.Event, load: Callable[[], Settings]) -> None:
        """Reload each time that it is asked for."""
        while True:
            await requested.wait()
            requested.clear()
            await self.reload(load)

    async def reload(self, load: Callable[[], Settings]) -> bool:
        """Apply what ``load`` returns, or log why not and change nothing; return which."""
        async with self._turn:
            return await self._reload(load)

    async def _reload(self, load: Callable[[], Settings]) -> bool:
        old, log = self._current, structlog.get_logger()
        try:
            new = load()
            check_change(old.settings, new)
            certificate = tls_of(new)
            if certificate is not None:
                certificate.load()
            # What is built uses the log configuration of that moment.
            self._log_as(new.log)
            made = await self._generations.build(new)
        except Exception as error:
            self._log_as(old.settings.log)
            reason = "; ".join(error.faults) if isinstance(error, SettingsError) else explain(error)
            remedy = "the settings from before go on"
            log.error(
                "settings_not_reloaded", reason=reason or type(error).__name__, remedy=remedy, exc_info=reason is None
            )
            return False
        if self._tls is not None and certificate is not None:
            self._tls.context = certificate.context
        self._current = made
        self.app.replace(made.wiring.app, old.answered)
        old.replaced.set()
        log.info("settings_reloaded", chains=served(new))
        return True

    def set_log_level(self, level: str | None) -> None:
        """Show lines from a level on, which the operator has set at run time; None for that of the settings."""
        set_log_level(level or self._current.settings.log.level)

    def _log_as(self, log: LogSettings) -> None:
        configure_logging(log)
        set_log_level(self.foundation.steering.log_level or log.level)


@asynccontextmanager
async def running_service(
    settings: Settings, engine: AsyncEngine, tls: Tls | None, work: Work
) -> AsyncIterator[RunningService]:
    """Build the service on an opened store, to be replaced as often as its settings are.

    ``work`` is what goes on beside requests, as long as the settings are in force. Raise what ``built`` raises.
    """
    async with founded(settings, engine) as foundation:
        generations = _Generations(foundation)
        try:
            service = RunningService(foundation, generations, await generations.build(settings), tls, work)
            foundation.steering.follow_log_level(service.set_log_level)
            yield service
        finally:
            await generations.close()
