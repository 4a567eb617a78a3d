"""``rhumbline keys``: integrators and their API keys."""

from dataclasses import replace
from typing import Annotated

import typer
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.key_terms import in_words as terms_in_words
from rhumbline.accounts.key_terms import last_day, read_expiry, read_terms
from rhumbline.accounts.service import Accounts
from rhumbline.app.commands.fee_rules import (
    LargestShare,
    ServiceShare,
    in_words,
    read_shares,
    refuse_own_contracts,
    rule_of_settings,
)
from rhumbline.app.commands.operators import By, Reason, operator_of
from rhumbline.app.console import Config, Json, notices, output, show_table
from rhumbline.app.settings import load_settings
from rhumbline.app.store import in_store
from rhumbline.domain.account import ApiKey, KeyScope
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import InvalidRequest, NotFound
from rhumbline.domain.fee import FeeRule

app = typer.Typer(no_args_is_help=True, help="Create, list, rotate and revoke integrators' API keys.")
Name = Annotated[str, typer.Option("--integrator", help="The integrator's name: 1 to 31 letters, digits, . _ -")]
Scopes = Annotated[
    list[KeyScope] | None, typer.Option("--scope", help="What it is for; may be given twice. Default: all.")
]
Origins = Annotated[
    list[str] | None, typer.Option("--origin", help="An origin that it may be used from, as https://app.example.")
]
Networks = Annotated[
    list[str] | None, typer.Option("--network", help="An address or network that it may be used from.")
]
Expires = Annotated[str | None, typer.Option("--expires", help="Its last day (UTC), as 2027-01-31. Default: none.")]
NONE = "none"


@app.command()
def create(
    integrator: Name,
    evm_wallet: Annotated[str | None, typer.Option(help="The wallet for its fees on EVM chains.")] = None,
    svm_wallet: Annotated[str | None, typer.Option(help="The wallet for its fees on Solana.")] = None,
    name: Annotated[str | None, typer.Option(help="A note on the key's purpose.")] = None,
    browser: Annotated[
        bool, typer.Option("--browser", help="A key that may stand in a page: quotes only, bound to origins.")
    ] = False,
    scope: Scopes = None,
    origin: Origins = None,
    network: Networks = None,
    expires: Expires = None,
    config: Config = None,
) -> None:
    """Make an API key for an integrator, and register the integrator if it is new. The key is shown once."""
    settings = load_settings(config)
    refuse_own_contracts(settings, evm_wallet)
    terms, faults = read_terms(scope or (), origin or (), network or (), in_browsers=browser)
    end, late = read_expiry(expires, system_clock())
    if faults or late:
        raise InvalidRequest((*faults, *late))

    async def make(engine: AsyncEngine) -> tuple[ApiKey, str]:
        accounts = Accounts(engine, system_clock)
        await accounts.ensure_integrator(integrator, evm_wallet, svm_wallet)
        return await accounts.create_key(integrator, name=name, terms=terms, expires_at=end)

    key, text = in_store(settings, make)
    notices().print(f"key {key.id} of {key.integrator}; it is not shown again:")
    output().print(text)


@app.command()
def restrict(
    key: Annotated[int, typer.Argument(help="The key's number.")],
    scope: Scopes = None,
    origin: Annotated[
        list[str] | None, typer.Option("--origin", help=f"An origin that it may be used from; {NONE}: from any.")
    ] = None,
    network: Annotated[
        list[str] | None, typer.Option("--network", help=f"A network that it may be used from; {NONE}: from any.")
    ] = None,
    expires: Annotated[str | None, typer.Option("--expires", help=f"Its last day (UTC); {NONE}: no end.")] = None,
    config: Config = None,
) -> None:
    """Set what a key is for, in every process within a second. Omitted values do not change."""

    async def change(engine: AsyncEngine) -> ApiKey:
        accounts = Accounts(engine, system_clock)
        old = next((each for each in await accounts.list_keys() if each.id == key), None)
        if old is None:
            raise NotFound(f"key: there is no key with the number {key}; see the list of keys")
        terms, faults = read_terms(
            old.terms.scopes if scope is None else scope,
            old.terms.origins if origin is None else _unless_none(origin),
            map(str, old.terms.networks) if network is None else _unless_none(network),
            in_browsers=old.terms.in_browsers,
        )
        end, late = (old.expires_at, ()) if expires is None else read_expiry(_or_none(expires), system_clock())
        if faults or late:
            raise InvalidRequest((*faults, *late))
        return await accounts.set_key_terms(key, terms, end)

    changed = in_store(load_settings(config), change)
    until = "" if changed.expires_at is None else f"; until the end of {last_day(changed.expires_at)}"
    notices().print(f"key {key}: {terms_in_words(changed.terms)}{until}")


def _unless_none(texts: list[str]) -> list[str]:
    return [] if texts == [NONE] else texts


def _or_none(text: str) -> str | None:
    return None if text == NONE else text


@app.command("list")
def list_keys(
    integrator: Annotated[str | None, typer.Option("--integrator", help="Only this integrator's.")] = None,
    as_json: Json = False,
    config: Config = None,
) -> None:
    """List integrators' keys: number, name, first characters, age, last use; never the whole key."""
    keys = in_store(load_settings(config), lambda engine: Accounts(engine, system_clock).list_keys(integrator))
    rows = []
    for key in keys:
        times = (key.created_at, key.last_used_at, key.revoked_at, key.expires_at)
        time_texts = ("" if time is None else time.isoformat(timespec="seconds") for time in times)
        use = terms_in_words(key.terms)
        rows.append((str(key.id), key.integrator, key.name or "", key.prefix, *time_texts, use))
    columns = ("key", "integrator", "name", "begins with", "created", "last used", "revoked", "expires", "use")
    show_table(rows, columns, as_json=as_json)


@app.command()
def limits(
    key: Annotated[int, typer.Argument(help="The key's number.")],
    quotes: Annotated[int | None, typer.Option(help="Quote-related requests a minute. Default: the tier's.")] = None,
    others: Annotated[int | None, typer.Option(help="Other requests a minute. Default: the tier's.")] = None,
    reason: Reason = None,
    by: By = None,
    config: Config = None,
) -> None:
    """Set a key's own rate limits, in every process within a second. Without options: the tier's limits."""
    operator = operator_of(by, reason)

    async def change(engine: AsyncEngine) -> ApiKey:
        return await Accounts(engine, system_clock, operator=operator).set_limits(key, quotes, others)

    in_store(load_settings(config), change)
    words = ", ".join(f"{name} {value} a minute" for name, value in (("quotes", quotes), ("others", others)) if value)
    notices().print(f"key {key}: {words or 'the limits of its tier'}")


@app.command()
def fees(
    key: Annotated[int, typer.Argument(help="The key's number.")],
    service_share: ServiceShare = None,
    largest_share: LargestShare = None,
    default: Annotated[bool, typer.Option("--default", help="Return to the integrator's rule.")] = False,
    reason: Reason = None,
    by: By = None,
    config: Config = None,
) -> None:
    """Set a key's own fee rule, in every process within a second. Omitted values do not change."""
    settings, operator = load_settings(config), operator_of(by, reason)
    changed = read_shares(service_share, largest_share, default=default)

    async def change(engine: AsyncEngine) -> FeeRule:
        accounts = Accounts(engine, system_clock, operator=operator)
        rule = None if default else replace(await accounts.key_rule(key) or rule_of_settings(settings), **changed)
        await accounts.set_key_rule(key, rule)
        return rule or await accounts.key_rule(key) or rule_of_settings(settings)

    words = in_words(in_store(settings, change), "its integrator's or the settings'" if default else "its own")
    notices().print(f"key {key}: {words}")


@app.command()
def revoke(key: Annotated[int, typer.Argument(help="The key's number.")], config: Config = None) -> None:
    """Revoke a key, in every process within a second."""
    in_store(load_settings(config), lambda engine: Accounts(engine, system_clock).revoke_key(key))
    notices().print(f"key {key} is revoked")


@app.command()
def rotate(
    key: Annotated[int, typer.Argument(help="The number of the key to replace.")],
    overlap: Annotated[
        int, typer.Option(min=0, max=30 * 86_400, help="Seconds for which the old key stays valid.")
    ] = 86_400,
    config: Config = None,
) -> None:
    """Replace a key by a new one. The old key stays valid for the overlap."""
    made, text = in_store(load_settings(config), lambda engine: Accounts(engine, system_clock).rotate_key(key, overlap))
    notices().print(f"key {made.id} replaces key {key}, which ends in {overlap} s; it is not shown again:")
    output().print(text)
