"""``rhumbline contracts``: put our contracts on a chain, and check what is there."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import aiohttp
import typer
from rich.table import Table

from rhumbline.app.chains import ServedChain, build_chains
from rhumbline.app.commands.options import Config
from rhumbline.app.console import output
from rhumbline.app.running import CommandFailed, run
from rhumbline.app.settings import Settings, load_settings
from rhumbline.gateways.evm.deployment import deploy, verify

if TYPE_CHECKING:
    from eth_account.signers.local import LocalAccount

app = typer.Typer(no_args_is_help=True, help="Deploy our contracts on a chain, or compare what is there.")
Chain = Annotated[str, typer.Option("--chain", help="ID or key of a configured chain.")]


@app.command("deploy")
def deploy_command(
    chain: Chain,
    key_file: Annotated[
        Path, typer.Option(help="A file with the private key that pays, in hex; - reads standard input.")
    ],
    config: Config = None,
) -> None:
    """Deploy Diamond and Executor by CREATE2; what is there already and identical is left alone."""
    settings = load_settings(config)
    signer = _signer(key_file)

    async def go() -> None:
        async with aiohttp.ClientSession() as session:
            report = await deploy(_served(settings, session, chain).rpc, signer)
        table = Table("contract", "address", "done", box=None)
        for contract in report.contracts:
            table.add_row(contract.name, contract.address, contract.state)
        output().print(table)

    run(go())


@app.command("verify")
def verify_command(chain: Chain, config: Config = None) -> None:
    """Compare the code on the chain with the committed contracts; exit code 1 when it differs."""
    settings = load_settings(config)

    async def go() -> bool:
        async with aiohttp.ClientSession() as session:
            report = await verify(_served(settings, session, chain).rpc)
        table = Table("contract", "address", "code", box=None)
        for contract in report.contracts:
            table.add_row(contract.name, contract.address, contract.state)
        output().print(table)
        return report.ok

    if not run(go()):
        raise CommandFailed(f"the contracts on {chain} are not the committed ones")


def _served(settings: Settings, session: aiohttp.ClientSession, name: str) -> ServedChain:
    chains = build_chains(settings, session)
    served = chains.find(name)
    if served is None:
        known = ", ".join(item.chain.key for item in chains.served) or "none"
        raise CommandFailed(f"--chain {name}: not among the configured chains that have an rpc ({known})")
    return served


def _signer(path: Path) -> "LocalAccount":
    from rhumbline.gateways.evm.signing import Account  # only this command signs, and the import is slow

    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text("ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandFailed(f"--key-file {path}: cannot be read ({type(error).__name__})") from None
    try:
        account: LocalAccount = Account.from_key(text.strip())
    except Exception:
        raise CommandFailed(f"--key-file {path}: does not hold a private key of 32 bytes in hex") from None
    return account
