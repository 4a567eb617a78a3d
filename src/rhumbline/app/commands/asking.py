"""``rhumbline quote`` and ``rhumbline track``: the service's answers on the command line."""

from collections.abc import Mapping
from typing import Annotated, Any

import aiohttp
import typer
from rich.table import Table

from rhumbline.app.console import output
from rhumbline.app.running import CommandFailed, run

Url = Annotated[str, typer.Option("--url", help="The service's address.")]
Key = Annotated[str | None, typer.Option("--key-file", help="A file that holds an API key; never give it on the line.")]
DEFAULT_URL = "http://127.0.0.1:8700"


def quote(
    origin_chain: Annotated[int, typer.Argument(help="ID of the chain that pays.")],
    origin: Annotated[str, typer.Argument(help="Address of the token that is spent.")],
    destination_chain: Annotated[int, typer.Argument(help="ID of the chain that receives.")],
    destination: Annotated[str, typer.Argument(help="Address of the token that arrives.")],
    amount: Annotated[str, typer.Argument(help="Amount in the token's smallest units, before fees.")],
    sender: Annotated[str, typer.Option(help="The wallet that signs.")],
    receiver: Annotated[str | None, typer.Option(help="The wallet that receives; the sender by default.")] = None,
    slippage: Annotated[str | None, typer.Option(help="Largest loss, as a fraction: 0.005 is 0.5 %.")] = None,
    url: Url = DEFAULT_URL,
    key_file: Key = None,
) -> None:
    """Ask a running service for the best executable route and show it."""
    parameters = {
        "senderAddress": sender,
        "originChainId": str(origin_chain),
        "destinationChainId": str(destination_chain),
        "amount": amount,
        "originCurrency": origin,
        "destinationCurrency": destination,
    }
    if receiver is not None:
        parameters["receiverAddress"] = receiver
    if slippage is not None:
        parameters["slippage"] = slippage
    answer = run(_get(f"{url}/v1/quotes", parameters, _read_key(key_file)))
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for name in ("adapter", "inputAmount", "outputAmount", "minOutputAmount", "approvalAddress", "transactionId"):
        if name in answer:
            table.add_row(name, str(answer[name]))
    if "simulation" in answer:
        simulation = answer["simulation"]
        table.add_row("simulation", f"{simulation['executionStatus']}, output {simulation['outputValidation']}")
    for item in answer["fees"]["breakdown"]:
        table.add_row(f"fee ({item['type']})", f"{item['amount']} {item['currencySymbol']}")
    table.add_row("calldata.to", answer["calldata"]["to"])
    table.add_row("calldata.value", answer["calldata"]["value"])
    table.add_row("calldata.data", answer["calldata"]["data"])
    output().print(table)


def track(
    lookup_key: Annotated[
        str, typer.Argument(help="Transaction ID, or hash of the source or destination transaction.")
    ],
    key_file: Annotated[str, typer.Option("--key-file", help="A file that holds the integrator's API key.")],
    url: Url = DEFAULT_URL,
) -> None:
    """Look one transaction up in a running service."""
    record = run(_get(f"{url}/v1/transactions/{lookup_key}", {}, _read_key(key_file)))
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for name, value in record.items():
        table.add_row(name, "" if value is None else str(value))
    output().print(table)


def _read_key(path: str | None) -> str | None:
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandFailed(f"--key-file {path}: cannot be read ({type(error).__name__})") from error


async def _get(url: str, parameters: Mapping[str, str], key: str | None) -> dict[str, Any]:
    headers = {} if key is None else {"x-api-key": key}
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session,
            session.get(url, params=parameters, headers=headers) as response,
        ):
            body: dict[str, Any] = await response.json()
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise CommandFailed(f"{url}: no answer from a service there ({type(error).__name__})") from error
    if response.status != 200:
        details = body.get("details")
        lines = details.get("message", []) if isinstance(details, dict) else details or []
        raise CommandFailed(
            "\n".join([f"{body['code']}: {body['message']}", *([lines] if isinstance(lines, str) else lines)])
        )
    return body
