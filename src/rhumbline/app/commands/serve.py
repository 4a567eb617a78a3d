"""``rhumbline serve``, ``worker`` and ``migrate``."""

import asyncio
import gc
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import structlog
import typer

from rhumbline.api.http.connections import Bounds
from rhumbline.api.metrics.application import metrics_app
from rhumbline.api.server.listener import connection_bounds, reserve
from rhumbline.api.server.listener import serve as serve_http
from rhumbline.app.console import Config, notices
from rhumbline.app.log import configure_logging
from rhumbline.app.nodes import say_what_nodes_are_on
from rhumbline.app.run import CommandFailed, free_rings, run, until_signalled
from rhumbline.app.running_service import RunningService, running_service, served, tls_of
from rhumbline.app.sections import ServerSettings
from rhumbline.app.service_manager import tell_ready
from rhumbline.app.settings import Settings, exposed_secrets, load_settings, manager_socket, settings_file
from rhumbline.app.store import opened_store
from rhumbline.app.wiring import Wiring
from rhumbline.app.workers import Workers
from rhumbline.gateways.postgres.schema_upgrade import NEWEST, current

_WATCHERS = Bounds(16, 16)
"""The limits of connections to the metrics port."""


def serve(
    config: Config = None,
    host: Annotated[str | None, typer.Option(help="Listen on this address; overrides server.host.")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Listen on this port; overrides server.port.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=64, help="Number of serving processes; overrides server.workers.")
    ] = None,
) -> None:
    """Migrate the store, answer requests, and follow the chains unless tracking.enabled is false."""
    chosen = {
        name: value for name, value in (("host", host), ("port", port), ("workers", workers)) if value is not None
    }
    load = _loader(config, chosen)
    settings = load()
    check_exposure(settings.server)
    configure_logging(settings.log)
    server, file = settings.server, settings_file(config)
    listener = reserve(server.host, server.port)
    if server.workers == 1:
        run(_serve(settings, file, load, listener))
        return
    if settings.limits.redis_url is None:
        remedy = "set limits.redis_url to count requests together"
        structlog.get_logger().warning("each_worker_counts_by_itself", workers=server.workers, remedy=remedy)
    # Collecting would write to what the workers share with the parent.
    gc.freeze()
    ended = Workers(
        server.workers, lambda number, report: run(_serve(settings, file, load, listener, number, report))
    ).run()
    listener.close()
    raise typer.Exit(ended)


def _loader(config: Path | None, server: Mapping[str, object]) -> Callable[[], Settings]:
    """Return what reads the settings, the command line winning over `server`; a file that was there must stay."""
    file = settings_file(config)
    named = file if file.exists() else config

    def load() -> Settings:
        settings = load_settings(named)
        return settings.model_copy(update={"server": settings.server.model_copy(update=server)})

    return load


def _say_what_with(settings: Settings, file: Path) -> None:
    """Log the settings file and the settings in force; the absence of a file is logged first."""
    log, there = structlog.get_logger(), file.exists()
    if settings.store.dsn is None:
        remedy = "name a server with store.dsn; store.required = true refuses to start without"
        log.warning("embedded_store", data_dir=str(settings.store.data_dir), remedy=remedy)
    if exposed := exposed_secrets(settings, file):
        log.warning("secrets_readable_by_all", file=str(file), keys=exposed, remedy=f"chmod 600 {file}")
    chains = served(settings)
    says = {"store": "configured" if settings.store.dsn is not None else f"embedded, in {settings.store.data_dir}"}
    if there:
        log.info("settings", file=str(file), chains=chains, **says)
    else:
        remedy = "rhumbline init writes one" + ("" if chains else "; without [[chains]] nothing can be quoted")
        log.warning("no_settings_file", looked_for=str(file), chains=chains, **says, remedy=remedy)
    if there and not chains:
        log.warning("no_chain_served", remedy="add [[chains]] with id and rpc; nothing can be quoted")


def worker(config: Config = None) -> None:
    """Track, refresh prices and deliver webhooks, without answering requests. Several may run on many machines."""
    load = _loader(config, {})
    settings = load()
    configure_logging(settings.log)
    run(_work(settings, load))


def migrate(config: Config = None) -> None:
    """Migrate the store to this version's schema."""
    settings = load_settings(config)

    async def go() -> None:
        async with opened_store(settings) as engine:
            newer = await current(engine) != NEWEST
            notices().print("the store is of a newer version" if newer else "the store is up to date")

    run(go())


def check_exposure(server: ServerSettings) -> None:
    """Refuse plain HTTP on an address that others can reach, unless it was asked for by name."""
    local = server.host in ("localhost", "::1") or server.host.startswith("127.")
    if (server.tls_certificate is None) != (server.tls_key is None):
        raise CommandFailed("server.tls_certificate and server.tls_key: both are needed, or neither")
    if not local and server.tls_certificate is None and not server.allow_plain_http:
        raise CommandFailed(
            f"server.host: {server.host} is reachable from outside and plain HTTP shows keys to everyone on the way; "
            "set server.tls_certificate and server.tls_key, or server.allow_plain_http when a proxy ends TLS"
        )


async def _serve(
    settings: Settings,
    file: Path,
    load: Callable[[], Settings],
    listener: socket.socket,
    worker: int = 0,
    report: Callable[[], None] | None = None,
) -> None:
    server = settings.server
    bounds = connection_bounds(server.connections, server.connections_per_address)
    watched, reload, tls = _reserve_metrics(settings, worker), asyncio.Event(), tls_of(settings)

    def started(url: str) -> None:
        structlog.get_logger().info("ready", url=url, **({} if report is None else {"worker": worker}))
        if report is not None:
            report()
        tell_ready(manager_socket())

    async def go() -> None:
        async with (
            opened_store(settings, logs=True) as engine,
            running_service(settings, engine, tls, _keep_serving) as service,
            asyncio.TaskGroup() as tasks,
        ):
            if worker == 0:
                _say_what_with(settings, file)
            tasks.create_task(service.run())
            tasks.create_task(service.reload_when(reload, load))
            tasks.create_task(service.watch_secrets())
            tasks.create_task(free_rings())
            _serve_metrics(service, watched, tasks)
            await serve_http(
                service.app,
                listener,
                tls=tls,
                trusted_proxies=server.trusted_proxies,
                bounds=bounds,
                started=started,
                opened=service.foundation.metrics.watch,
            )

    try:
        await until_signalled(go(), reload.set)
    finally:
        listener.close()
        if watched is not None:
            watched.close()


async def _keep_serving(settings: Settings, wiring: Wiring) -> None:
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(say_what_nodes_are_on(wiring.chains))
        tasks.create_task(wiring.refresh())
        tasks.create_task(wiring.events.run(asyncio.Event()))
        tasks.create_task(wiring.follow() if settings.tracking.enabled else wiring.watch())


async def _work(settings: Settings, load: Callable[[], Settings]) -> None:
    watched, reload = _reserve_metrics(settings), asyncio.Event()

    async def go() -> None:
        async with (
            opened_store(settings, logs=True) as engine,
            running_service(settings, engine, None, _keep_following) as service,
            asyncio.TaskGroup() as tasks,
        ):
            _serve_metrics(service, watched, tasks)
            tasks.create_task(service.reload_when(reload, load))
            tasks.create_task(free_rings())
            tell_ready(manager_socket())
            await service.run()

    try:
        await until_signalled(go(), reload.set)
    finally:
        if watched is not None:
            watched.close()


async def _keep_following(settings: Settings, wiring: Wiring) -> None:
    async with asyncio.TaskGroup() as tasks:
        # Records hold what amounts were worth at the time, and services read what was found.
        tasks.create_task(wiring.refresh())
        structlog.get_logger().info("following", chains=[tracker.indexer.chain.key for tracker in wiring.trackers])
        tasks.create_task(wiring.follow())


def _serve_metrics(service: RunningService, watched: socket.socket | None, tasks: asyncio.TaskGroup) -> None:
    if watched is not None:
        app = metrics_app(service.foundation.metrics, service.app)
        tasks.create_task(serve_http(app, watched, bounds=_WATCHERS))


def _reserve_metrics(settings: Settings, worker: int = 0) -> socket.socket | None:
    """Open the metrics' port, for a further worker the next one; 0 opens a free one."""
    watch = settings.metrics
    return None if watch.port is None else reserve(watch.host, watch.port + (worker if watch.port else 0), "metrics")
