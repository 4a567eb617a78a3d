"""``rhumbline``, the command line."""

import sys
from importlib.metadata import version

import typer

from rhumbline.app.on_demand import OnDemand

app = typer.Typer(
    name="rhumbline",
    cls=OnDemand,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A self-hosted service that quotes, routes, simulates and tracks token swaps and bridges.",
)


def _show_version(requested: bool) -> None:
    if requested:
        typer.echo(f"rhumbline {version('rhumbline')}")
        raise typer.Exit


@app.callback()
def _options(
    show_version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Show the version."
    ),
) -> None:
    pass


def main() -> None:
    """Run the command line; a failure that a person can act on is one clear text, without a traceback."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        # What it takes to know all failures is slow to import.
        from rhumbline.app.failures import exit_status

        sys.exit(exit_status(error))
