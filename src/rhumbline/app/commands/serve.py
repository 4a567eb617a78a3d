"""``rhumbline serve``, ``worker`` and ``migrate``."""

import asyncio
import socket
from pathlib import Path
from typing import Annotated

import structlog
import typer

from rhumbline.api.http.connections import Bounds
from rhumbline.api.metrics.application import metrics_app
from rhumbline.api.server.listener import Tls, connection_bounds, reserve
from rhumbline.api.server.listener import serve as serve_http
from rhumbline.app.console import Config, notices
from rhumbline.app.log import configure_logging
from rhumbline.app.nodes import say_what_nodes_are_on
from rhumbline.app.run import CommandFailed, run, until_signalled
from rhumbline.app.sections import ServerSettings
from rhumbline.app.settings import Settings, exposed_secrets, load_settings, settings_file
from rhumbline.app.store import opened_store
from rhumbline.app.wiring import wired

_WATCHERS = Bounds(16, 16)
"""Connections to the port of the metrics."""


def serve(
    config: Config = None,
    host: Annotated[str | None, typer.Option(help="Listen on this address; wins over server.host.")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Listen on this port; wins over server.port.")
    ] = None,
) -> None:
    """Answer requests, and follow the chains unless tracking.enabled is false. Migrates the store first."""
    settings = load_settings(config)
    chosen = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    settings = settings.model_copy(update={"server": settings.server.model_copy(update=chosen)})
    check_exposure(settings.server)
    configure_logging(settings.log)
    run(_serve(settings, settings_file(config)))


def _say_what_with(settings: Settings, file: Path) -> None:
    """Log the settings file and what is in force; without a file that is for a person to know first of all."""
    log, there = structlog.get_logger(), file.exists()
    if settings.store.dsn is None:
        remedy = "name a server with store.dsn; store.required = true refuses to start without"
        log.warning("embedded_store", data_dir=str(settings.store.data_dir), remedy=remedy)
    if exposed := exposed_secrets(settings, file):
        log.warning("secrets_readable_by_all", file=str(file), keys=exposed, remedy=f"chmod 600 {file}")
    served = [str(chain.key or chain.id) for chain in settings.chains if chain.rpc is not None and not chain.remove]
    says = {"store": "configured" if settings.store.dsn is not None else f"embedded, in {settings.store.data_dir}"}
    if there:
        log.info("settings", file=str(file), chains=served, **says)
    else:
        remedy = "rhumbline init writes one" + ("" if served else "; without [[chains]] nothing can be quoted")
        log.warning("no_settings_file", looked_for=str(file), chains=served, **says, remedy=remedy)
    if there and not served:
        log.warning("no_chain_served", remedy="add [[chains]] with id and rpc; nothing can be quoted")


def worker(config: Config = None) -> None:
    """Follow the chains only; several may run, each chain has one leader."""
    settings = load_settings(config)
    configure_logging(settings.log)
    run(_work(settings))


def migrate(config: Config = None) -> None:
    """Bring the store to this version's schema."""
    settings = load_settings(config)

    async def go() -> None:
        async with opened_store(settings):
            notices().print("the store is up to date")

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


async def _serve(settings: Settings, file: Path) -> None:
    server = settings.server
    bounds = connection_bounds(server.connections, server.connections_per_address)
    listener = reserve(server.host, server.port)
    watched = _reserve_metrics(settings)
    tls = Tls(server.tls_certificate, server.tls_key) if server.tls_certificate and server.tls_key else None

    async def go() -> None:
        async with opened_store(settings) as engine, wired(settings, engine) as service, asyncio.TaskGroup() as tasks:
            _say_what_with(settings, file)
            tasks.create_task(say_what_nodes_are_on(service.chains))
            tasks.create_task(service.refresh())
            if settings.tracking.enabled:
                tasks.create_task(service.follow())
            else:
                tasks.create_task(service.watch())
            if watched is not None:
                tasks.create_task(serve_http(metrics_app(service.metrics, service.app), watched, bounds=_WATCHERS))
            await serve_http(
                service.app,
                listener,
                tls=tls,
                trusted_proxies=server.trusted_proxies,
                bounds=bounds,
                started=lambda url: structlog.get_logger().info("ready", url=url),
                opened=service.metrics.watch,
            )

    try:
        await until_signalled(go())
    finally:
        listener.close()
        if watched is not None:
            watched.close()


async def _work(settings: Settings) -> None:
    watched = _reserve_metrics(settings)

    async def go() -> None:
        async with opened_store(settings) as engine, wired(settings, engine) as service, asyncio.TaskGroup() as tasks:
            if watched is not None:
                tasks.create_task(serve_http(metrics_app(service.metrics, service.app), watched, bounds=_WATCHERS))
            # Records hold what amounts were worth at the time.
            tasks.create_task(service.prices.run())
            structlog.get_logger().info("following", chains=[tracker.indexer.chain.key for tracker in service.trackers])
            await service.follow()

    try:
        await until_signalled(go())
    finally:
        if watched is not None:
            watched.close()


def _reserve_metrics(settings: Settings) -> socket.socket | None:
    watch = settings.metrics
    return None if watch.port is None else reserve(watch.host, watch.port, "metrics")
