"""``rhumbline contracts``: deploys our contracts on a chain and compares the deployed code."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rhumbline.adapters import across
from rhumbline.app.chains import ServedEvm, build_chains
from rhumbline.app.console import Config, Json, show_json, show_table
from rhumbline.app.deployments import deployments_of
from rhumbline.app.run import CommandFailed, run
from rhumbline.app.settings import Settings, load_settings
from rhumbline.domain.amount import format_amount
from rhumbline.domain.chain import Chain as DomainChain
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.evm.address import checksummed, is_address
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.connection_errors import host_of
from rhumbline.gateways.nodes.evm.deployment import DEPLOYER, deploy, verify
from rhumbline.gateways.nodes.evm.deployment_plan import DeploymentPlan, plan
from rhumbline.gateways.nodes.identity import NodeOnOtherChain

if TYPE_CHECKING:
    from eth_account.signers.local import LocalAccount

app = typer.Typer(no_args_is_help=True, help="Deploy our contracts on a chain, or compare the deployed code.")
Chain = Annotated[str, typer.Option("--chain", help="ID or key of a configured chain.")]


@app.command("deploy")
def deploy_command(
    chain: Chain,
    key_file: Annotated[Path, typer.Option(help="A file with the payer's private key in hex; - reads standard input.")],
    yes: Annotated[bool, typer.Option("--yes", help="Send without asking.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the transactions and send nothing.")] = False,
    as_json: Json = False,
    config: Config = None,
) -> None:
    """Deploy Executor, Diamond and Receiver by CREATE2. Shows transactions and cost, and asks before it sends.

    The Receiver is only for chains with Across. Identical contracts that exist already are not deployed again.
    """
    settings = load_settings(config)
    asks = not yes and not dry_run
    if asks and as_json:
        raise CommandFailed("--json: shows no plan to say yes to; add --yes, or --dry-run to look first")
    if asks and str(key_file) == "-":
        raise CommandFailed("--key-file -: standard input cannot answer as well; add --yes, or --dry-run to look first")
    signer = _signer(key_file)

    async def go() -> bool:
        async with HttpClient() as http:
            served = _served(settings, http, chain)
            pool = _spoke_pool(settings, served)
            with _naming_its_host(served):
                planned = await plan(served.rpc, signer.address, pool)
                if as_json and dry_run:
                    show_json(_described(planned))
                _show(planned, served.chain, as_json=as_json)
                if dry_run or (asks and planned.transactions and not typer.confirm("Send these?", err=True)):
                    return dry_run
                report = await deploy(served.rpc, signer, pool)
        rows = []
        for contract in report.contracts:
            sent = (contract.transaction_hash or "", "" if contract.gas_used is None else f"{contract.gas_used:,}")
            rows.append((contract.name, contract.address, contract.state, *sent))
        show_table(rows, ("contract", "address", "done", "transaction", "gas used"), as_json=as_json)
        return True

    if not run(go()):
        raise CommandFailed("nothing was sent")


def _described(planned: DeploymentPlan) -> dict[str, object]:
    sent = [
        {"contract": each.contract.name, "address": each.contract.address, "gas": each.gas}
        for each in planned.transactions
    ]
    cost = {"balanceWei": str(planned.balance), "maxFeeWei": str(planned.max_fee), "mostWei": str(planned.most_wei)}
    return {"chainId": planned.chain_id, "payer": planned.payer, **cost, "transactions": sent}


def _show(planned: DeploymentPlan, chain: DomainChain, *, as_json: bool) -> None:
    """Print the plan, unless the output is JSON; raise CommandFailed if it must not, or cannot, be executed."""
    if planned.chain_id != chain.id:
        raise CommandFailed(f"{chain.key}: the node is on chain {planned.chain_id}, the settings say {chain.id}")
    if not planned.transactions:
        return
    asset = chain.native

    def native(wei: int) -> str:
        return f"{format_amount(wei, asset.decimals)} {asset.symbol}"

    rows = [("chain", f"{chain.name} ({chain.id})"), ("payer", f"{planned.payer}, has {native(planned.balance)}")]
    for item in planned.transactions:
        rows.append(("transaction", f"to {DEPLOYER}: creates {item.contract.name} at {item.contract.address}"))
        rows.append(("", f"at most {item.gas:,} gas at {planned.max_fee:,} wei"))
    if not as_json:
        show_table([*rows, ("cost", f"at most {native(planned.most_wei)}")])
    if planned.lacking_wei:
        raise CommandFailed(
            f"{planned.payer} cannot pay: it has {native(planned.balance)} on {chain.name} and may need "
            f"{native(planned.most_wei)}; send it {native(planned.lacking_wei)} and run this again; nothing was sent"
        )


@app.command("verify")
def verify_command(chain: Chain, as_json: Json = False, config: Config = None) -> None:
    """Compare the code on the chain with the committed contracts. Exit code 1 if it differs."""
    settings = load_settings(config)

    async def go() -> bool:
        async with HttpClient() as http:
            served = _served(settings, http, chain)
            with _naming_its_host(served):
                report = await verify(served.rpc, _spoke_pool(settings, served))
        rows = [(contract.name, contract.address, contract.state) for contract in report.contracts]
        show_table(rows, ("contract", "address", "code"), as_json=as_json)
        return report.ok

    if not run(go()):
        raise CommandFailed(f"the contracts on {chain} are not the committed ones")


def _spoke_pool(settings: Settings, served: ServedEvm) -> str | None:
    """Return Across's address on the chain, None if there is none; raise CommandFailed for an invalid address."""
    place = deployments_of(across.SPEC, settings).get(served.chain.id)
    if place is None:
        return None
    if not is_address(place.spoke_pool):
        raise CommandFailed(f"adapters.across.deployments.{served.chain.id}.spoke_pool: is not an address")
    return checksummed(place.spoke_pool)


@contextmanager
def _naming_its_host(served: ServedEvm) -> Iterator[None]:
    """Name the host of a node that does not answer."""
    try:
        yield
    except NodeOnOtherChain as error:
        chain = served.chain
        raise CommandFailed(f"{chain.key}: the node is on {error.found}, the settings say {chain.id}") from None
    except NodeUnavailable as error:
        raise CommandFailed(f"{error}; it was asked at {host_of(served.rpc.url)}") from None


def _served(settings: Settings, http: HttpClient, name: str) -> ServedEvm:
    chains = build_chains(settings, http)
    chain = chains.catalog.find(name)
    served = next((each for each in chains.evm if each.chain == chain), None)
    if served is None:
        known = ", ".join(item.chain.key for item in chains.evm) or "none"
        raise CommandFailed(f"--chain {name}: not among the configured EVM chains that have an rpc ({known})")
    return served


def _signer(path: Path) -> "LocalAccount":
    from rhumbline.gateways.evm.signatures import Account  # only this command signs, and the import is slow

    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text("ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandFailed(f"--key-file {path}: cannot be read ({type(error).__name__})") from None
    try:
        account: LocalAccount = Account.from_key(text.strip())
    except Exception:
        raise CommandFailed(f"--key-file {path}: does not hold a private key of 32 bytes in hex") from None
    return account
