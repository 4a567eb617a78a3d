"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Config = Annotated[
    Path | None, typer.Option("--config", help="The settings file; rhumbline.toml in the working directory by default.")
]
