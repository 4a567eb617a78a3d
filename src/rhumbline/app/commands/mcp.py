"""``rhumbline mcp``: what agents speak to, by the Python client's own server of the Model Context Protocol."""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from rhumbline.app.run import CommandFailed

PACKAGE = "rhumbline_client.mcp.command"
REMEDY = "needs the Python client with its extra mcp beside the service; docs/mcp.md says how"


def mcp(
    url: Annotated[str, typer.Option("--url", help="The service's URL.")] = "http://127.0.0.1:8700",
    key_file: Annotated[
        Path | None, typer.Option(help="A file with an API key. Otherwise the variable RHUMBLINE_API_KEY has it.")
    ] = None,
    http: Annotated[bool, typer.Option("--http", help="Listen for HTTP instead of standard input.")] = False,
    host: Annotated[str, typer.Option(help="With --http: the address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="With --http: the port to listen on.")] = 8701,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="With --http: a name that may stand in Host, of a proxy in front.")
    ] = None,
) -> None:
    """Give an agent the tools of a running service, by the Model Context Protocol. Signs nothing."""
    command = _command()
    options = command.Options(url=url, key_file=key_file, http=http, host=host, port=port, names=allow_host or ())
    try:
        command.serve(options)
    except (command.OptionsError, command.CannotListen) as error:
        raise CommandFailed(str(error)) from None


def _command() -> ModuleType:
    """Load the client's part for agents, which nothing else of the service needs."""
    try:
        return import_module(PACKAGE)
    except ModuleNotFoundError as error:
        raise CommandFailed(f"rhumbline mcp: {REMEDY} ({error.name} is missing)") from None
