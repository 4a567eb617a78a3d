"""``rhumbline chains``: pause and resume chains while the service runs."""

from typing import Annotated

import typer

from rhumbline.app.commands.operators import By, Reason, operator_of
from rhumbline.app.commands.pauses import Pausing, Public, Why
from rhumbline.app.console import Config, Json, show_table
from rhumbline.domain.chain import Chain

app = typer.Typer(no_args_is_help=True, help="Pause and resume chains in all running processes.")
Name = Annotated[str, typer.Argument(help="The chain's key or ID.")]


@app.command("list")
def list_chains(
    every: Annotated[bool, typer.Option("--all", help="Also the chains without an endpoint in the settings.")] = False,
    as_json: Json = False,
    config: Config = None,
) -> None:
    """List the served chains, and what is paused."""
    pausing = Pausing.of(config)
    pauses, ids = pausing.now(), pausing.served_ids
    paused = {pause.chain for pause in pauses.each if pause.adapter is None}

    def row(chain: Chain) -> tuple[str, ...]:
        served = "yes" if chain.id in ids else "no"
        return chain.key, str(chain.id), chain.name, served, pausing.lines(pauses, None, chain.id)

    rows = [row(chain) for chain in pausing.chains if every or chain.id in ids or chain.id in paused]
    show_table(rows, ("chain", "ID", "name", "served", "paused"), as_json=as_json)
    pausing.say_of_quoting(pauses)


@app.command()
def pause(name: Name, reason: Why, public: Public = False, by: By = None, config: Config = None) -> None:
    """Give no quotes from or to a chain, in every process within 2 s. Its transfers are tracked to their end."""
    pausing, operator = Pausing.of(config), operator_of(by, reason, public=public)
    pausing.pause(None, pausing.chain_id(name), operator, public=public)


@app.command()
def resume(name: Name, reason: Reason = None, by: By = None, config: Config = None) -> None:
    """End a pause of a chain, in every process within 2 s."""
    pausing, operator = Pausing.of(config), operator_of(by, reason)
    pausing.resume(None, pausing.chain_id(name), operator)
