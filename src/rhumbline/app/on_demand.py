"""The commands by name, each imported when it is called, because imports take longer than many commands run.

Only the texts of the list of commands are known before; a test compares them with the commands' own.
"""

import gc
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group


@dataclass(frozen=True, slots=True)
class Place:
    """Where a command is: ``name`` in a module of this package, a function or a group; ``says`` is its help."""

    module: str
    name: str
    says: str


COMMANDS: Mapping[str, Place] = MappingProxyType(
    {
        "init": Place(
            "init",
            "init",
            "Ask a few questions and write a commented rhumbline.toml. Never overwrites a file.",
        ),
        "serve": Place(
            "serve",
            "serve",
            "Migrate the store, answer requests, and follow the chains unless tracking.enabled is false.",
        ),
        "worker": Place(
            "serve",
            "worker",
            "Track, refresh prices and deliver webhooks, without answering requests. Several may run on many machines.",
        ),
        "rescan": Place("rescan", "rescan", "Read a part of a chain again and add missing records."),
        "migrate": Place("serve", "migrate", "Migrate the store to this version's schema."),
        "backup": Place("backup", "backup", "Write the embedded store to an SQL file. The service may be running."),
        "devnet": Place(
            "sandbox",
            "devnet",
            "Start local chains with real contracts and pools, and the service on them.",
        ),
        "quote": Place(
            "quote",
            "quote",
            "Ask a running service for the best route and show each adapter's answer.",
        ),
        "track": Place("quote", "track", "Look up a transaction in a running service."),
        "mcp": Place(
            "mcp",
            "mcp",
            "Give an agent the tools of a running service, by the Model Context Protocol. Signs nothing.",
        ),
        "doctor": Place(
            "doctor",
            "doctor",
            "Check settings, store, nodes, contracts, upstreams and the clock. Exit code 1 if a check fails.",
        ),
        "adapters": Place("adapters", "app", "Pause and resume adapters in all running processes."),
        "chains": Place("chains", "app", "Pause and resume chains in all running processes."),
        "quoting": Place("quote_pause", "app", "Pause and resume quoting as a whole in all running processes."),
        "log-level": Place(
            "log_level", "log_level", "Set the log level of all running processes, within 2 s, or show it."
        ),
        "audit": Place(
            "audit", "audit", "Show who changed what and why, of the service and of all integrators, newest first."
        ),
        "integrators": Place("members", "app", "Register integrators and set their wallets, fee rules and members."),
        "keys": Place("keys", "app", "Create, list, rotate and revoke integrators' API keys."),
        "webhooks": Place("webhooks", "app", "Manage the endpoints that events are posted to."),
        "explain": Place(
            "explain",
            "explain",
            "Show why a request was answered as it was: what became of each adapter. Without an ID, the latest "
            "requests.",
        ),
        "records": Place("records", "app", "Explain transactions: records, their evidence, events and deliveries."),
        "secrets": Place("secrets", "app", "Rotate the service's own secrets."),
        "signing-key": Place(
            "signing_key",
            "signing_key",
            "Make a key pair for signed answers: the private key goes to a file, the public one is shown.",
        ),
        "contracts": Place("contracts", "app", "Deploy our contracts on a chain, or compare the deployed code."),
        "catalog": Place("catalog", "app", "Update the tokens that the service knows."),
    }
)


def loaded(name: str) -> Any:
    """Load a command, as typer makes it, a `TyperCommand` or `TyperGroup`; raise KeyError where there is none."""
    place = COMMANDS[name]
    # All that is loaded stays: looking for garbage among it, now or as soon as one may, takes a tenth of the time each.
    gc.disable()
    try:
        found = getattr(import_module(f"rhumbline.app.commands.{place.module}"), place.name)
    finally:
        gc.freeze()
        gc.enable()
    holder = typer.Typer(add_completion=False)
    if isinstance(found, typer.Typer):
        holder.add_typer(found, name=name)
    else:
        holder.command(name)(found)
    return get_group(holder).commands[name]


class OnDemand(TyperGroup):
    """All commands; the list shows their help, and only the called one is loaded."""

    def __init__(self, **attributes: Any) -> None:
        known = {name: TyperCommand(name, help=place.says) for name, place in COMMANDS.items()}
        super().__init__(**{**attributes, "commands": known})

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else loaded(name), rest
