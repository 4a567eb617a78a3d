"""``rhumbline integrators``: integrators, their fee wallets and fee rules. Members are in ``members``."""

from dataclasses import replace
from typing import Annotated

import typer
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.members import Member, Members
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
from rhumbline.app.console import Config, Json, notices, show_table
from rhumbline.app.settings import load_settings
from rhumbline.app.store import in_store
from rhumbline.domain.account import ApiKey, Integrator, Role
from rhumbline.domain.chain import ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import InvalidRequest, NotFound
from rhumbline.domain.fee import FeeRule

NONE = "none"

app = typer.Typer(no_args_is_help=True, help="Register integrators and set their wallets, fee rules and members.")
Name = Annotated[str, typer.Argument(help="The integrator's name: 1 to 31 letters, digits, . _ - in any case.")]
NewWallet = Annotated[str | None, typer.Option("--evm-wallet", help="The wallet for its fees on EVM chains.")]
NewSvmWallet = Annotated[str | None, typer.Option("--svm-wallet", help="The wallet for its fees on Solana.")]


@app.command()
def create(name: Name, evm_wallet: NewWallet = None, svm_wallet: NewSvmWallet = None, config: Config = None) -> None:
    """Register an integrator under a free name. `rhumbline keys create` makes its keys."""
    settings = load_settings(config)
    refuse_own_contracts(settings, evm_wallet)

    made = in_store(
        settings, lambda engine: Accounts(engine, system_clock).create_integrator(name, evm_wallet, svm_wallet)
    )
    notices().print(f"{made.name} is registered")


@app.command("list")
def list_integrators(as_json: Json = False, config: Config = None) -> None:
    """Show all integrators with their fee wallets."""
    found = in_store(load_settings(config), lambda engine: Accounts(engine, system_clock).list_integrators())
    rows = [
        (each.name, each.evm_wallet or "", each.svm_wallet or "", each.created_at.isoformat(timespec="seconds"))
        for each in found
    ]
    show_table(rows, ("integrator", "EVM wallet", "SVM wallet", "since"), as_json=as_json)


@app.command()
def show(name: Name, as_json: Json = False, config: Config = None) -> None:
    """Show one integrator: wallets, fee rule, members, keys."""
    settings = load_settings(config)

    async def read(engine: AsyncEngine) -> tuple[Integrator, FeeRule | None, tuple[Member, ...], tuple[ApiKey, ...]]:
        accounts = Accounts(engine, system_clock)
        found = await accounts.integrator(name)
        if found is None:
            raise NotFound(f"integrator: there is no integrator named {name!r}; see rhumbline integrators list")
        members = await Members(engine, system_clock).members_of(found.name)
        return found, await accounts.rule(name), members, await accounts.list_keys(found.name)

    found, rule, members, keys = in_store(settings, read)
    whose = "its own" if rule is not None else "the settings"
    active = [key for key in keys if key.is_live(system_clock())]
    rows = (
        ("integrator", found.name),
        ("since", found.created_at.isoformat(timespec="seconds")),
        ("EVM wallet", found.evm_wallet or "none: its fees on EVM chains are not taken"),
        ("SVM wallet", found.svm_wallet or "none: its fees on Solana are not taken"),
        ("fee rule", in_words(rule or rule_of_settings(settings), whose)),
        ("signs in", ", ".join(map(_signs_in, members)) or "nobody: see rhumbline integrators owner"),
        ("keys", ", ".join(f"{key.id} ({key.prefix}…)" for key in active) or "none that is valid"),
    )
    show_table(rows, as_json=as_json)


@app.command()
def wallets(
    name: Name,
    evm_wallet: Annotated[
        str | None, typer.Option("--evm-wallet", help=f"The wallet for its fees on EVM chains; {NONE} removes it.")
    ] = None,
    svm_wallet: Annotated[
        str | None, typer.Option("--svm-wallet", help=f"The wallet for its fees on Solana; {NONE} removes it.")
    ] = None,
    config: Config = None,
) -> None:
    """Set or remove an integrator's fee wallets. If one is refused, none changes."""
    settings = load_settings(config)
    options = {ChainType.EVM: evm_wallet, ChainType.SVM: svm_wallet}
    changes = {kind: None if text == NONE else text for kind, text in options.items() if text is not None}
    if not changes:
        raise InvalidRequest([f"wallets: nothing to set; give --evm-wallet or --svm-wallet, an address or {NONE}"])
    refuse_own_contracts(settings, changes.get(ChainType.EVM))

    found = in_store(settings, lambda engine: Accounts(engine, system_clock).set_wallets(name, changes))
    for kind in changes:
        notices().print(f"{found.name}: {kind} wallet {found.wallet(kind) or NONE}")


@app.command()
def fees(
    name: Name,
    service_share: ServiceShare = None,
    largest_share: LargestShare = None,
    default: Annotated[bool, typer.Option("--default", help="Return to the settings' rule.")] = False,
    reason: Reason = None,
    by: By = None,
    config: Config = None,
) -> None:
    """Set an integrator's fee rule, for all its keys without one. Omitted values do not change."""
    settings, operator = load_settings(config), operator_of(by, reason)
    changed = read_shares(service_share, largest_share, default=default)

    async def change(engine: AsyncEngine) -> FeeRule:
        accounts = Accounts(engine, system_clock, operator=operator)
        rule = None if default else replace(await accounts.rule(name) or rule_of_settings(settings), **changed)
        await accounts.set_rule(name, rule)
        return rule or rule_of_settings(settings)

    words = in_words(in_store(settings, change), "the settings" if default else "its own")
    notices().print(f"{name}: {words}")


def _signs_in(member: Member) -> str:
    """Name a member; an owner by its wallet alone."""
    return member.address if member.role is Role.OWNER else f"{member.address} ({member.role})"
