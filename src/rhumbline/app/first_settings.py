"""The text of a first ``rhumbline.toml``: the answers given, and other common settings as comments."""

import json
import os
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from rhumbline.app.chains import known_to
from rhumbline.app.run import CommandFailed
from rhumbline.app.settings import Settings, SettingsError, faults_of
from rhumbline.domain.chain import Chain


@dataclass(frozen=True, slots=True)
class ServedEntry:
    """A known chain and the operator's secret endpoint of it."""

    chain: Chain
    rpc: str


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to the questions. Without a DSN the embedded server keeps the data."""

    base_url: str = "http://127.0.0.1:8700"
    dsn: str | None = None
    chains: Sequence[ServedEntry] = ()


_TEXT = """\
# Settings of Rhumbline. All of them: docs/settings.md. Each can be given as a variable, which wins:
# RHUMBLINE_STORE__DSN is store.dsn. This file holds secrets: nobody but its owner can read it.

# The address under which clients reach the service.
base_url = {base_url}

[server]
host = "127.0.0.1"       # an address that others reach needs TLS here, or a proxy in front that ends it
port = 8700
# tls_certificate = "/etc/rhumbline/chain.pem"
# tls_key = "/etc/rhumbline/key.pem"
# trusted_proxies = ["127.0.0.1"]

[store]
# PostgreSQL 15 or newer; without a DSN an embedded server keeps its data in data_dir.
{dsn}
# data_dir = ".rhumbline/store"

[fees]
# The service's own share of every input, taken only with a wallet that earns it.
# service_share = "0.001"
# evm_wallet = "0x…"
# svm_wallet = "…"       # on Solana, base58

[log]
format = "console"       # or "json"

# The chains that are served, each with your own endpoint, or several: rpc = ["https://…", "https://…"]. The ID of a
# known chain is enough; a new one needs key, name and native asset as well. Put our contracts on each EVM chain:
# rhumbline contracts deploy --chain <key> --key-file <file>
{chains}"""
_NO_CHAIN = """\
# [[chains]]
# id = 8453                                      # Base
# rpc = "https://your-node.example/with-a-key"   # a secret: never served, logged or shown
# ws = "wss://your-node.example/with-a-key"      # a secret too
"""
_WS = """\
# Has new blocks, or slots, announced, so that they are not asked for each second; a secret too.
# ws = "wss://your-node.example/with-a-key"
"""


def written(answers: Answers) -> str:
    """Return the file's text; raise SettingsError where an answer is no setting."""
    dsn = '# dsn = "postgresql://user:password@host:5432/rhumbline"'
    entries = [
        f"[[chains]]\nid = {entry.chain.id}   # {entry.chain.key}, {entry.chain.name}\n"
        f"rpc = {_quoted(entry.rpc)}\n{_WS}"
        for entry in answers.chains
    ]
    text = _TEXT.format(
        base_url=_quoted(answers.base_url),
        dsn=dsn if answers.dsn is None else f"dsn = {_quoted(answers.dsn)}",
        chains="\n".join(entries) or _NO_CHAIN,
    )
    try:
        known_to(Settings.model_validate(tomllib.loads(text)))
    except ValidationError as error:
        raise SettingsError(faults_of(error)) from None
    return text


def keep(path: Path, text: str) -> None:
    """Write a file that is not there yet, readable by its owner only; raise CommandFailed where something is there."""
    try:
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise CommandFailed(f"{path}: already exists and is not overwritten; choose another path with --file") from None
    except OSError as error:
        raise CommandFailed(f"{path}: cannot be written: {error.strerror}") from None
    with os.fdopen(number, "w", encoding="utf-8") as file:
        file.write(text)


def _quoted(text: str) -> str:
    """Write a basic string of TOML, which every string of JSON is, but for DEL."""
    return json.dumps(text).replace("\x7f", "\\u007f")
