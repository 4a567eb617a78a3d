"""``rhumbline init``: a first settings file."""

from pathlib import Path
from typing import Annotated

import typer

from rhumbline.app.chains import known_to
from rhumbline.app.console import notices
from rhumbline.app.first_settings import Answers, ServedEntry, keep, written
from rhumbline.app.run import CommandFailed
from rhumbline.app.settings import DEFAULT_FILE, Settings
from rhumbline.domain.chain import ChainType


def init(
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing and write the file with the defaults.")] = False,
    file: Annotated[Path, typer.Option(help="The file to write.")] = DEFAULT_FILE,
) -> None:
    """Ask a few questions and write a commented rhumbline.toml. Never overwrites a file."""
    if file.exists() or file.is_symlink():
        raise CommandFailed(f"{file}: already exists and is not overwritten; choose another path with --file")
    answers = Answers() if yes else _questions()
    keep(file, written(answers))
    chains = ", ".join(entry.chain.key for entry in answers.chains)
    notices().print(f"wrote {file}; it serves {chains or 'no chain yet: add [[chains]] with id and rpc'}")
    types = {entry.chain.type for entry in answers.chains}
    deploy = "" if types == {ChainType.SVM} else "rhumbline contracts deploy, "
    notices().print(f"next: rhumbline doctor, {deploy}rhumbline serve")


def _questions() -> Answers:
    known = known_to(Settings())
    base_url = typer.prompt("Address under which clients reach the service", default=Answers().base_url, err=True)
    dsn = typer.prompt("PostgreSQL DSN (empty: an embedded server)", default="", show_default=False, err=True)
    chains: list[ServedEntry] = []
    while name := typer.prompt("Chain to serve, its key or ID (empty: no more)", "", show_default=False, err=True):
        chain = known.find(str(name).strip())
        if chain is None:
            notices().print(f"{name}: not a known chain; add your own chain in the file")
        elif any(entry.chain == chain for entry in chains):
            notices().print(f"{chain.key}: already in the list")
        else:
            rpc = typer.prompt(f"JSON-RPC endpoint of {chain.name}, http(s)://", err=True)
            chains.append(ServedEntry(chain, str(rpc).strip()))
    return Answers(str(base_url).strip(), str(dsn).strip() or None, tuple(chains))
