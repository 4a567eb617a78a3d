"""``rhumbline keys``: integrators and their API keys."""

from dataclasses import replace
from typing import Annotated

import typer
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service import Accounts
from rhumbline.app.commands.fee_rules import (
    LargestShare,
    ServiceShare,
    in_words,
    read_shares,
    refuse_own_contracts,
    rule_of_settings,
)
from rhumbline.app.console import Config, Json, notices, output, show_table
from rhumbline.app.settings import load_settings
from rhumbline.app.store import in_store
from rhumbline.domain.account import ApiKey
from rhumbline.domain.clock import system_clock
from rhumbline.domain.fee import FeeRule

app = typer.Typer(no_args_is_help=True, help="Create, list, rotate and revoke integrators' API keys.")
Name = Annotated[str, typer.Option("--integrator", help="The integrator's name: 1 to 31 letters, digits, . _ -")]


@app.command()
def create(
    integrator: Name,
    evm_wallet: Annotated[str | None, typer.Option(help="Where its fees go on EVM chains.")] = None,
    svm_wallet: Annotated[str | None, typer.Option(help="Where its fees go on Solana.")] = None,
    name: Annotated[str | None, typer.Option(help="What people call the key.")] = None,
    config: Config = None,
) -> None:
    """Make a key for an integrator, registering it if it is new; the key's text is shown only now."""
    settings = load_settings(config)
    refuse_own_contracts(settings, evm_wallet)

    async def make(engine: AsyncEngine) -> tuple[ApiKey, str]:
        accounts = Accounts(engine, system_clock)
        await accounts.ensure_integrator(integrator, evm_wallet, svm_wallet)
        return await accounts.create_key(integrator, name=name)

    key, text = in_store(settings, make)
    notices().print(f"key {key.id} of {key.integrator}; it is not shown again:")
    output().print(text)


@app.command("list")
def list_keys(
    integrator: Annotated[str | None, typer.Option("--integrator", help="Only this integrator's.")] = None,
    as_json: Json = False,
    config: Config = None,
) -> None:
    """Show integrators' keys: number, name, beginning, age, last use; never their text."""
    keys = in_store(load_settings(config), lambda engine: Accounts(engine, system_clock).list_keys(integrator))
    rows = []
    for key in keys:
        times = (key.created_at, key.last_used_at, key.revoked_at)
        told = ("" if time is None else time.isoformat(timespec="seconds") for time in times)
        rows.append((str(key.id), key.integrator, key.name or "", key.prefix, *told))
    columns = ("key", "integrator", "name", "begins with", "created", "last used", "revoked")
    show_table(rows, columns, as_json=as_json)


@app.command()
def limits(
    key: Annotated[int, typer.Argument(help="The key's number.")],
    quotes: Annotated[int | None, typer.Option(help="Quote-related requests a minute; absent: the tier's.")] = None,
    others: Annotated[int | None, typer.Option(help="Other requests a minute; absent: the tier's.")] = None,
    config: Config = None,
) -> None:
    """Give a key rate limits of its own, in every process within a second; without options, the tier's again."""
    in_store(load_settings(config), lambda engine: Accounts(engine, system_clock).set_limits(key, quotes, others))
    words = ", ".join(f"{name} {value} a minute" for name, value in (("quotes", quotes), ("others", others)) if value)
    notices().print(f"key {key}: {words or 'the limits of its tier'}")


@app.command()
def fees(
    key: Annotated[int, typer.Argument(help="The key's number.")],
    service_share: ServiceShare = None,
    largest_share: LargestShare = None,
    default: Annotated[bool, typer.Option("--default", help="Return to the integrator's rule.")] = False,
    config: Config = None,
) -> None:
    """Give a key a fee rule of its own, in every process within a second; what is not given stays as it is."""
    settings = load_settings(config)
    changed = read_shares(service_share, largest_share, default=default)

    async def change(engine: AsyncEngine) -> FeeRule:
        accounts = Accounts(engine, system_clock)
        rule = None if default else replace(await accounts.key_rule(key) or rule_of_settings(settings), **changed)
        await accounts.set_key_rule(key, rule)
        return rule or await accounts.key_rule(key) or rule_of_settings(settings)

    words = in_words(in_store(settings, change), "its integrator's or the settings'" if default else "its own")
    notices().print(f"key {key}: {words}")


@app.command()
def revoke(key: Annotated[int, typer.Argument(help="The key's number.")], config: Config = None) -> None:
    """Make a key worthless, in every process within a second."""
    in_store(load_settings(config), lambda engine: Accounts(engine, system_clock).revoke_key(key))
    notices().print(f"key {key} is revoked")


@app.command()
def rotate(
    key: Annotated[int, typer.Argument(help="The number of the key that is replaced.")],
    overlap: Annotated[
        int, typer.Option(min=0, max=30 * 86_400, help="Seconds for which the old key goes on.")
    ] = 86_400,
    config: Config = None,
) -> None:
    """Make a new key in a key's place; the old one ends after the overlap."""
    made, text = in_store(load_settings(config), lambda engine: Accounts(engine, system_clock).rotate_key(key, overlap))
    notices().print(f"key {made.id} replaces key {key}, which ends in {overlap} s; it is not shown again:")
    output().print(text)
