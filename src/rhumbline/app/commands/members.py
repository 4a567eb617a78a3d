"""``rhumbline integrators``: members, their roles, invitations, and the log of who changed what."""

from typing import Annotated

import typer
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.account_ids import split_account
from rhumbline.accounts.audit_log import AuditEntry, AuditLog
from rhumbline.accounts.integrators import canonical_wallet
from rhumbline.accounts.invitation_store import Invitation
from rhumbline.accounts.invitations import Invitations, link_of
from rhumbline.accounts.members import Member, Members
from rhumbline.accounts.service import Accounts
from rhumbline.app.commands.integrators import Name, app
from rhumbline.app.console import Config, Json, notices, output, show_table
from rhumbline.app.settings import load_settings
from rhumbline.app.store import in_store
from rhumbline.domain.account import Role
from rhumbline.domain.chain import ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import InvalidRequest, NotFound

Wallet = Annotated[str, typer.Argument(help="The wallet's EVM address; a contract's with its chain, eip155:8453:0x…")]


@app.command()
def owner(
    name: Name,
    address: Wallet,
    remove: Annotated[
        bool, typer.Option("--remove", help="Do not let it sign in for this integrator any more.")
    ] = False,
    config: Config = None,
) -> None:
    """Let a wallet sign in to the portal for an integrator, make keys, set fee wallets and manage members."""
    _put(name, address, None if remove else Role.OWNER, config)


@app.command()
def member(
    name: Name,
    address: Wallet,
    role: Annotated[Role | None, typer.Option(help="What it may do: a viewer reads, a developer makes keys.")] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Do not let it sign in for this integrator any more.")
    ] = False,
    config: Config = None,
) -> None:
    """Give a wallet a role in an integrator, or remove it."""
    if remove == (role is not None):
        raise InvalidRequest(["role: give --role, or --remove, and not both"])
    _put(name, address, role, config)


@app.command()
def members(name: Name, as_json: Json = False, config: Config = None) -> None:
    """List an integrator's members, and its open invitations."""

    async def ask(engine: AsyncEngine) -> tuple[tuple[Member, ...], tuple[Invitation, ...]]:
        known = await _known(engine, name)
        found = await Members(engine, system_clock).members_of(known)
        return found, await Invitations(engine, system_clock).open_of(known)

    found, invited = in_store(load_settings(config), ask)
    rows = [(each.address, each.role, each.since.isoformat(timespec="seconds"), "") for each in found]
    rows += [
        (each.address or "", each.role, "", f"{each.id}, until {each.expires_at.isoformat(timespec='seconds')}")
        for each in invited
    ]
    show_table(rows, ("wallet", "role", "since", "invitation"), as_json=as_json)


@app.command()
def invite(
    name: Name,
    role: Annotated[Role, typer.Option(help="The role that it gives.")],
    wallet: Annotated[str | None, typer.Option(help="The only wallet that can use it. Default: any.")] = None,
    days: Annotated[int, typer.Option(help="For how many days it can be used.")] = 7,
    config: Config = None,
) -> None:
    """Make a link that lets one wallet join an integrator, once. The link is shown once."""
    settings = load_settings(config)
    address = None if wallet is None else _wallet(wallet)

    async def make(engine: AsyncEngine) -> tuple[Invitation, str]:
        return await Invitations(engine, system_clock).invite(name, role, days, address)

    made, code = in_store(settings, make)
    whom = "whoever has it" if made.address is None else made.address
    until = made.expires_at.isoformat(timespec="seconds")
    notices().print(f"invitation {made.id}: {made.role} of {made.integrator}, for {whom}, once, until {until}")
    output().print(link_of(settings.base_url, code))


@app.command()
def withdraw(
    name: Name,
    invitation: Annotated[int, typer.Argument(help="The invitation's number.")],
    config: Config = None,
) -> None:
    """End an open invitation, so that nobody can use it."""

    async def change(engine: AsyncEngine) -> None:
        await Invitations(engine, system_clock).withdraw(await _known(engine, name), invitation)

    in_store(load_settings(config), change)
    notices().print(f"invitation {invitation} can no longer be used")


@app.command()
def audit(
    name: Name,
    most: Annotated[int, typer.Option(min=1, max=1000, help="How many entries, the latest.")] = 50,
    before: Annotated[int | None, typer.Option(help="Only entries with a smaller number.")] = None,
    as_json: Json = False,
    config: Config = None,
) -> None:
    """Show who changed what of an integrator, newest first."""

    async def ask(engine: AsyncEngine) -> tuple[AuditEntry, ...]:
        bound = () if before is None else (before,)
        return await AuditLog(engine).entries(await _known(engine, name), most, *bound)

    entries = in_store(load_settings(config), ask)
    rows = [
        (str(each.id), each.at.isoformat(timespec="seconds"), each.actor, each.action, each.detail) for each in entries
    ]
    show_table(rows, ("entry", "time", "who", "what", "detail"), as_json=as_json)


async def _known(engine: AsyncEngine, name: str) -> str:
    """Return an integrator's name as it is written; raise NotFound."""
    found = await Accounts(engine, system_clock).integrator(name)
    if found is None:
        raise NotFound(f"integrator: there is no integrator named {name!r}; see rhumbline integrators list")
    return found.name


def _put(name: str, address: str, role: Role | None, config: Config) -> None:
    """Give a wallet a role, None: remove it."""
    settings, wallet = load_settings(config), _wallet(address, "owner" if role is Role.OWNER else "member")

    async def change(engine: AsyncEngine) -> None:
        found = Members(engine, system_clock)
        await (found.remove(wallet, name) if role is None else found.put(wallet, name, role))

    in_store(settings, change)
    signs_in = "can no longer sign" if role is None else "can sign"
    notices().print(f"{wallet} {signs_in} in for {name}" + ("" if role in (None, Role.OWNER) else f" as {role}"))


def _wallet(text: str, field: str = "wallet") -> str:
    chain, address = split_account(text)
    wallet, faults = canonical_wallet(ChainType.EVM, address)
    if wallet is None:
        raise InvalidRequest([fault.replace("evm_wallet", field, 1) for fault in faults])
    return chain + wallet
