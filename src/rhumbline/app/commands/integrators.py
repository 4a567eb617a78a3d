"""``rhumbline integrators``: who may earn fees, where the fees go, what they may be, and who signs in for whom."""

from dataclasses import replace
from typing import Annotated

import typer
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.integrators import canonical_wallet
from rhumbline.accounts.owners import Owners
from rhumbline.accounts.service import Accounts
from rhumbline.app.commands.fee_rules import (
    LargestShare,
    ServiceShare,
    in_words,
    read_shares,
    refuse_own_contracts,
    rule_of_settings,
)
from rhumbline.app.console import Config, Json, notices, show_table
from rhumbline.app.settings import load_settings
from rhumbline.app.store import in_store
from rhumbline.domain.account import ApiKey, Integrator
from rhumbline.domain.chain import ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import InvalidRequest, NotFound
from rhumbline.domain.fee import FeeRule

NONE = "none"

app = typer.Typer(
    no_args_is_help=True, help="Register integrators; set their wallets, fee rules and who signs in for them."
)
Name = Annotated[str, typer.Argument(help="The integrator's name: 1 to 31 letters, digits, . _ - in whatever case.")]
NewWallet = Annotated[str | None, typer.Option("--evm-wallet", help="Where its fees go on EVM chains.")]
NewSvmWallet = Annotated[str | None, typer.Option("--svm-wallet", help="Where its fees go on Solana.")]


@app.command()
def create(name: Name, evm_wallet: NewWallet = None, svm_wallet: NewSvmWallet = None, config: Config = None) -> None:
    """Register an integrator; its name must be free. Give it a key with `rhumbline keys create`."""
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
    """Show one integrator: wallets, fee rule, who signs in for it, keys."""
    settings = load_settings(config)

    async def ask(engine: AsyncEngine) -> tuple[Integrator, FeeRule | None, tuple[str, ...], tuple[ApiKey, ...]]:
        accounts = Accounts(engine, system_clock)
        found = await accounts.integrator(name)
        if found is None:
            raise NotFound(f"integrator: there is none named {name!r}; see rhumbline integrators list")
        owners = await Owners(engine, system_clock).owners_of(found.name)
        return found, await accounts.rule(name), owners, await accounts.list_keys(found.name)

    found, rule, owners, keys = in_store(settings, ask)
    whose = "its own" if rule is not None else "the settings"
    active = [key for key in keys if key.revoked_at is None or key.revoked_at > system_clock()]
    rows = (
        ("integrator", found.name),
        ("since", found.created_at.isoformat(timespec="seconds")),
        ("EVM wallet", found.evm_wallet or "none: its fees on EVM chains are not taken"),
        ("SVM wallet", found.svm_wallet or "none: its fees on Solana are not taken"),
        ("fee rule", in_words(rule or rule_of_settings(settings), whose)),
        ("signs in", ", ".join(owners) or "nobody: see rhumbline integrators owner"),
        ("keys", ", ".join(f"{key.id} ({key.prefix}…)" for key in active) or "none that is valid"),
    )
    show_table(rows, as_json=as_json)


@app.command()
def wallets(
    name: Name,
    evm_wallet: Annotated[
        str | None, typer.Option("--evm-wallet", help=f"Where its fees go on EVM chains; {NONE} removes the wallet.")
    ] = None,
    svm_wallet: Annotated[
        str | None, typer.Option("--svm-wallet", help=f"Where its fees go on Solana; {NONE} removes the wallet.")
    ] = None,
    config: Config = None,
) -> None:
    """Set or remove an integrator's fee wallets, all that are given or none; what is not given stays."""
    settings = load_settings(config)
    given = {ChainType.EVM: evm_wallet, ChainType.SVM: svm_wallet}
    changes = {kind: None if text == NONE else text for kind, text in given.items() if text is not None}
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
    config: Config = None,
) -> None:
    """Give an integrator a fee rule of its own, for all keys without one; what is not given stays as it is."""
    settings = load_settings(config)
    changed = read_shares(service_share, largest_share, default=default)

    async def change(engine: AsyncEngine) -> FeeRule:
        accounts = Accounts(engine, system_clock)
        rule = None if default else replace(await accounts.rule(name) or rule_of_settings(settings), **changed)
        await accounts.set_rule(name, rule)
        return rule or rule_of_settings(settings)

    words = in_words(in_store(settings, change), "the settings" if default else "its own")
    notices().print(f"{name}: {words}")


@app.command()
def owner(
    name: Name,
    address: Annotated[str, typer.Argument(help="The wallet's EVM address.")],
    remove: Annotated[bool, typer.Option("--remove", help="Let it no longer sign in for this integrator.")] = False,
    config: Config = None,
) -> None:
    """Let a wallet sign in to the portal for an integrator, which lets it make keys and set fee wallets."""
    settings = load_settings(config)
    wallet, faults = canonical_wallet(ChainType.EVM, address)
    if wallet is None:
        raise InvalidRequest([fault.replace("evm_wallet", "owner", 1) for fault in faults])

    change = Owners.remove if remove else Owners.add
    in_store(settings, lambda engine: change(Owners(engine, system_clock), wallet, name))
    notices().print(f"{wallet} {'no longer signs' if remove else 'may sign'} in for {name}")
