"""The commands by name, each loaded when it is called: what they import takes longer than many of them run.

Only what the list of all commands says of them is known before; a test compares it with what they say themselves.
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
    """Where a command is: ``name`` in a module of this package, a function or a group; ``says`` what it does."""

    module: str
    name: str
    says: str


COMMANDS: Mapping[str, Place] = MappingProxyType(
    {
        "init": Place(
            "init",
            "init",
            "Write a commented rhumbline.toml after a few questions; a file that is there is never overwritten.",
        ),
        "serve": Place(
            "serve",
            "serve",
            "Answer requests, and follow the chains unless tracking.enabled is false. Migrates the store first.",
        ),
        "worker": Place("serve", "worker", "Follow the chains only; several may run, each chain has one leader."),
        "rescan": Place("rescan", "rescan", "Read a part of a chain again and add the records that are missing."),
        "migrate": Place("serve", "migrate", "Bring the store to this version's schema."),
        "backup": Place(
            "backup", "backup", "Write the embedded store to a file of SQL, while the service runs or not."
        ),
        "devnet": Place(
            "sandbox",
            "devnet",
            "Start local chains with real contracts and pools, and the service on them, until it is stopped.",
        ),
        "quote": Place(
            "quote",
            "quote",
            "Ask a running service for the best executable route, and show what each adapter answers.",
        ),
        "track": Place("quote", "track", "Look one transaction up in a running service."),
        "doctor": Place(
            "doctor",
            "doctor",
            "Check settings, store, every chain's node, our contracts on it, and the clock; exit code 1 when one "
            "fails.",
        ),
        "integrators": Place(
            "integrators", "app", "Register integrators; set their wallets, fee rules and who signs in for them."
        ),
        "keys": Place("keys", "app", "Create, list, rotate and revoke integrators' API keys."),
        "secrets": Place("secrets", "app", "Rotate the service's own secrets."),
        "contracts": Place("contracts", "app", "Deploy our contracts on a chain, or compare what is there."),
        "catalog": Place("catalog", "app", "Look after the chains and tokens that the service knows."),
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
    """All commands; the list shows what is known of them, and the one that is called is loaded."""

    def __init__(self, **attributes: Any) -> None:
        known = {name: TyperCommand(name, help=place.says) for name, place in COMMANDS.items()}
        super().__init__(**{**attributes, "commands": known})

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else loaded(name), rest
