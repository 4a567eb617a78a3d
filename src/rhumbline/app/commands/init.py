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
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing: write the file with what holds by default.")] = False,
    file: Annotated[Path, typer.Option(help="The file to write.")] = DEFAULT_FILE,
) -> None:
    """Write a commented rhumbline.toml after a few questions; a file that is there is never overwritten."""
    if file.exists() or file.is_symlink():
        raise CommandFailed(f"{file}: is there already and is left as it is; name another with --file")
    answers = Answers() if yes else _asked()
    keep(file, written(answers))
    chains = ", ".join(entry.chain.key for entry in answers.chains)
    notices().print(f"{file} is written, and serves {chains or 'no chain yet: add [[chains]] with id and rpc'}")
    types = {entry.chain.type for entry in answers.chains}
    deploy = "" if types == {ChainType.SVM} else "rhumbline contracts deploy, "
    notices().print(f"next: rhumbline doctor, {deploy}rhumbline serve")


def _asked() -> Answers:
    known = known_to(Settings())
    base_url = typer.prompt("Address under which clients reach the service", default=Answers().base_url, err=True)
    dsn = typer.prompt("PostgreSQL DSN (empty: an embedded server)", default="", show_default=False, err=True)
    chains: list[ServedEntry] = []
    while name := typer.prompt("Chain to serve, its key or ID (empty: no more)", "", show_default=False, err=True):
        chain = known.find(str(name).strip())
        if chain is None:
            notices().print(f"{name}: no chain that is known; add one of your own in the file")
        elif any(entry.chain == chain for entry in chains):
            notices().print(f"{chain.key}: was named already")
        else:
            rpc = typer.prompt(f"JSON-RPC endpoint of {chain.name}, http(s)://", err=True)
            chains.append(ServedEntry(chain, str(rpc).strip()))
    return Answers(str(base_url).strip(), str(dsn).strip() or None, tuple(chains))
