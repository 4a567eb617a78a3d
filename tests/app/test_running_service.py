"""Settings are replaced whole while the service runs, or not at all."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import pytest
import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service_keys import CURSORS, rotate_keys
from rhumbline.api.server.listener import reserve, serve
from rhumbline.app.running_service import RunningService, check_change, running_service, tls_of
from rhumbline.app.sections import LogSettings
from rhumbline.app.settings import Settings, SettingsError
from rhumbline.app.wiring import Wiring
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.operator import Operator
from rhumbline.steering.changes import SteeringChanges
from tests.app.conftest import NOWHERE, Configure
from tests.gateways.http.test_connection import papers

BEFORE = Settings.model_validate(
    {
        "prices": {"sources": []},
        "log": {"format": "json"},
        "chains": [{"id": 1, "rpc": NOWHERE}],
        "adapters": {"okx": {"credentials": {"key": "hidden-word", "secret": "a", "passphrase": "b"}}},
    }
)


def changed(**sections: object) -> Settings:
    return Settings.model_validate({**BEFORE.model_dump(), **sections})


@pytest.mark.parametrize(
    ("sections", "faults"),
    [
        ({"server": {"port": 1}, "store": {"dsn": "postgresql://u:hidden-word@h/d"}}, ["server.port", "store.dsn"]),
        ({"limits": {"redis_url": "redis://:hidden-word@h"}}, ["limits.redis_url"]),
        ({"metrics": {"port": 1}}, ["metrics.port"]),
        ({"server": {"tls_certificate": "a", "tls_key": "b"}}, ["server.tls_certificate", "server.tls_key"]),
        ({"chains": []}, ["chains"]),
    ],
)
def test_what_cannot_change_is_named(sections: dict[str, object], faults: list[str]) -> None:
    with pytest.raises(SettingsError) as caught:
        check_change(BEFORE, changed(**sections))
    assert [fault.partition(":")[0] for fault in caught.value.faults] == faults
    assert all("needs a restart" in fault for fault in caught.value.faults)
    assert "hidden-word" not in str(caught.value)


def test_a_certificate_may_move() -> None:
    here, there = ({"server": {"tls_certificate": name, "tls_key": name}} for name in "ab")
    check_change(changed(**here), changed(**there))


class Watched:
    """A service, and which settings its work goes on under."""

    def __init__(self) -> None:
        self.working: list[str] = []
        self.service: RunningService | None = None

    async def work(self, settings: Settings, wiring: Wiring) -> None:
        self.working.append(settings.brand)
        assert len(self.working) == 1, "the work before has ended"
        try:
            await asyncio.Event().wait()
        finally:
            self.working.remove(settings.brand)

    async def reload(self, load: Callable[[], Settings]) -> None:
        assert self.service is not None
        await self.service.reload(load)
        for _ in range(10):
            await asyncio.sleep(0)

    @property
    def front(self) -> object:
        """Part of the application in force."""
        assert self.service is not None
        return self.service.app.hot


@asynccontextmanager
async def watched(engine: AsyncEngine) -> AsyncIterator[Watched]:
    found = Watched()
    async with running_service(BEFORE, engine, None, found.work) as found.service:
        running = asyncio.create_task(found.service.run())
        await asyncio.sleep(0)
        yield found
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


async def test_new_settings_are_worked_under_when_the_work_before_has_ended(
    store_engine: AsyncEngine, configure: Configure
) -> None:
    said = configure(LogSettings())
    async with watched(store_engine) as found:
        before, limiter = found.front, found.service and found.service.foundation.limiter
        await found.reload(lambda: changed(brand="Acme", log={"format": "json", "level": "warning"}))
        assert found.working == ["Acme"]
        assert found.front is not before
        assert found.service is not None
        assert found.service.foundation.limiter is limiter, "nobody's count begins anew"
        await found.reload(lambda: changed(brand="Bcme"))
        assert found.working == ["Bcme"]
    assert found.working == []
    # At the level warning nobody is told of what went well.
    assert said.getvalue().count("settings_reloaded") == 1


async def test_a_log_level_that_the_operator_has_set_outlives_new_settings(
    store_engine: AsyncEngine, configure: Configure
) -> None:
    said = configure(LogSettings(format="json"))
    changes = SteeringChanges(store_engine, Operator("alice"))
    async with watched(store_engine) as found:
        assert found.service is not None
        steering = found.service.foundation.steering
        await changes.set_log_level("warning", None)
        await steering.read()
        await found.reload(lambda: changed(brand="Acme"))
        await found.reload(lambda: changed(log={"format": "json", "level": "debug"}))
        assert found.working == ["Rhumbline"]
        assert "settings_reloaded" not in said.getvalue()
        await changes.set_log_level(None, None)
        await steering.read()
        # Now as the settings say that are in force.
        structlog.stdlib.get_logger("rhumbline.any").debug("of debug")
        assert "of debug" in said.getvalue()


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (SettingsError(["log.level: wrong", "brand: wrong"]), "log.level: wrong; brand: wrong"),
        (StoreUnavailable("The store is away"), "The store is away"),
        (RuntimeError("hidden-word"), "RuntimeError"),
        (None, "adapters.okx.credentials.nonsense: there is no such credential"),
    ],
)
async def test_what_fails_changes_nothing(
    store_engine: AsyncEngine, configure: Configure, fault: Exception | None, reason: str
) -> None:
    said = configure(LogSettings(format="json"))

    def load() -> Settings:
        if fault is not None:
            raise fault
        return changed(log={"level": "error"}, adapters={"okx": {"credentials": {"nonsense": "hidden-word"}}})

    async with watched(store_engine) as found:
        before = found.front
        await found.reload(load)
        assert found.front is before
        assert found.working == ["Rhumbline"]
    assert "settings_not_reloaded" in said.getvalue()
    assert f'"reason": "{reason}' in said.getvalue()
    assert fault is not None or "hidden-word" not in said.getvalue()


async def test_rotated_secrets_are_taken_up(
    store_engine: AsyncEngine, configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(LogSettings())
    monkeypatch.setattr("rhumbline.app.running_service.LOOK_FOR_SECRETS_S", 0.02)
    async with watched(store_engine) as found:
        assert found.service is not None
        before, watching = found.front, asyncio.create_task(found.service.watch_secrets())
        await asyncio.sleep(0.1)
        assert found.front is before
        await rotate_keys(store_engine, CURSORS)
        for _ in range(3000):
            if found.front is not before:
                break
            await asyncio.sleep(0.02)
        assert found.front is not before
        watching.cancel()


async def test_a_certificate_is_swapped_under_connections_that_stay(store_engine: AsyncEngine, tmp_path: Path) -> None:
    old, new = (papers(folder, "IP:127.0.0.1", 2) for folder in _folders(tmp_path, "old", "new"))
    settings = changed(server={"tls_certificate": str(old.certificate), "tls_key": str(old.key)})
    tls, listener = tls_of(settings), reserve("127.0.0.1", 0)
    url = f"https://127.0.0.1:{listener.getsockname()[1]}/health"

    def trusting(certificate: Path) -> aiohttp.ClientSession:
        context = ssl.create_default_context(cafile=certificate)
        return aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=context))

    async with (
        running_service(settings, store_engine, tls, Watched().work) as service,
        trusting(old.certificate) as kept,
        trusting(new.certificate) as comes,
    ):
        serving = asyncio.create_task(serve(service.app, listener, tls=tls))
        (await kept.get(url)).raise_for_status()
        with pytest.raises(aiohttp.ClientConnectorCertificateError):
            await comes.get(url)
        old.key.write_bytes(new.key.read_bytes())
        assert not await service.reload(lambda: settings), "half of a pair is none"
        (await kept.get(url)).raise_for_status()
        old.certificate.write_bytes(new.certificate.read_bytes())
        assert await service.reload(lambda: settings)
        for session in (comes, kept):
            (await session.get(url)).raise_for_status()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


def _folders(folder: Path, *names: str) -> Iterator[Path]:
    for name in names:
        (folder / name).mkdir()
        yield folder / name
