"""What commands share: where they print, results to standard output and the rest to standard error, and an option."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

EXIT_FAILED = 1
EXIT_USAGE = 2
Config = Annotated[
    Path | None, typer.Option("--config", help="The settings file; rhumbline.toml in the working directory by default.")
]


def output() -> Console:
    return Console(file=sys.stdout, highlight=False, soft_wrap=True)


def notices() -> Console:
    return Console(file=sys.stderr, highlight=False, soft_wrap=True)
