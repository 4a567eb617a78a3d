"""What commands share: options, and printing (results to standard output, everything else to standard error)."""

import json
import sys
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

EXIT_FAILED = 1
EXIT_USAGE = 2
Config = Annotated[
    Path | None, typer.Option("--config", help="The settings file. Default: rhumbline.toml in the working directory.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def output() -> Console:
    return Console(file=sys.stdout, highlight=False, soft_wrap=True, markup=False)


def notices() -> Console:
    return Console(file=sys.stderr, highlight=False, soft_wrap=True, markup=False)


def show_table(rows: Iterable[Sequence[str | Text]], columns: Sequence[str] = (), *, as_json: bool = False) -> None:
    """Print rows below their columns, or pairs of a name and a value; untruncated on narrow terminals.

    As JSON they are a list of objects, or one object; an empty value is null.
    """
    texts = [[str(cell) for cell in row] for row in rows] if as_json else []
    if as_json and columns:
        show_json([dict(zip(columns, (text or None for text in row), strict=True)) for row in texts])
    elif as_json:
        show_json({name: value or None for name, value in texts})
    else:
        lines = [[Text(name, "bold") for name in columns]] if columns else []
        lines += [[cell if isinstance(cell, Text) else Text(cell) for cell in row] for row in rows]
        widths = [max(cell.cell_len for cell in column) for column in zip_longest(*lines, fillvalue=Text())]
        for line in lines:
            for cell, width in zip(line[:-1], widths, strict=False):
                cell.pad_right(width - cell.cell_len + 2)
            output().print(Text.assemble(*line))


def show_json(value: object) -> None:
    """Print a value as JSON."""
    output().print(json.dumps(value, indent=2, ensure_ascii=False))
