"""``rhumbline-mcp``, which an agent starts: the options, the key, and what goes wrong in words."""

import argparse
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import anyio

from rhumbline_client import AsyncRhumbline, Retries
from rhumbline_client.mcp.failures import KEY_VARIABLE
from rhumbline_client.mcp.listener import CannotListen, is_loopback, serve_http, serve_stdio
from rhumbline_client.mcp.server import ToolServer
from rhumbline_client.mcp.service import Service
from rhumbline_client.version import VERSION

DEFAULT_URL = "http://127.0.0.1:8700"
DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8701
RETRIES = Retries(attempts=2, longest=2.0)
"""An agent is told to wait, instead of being kept waiting."""
_KEY = re.compile(r"[\x21-\x7e]{1,256}")
_NAME = re.compile(r"[A-Za-z0-9.-]+(:\d{1,5})?|\[[0-9A-Fa-f:]+\](:\d{1,5})?")


class OptionsError(Exception):
    """Options that cannot be used; the text names the option and the remedy, and never has the key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the server is started with.

    ``url`` is the Rhumbline service's address. With ``http`` it listens on ``host`` and ``port``, else it speaks over
    standard input and output. ``names`` may stand in ``Host`` besides this machine's own.
    """

    url: str = DEFAULT_URL
    key_file: Path | None = None
    http: bool = False
    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    names: Sequence[str] = ()


def serve(options: Options, variables: Mapping[str, str] | None = None) -> None:
    """Serve until the agent closes standard input, or until interrupted.

    Args:
        options: where the service is, and where agents reach this server.
        variables: the environment; the process's own by default.

    Raises:
        OptionsError: an option or the key cannot be used.
        CannotListen: the address of ``--http`` cannot be listened on.

    """
    check(options)
    key = read_key(options.key_file, os.environ if variables is None else variables)
    anyio.run(_serve, options, key)


async def _serve(options: Options, key: str | None) -> None:
    async with AsyncRhumbline(options.url, key, retries=RETRIES) as client:
        protocol = ToolServer(Service(client)).protocol()
        if options.http:
            await serve_http(protocol, options.host, options.port, options.names)
        else:
            await serve_stdio(protocol)


def check(options: Options) -> None:
    """Raise OptionsError where an option cannot be used."""
    try:
        url = urlsplit(options.url)
        is_sound = url.scheme in ("http", "https") and url.hostname is not None and url.port != 0
    except ValueError:
        is_sound = False
    if not is_sound:
        raise OptionsError("--url: give the service's address, such as https://swap.example")
    if url.username is not None or url.password is not None:
        raise OptionsError(f"--url: has a user or a password in it; a key is read from {KEY_VARIABLE} or --key-file")
    if not 0 <= options.port <= 65535:
        raise OptionsError("--port: is a number from 0 to 65535")
    for name in options.names:
        if not _NAME.fullmatch(name):
            raise OptionsError(f"--allow-host: {name!r} is no host name, such as mcp.example or mcp.example:8701")
    if options.http and not is_loopback(options.host) and not options.names:
        raise OptionsError(
            f"--host: {options.host} is reached from other machines: name with --allow-host by which names, and let "
            "only those in who may use this server's key"
        )


def read_key(file: Path | None, variables: Mapping[str, str]) -> str | None:
    """Return the API key of a file, else of the variable; None where there is none.

    Raises:
        OptionsError: the file cannot be read, or what is there is no key.

    """
    where = KEY_VARIABLE if file is None else f"--key-file {file}"
    if file is None:
        key = variables.get(KEY_VARIABLE, "").strip()
        if not key:
            return None
    else:
        try:
            key = file.read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is no text"
            raise OptionsError(f"{where}: cannot be read: {reason}") from None
    if not _KEY.fullmatch(key):
        raise OptionsError(f"{where}: holds no API key: one line of printable characters without blanks")
    return key


def main(words: Sequence[str] | None = None) -> int:
    """Run ``rhumbline-mcp`` and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="rhumbline-mcp",
        description="Give an agent the tools of a Rhumbline service, by the Model Context Protocol. Signs nothing.",
        epilog=f"An API key is read from the variable {KEY_VARIABLE}, or from --key-file; it is no argument.",
    )
    parser.add_argument("--url", default=DEFAULT_URL, help="the service's address (%(default)s)")
    parser.add_argument("--key-file", type=Path, help="a file with an API key")
    parser.add_argument("--http", action="store_true", help="listen for streamable HTTP instead of standard input")
    parser.add_argument("--host", default=DEFAULT_HOST, help="the address to listen on (%(default)s)")
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="the port to listen on (%(default)s)")
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a name that may stand in Host, of a proxy in front",
    )
    parser.add_argument("--version", action="version", version=f"rhumbline-mcp {VERSION}")
    given = parser.parse_args(words)
    options = Options(
        url=given.url,
        key_file=given.key_file,
        http=given.http,
        host=given.host,
        port=given.port,
        names=given.allow_host,
    )
    try:
        serve(options)
    except (OptionsError, CannotListen) as error:
        sys.stderr.write(f"rhumbline-mcp: {error}\n")
        return 2
    except KeyboardInterrupt:
        return 130
    return 0
