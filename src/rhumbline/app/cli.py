"""``rhumbline``: the one way in."""

import sys
from importlib.metadata import version

import typer

from rhumbline.app.commands import asking, catalog, checking, contracts, integrators, keys, sandbox, serving
from rhumbline.app.console import EXIT_FAILED, EXIT_USAGE, notices
from rhumbline.app.failures import explain
from rhumbline.app.settings import SettingsError

app = typer.Typer(
    name="rhumbline",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A self-hosted service that quotes, routes, simulates and tracks token swaps and bridges.",
)
app.command()(serving.serve)
app.command()(serving.worker)
app.command()(serving.migrate)
app.command()(sandbox.devnet)
app.command()(asking.quote)
app.command()(asking.track)
app.command()(checking.doctor)
app.add_typer(integrators.app, name="integrators")
app.add_typer(keys.app, name="keys")
app.add_typer(contracts.app, name="contracts")
app.add_typer(catalog.app, name="catalog")


def _show_version(wanted: bool) -> None:
    if wanted:
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
    except SettingsError as error:
        for fault in error.faults:
            notices().print(fault, style="red", markup=False)
        sys.exit(EXIT_USAGE)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        text = explain(error)
        if text is None:
            raise
        notices().print(text, style="red", markup=False)
        sys.exit(EXIT_FAILED)
