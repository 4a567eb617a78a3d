"""``rhumbline quoting``: pause and resume quoting as a whole."""

import typer

from rhumbline.app.commands.operators import By, Reason, operator_of
from rhumbline.app.commands.pauses import Pausing, Public, Why
from rhumbline.app.console import Config

app = typer.Typer(no_args_is_help=True, help="Pause and resume quoting as a whole in all running processes.")


@app.command()
def pause(reason: Why, public: Public = False, by: By = None, config: Config = None) -> None:
    """Answer 503 instead of quotes, in every process within 2 s. Everything else goes on, tracking too."""
    Pausing.of(config).pause(None, None, operator_of(by, reason, public=public), public=public)


@app.command()
def resume(reason: Reason = None, by: By = None, config: Config = None) -> None:
    """Quote again, in every process within 2 s."""
    Pausing.of(config).resume(None, None, operator_of(by, reason))
