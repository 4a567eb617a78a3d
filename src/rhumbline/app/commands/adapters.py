"""``rhumbline adapters``: pause and resume adapters while the service runs."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any

import typer

from rhumbline.adapters.onchain.adapter import KEY as ONCHAIN
from rhumbline.app.adapters import switched_on
from rhumbline.app.commands.operators import By, Reason, operator_of
from rhumbline.app.commands.pauses import Pausing, Public, Why
from rhumbline.app.console import Config, Json, show_table
from rhumbline.app.deployments import deployments_of
from rhumbline.app.registry import SPECS
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import InvalidRequest
from rhumbline.gateways.upstreams.spec import AdapterSpec

app = typer.Typer(no_args_is_help=True, help="Pause and resume adapters in all running processes.")
Key = Annotated[str, typer.Argument(help="The adapter's key, in any case.")]
Chain = Annotated[str | None, typer.Option("--chain", help="Only on this chain (key or ID), as source or destination.")]
_SPECS: Mapping[str, AdapterSpec[Any]] = MappingProxyType({spec.key: spec for spec in SPECS})
_KEYS = tuple(sorted((ONCHAIN, *_SPECS)))


@app.command("list")
def list_adapters(chain: Chain = None, as_json: Json = False, config: Config = None) -> None:
    """List the adapters: whether the settings have them on, and what is paused."""
    pausing = Pausing.of(config)
    chain_id = None if chain is None else pausing.chain_id(chain)
    on, pauses = _switched_on(pausing), pausing.now()
    rows = [
        (key, "on" if key in on else "off", pausing.lines(pauses, key, chain_id))
        for key in _KEYS
        if chain_id is None or _is_on_chain(key, chain_id, pausing)
    ]
    show_table(rows, ("adapter", "settings", "paused"), as_json=as_json)
    pausing.say_of_quoting(pauses)


@app.command()
def pause(
    adapter: Key, reason: Why, chain: Chain = None, public: Public = False, by: By = None, config: Config = None
) -> None:
    """Ask an adapter for no quotes, in every process within 2 s. Its transfers are tracked to their end."""
    pausing, operator, key = Pausing.of(config), operator_of(by, reason, public=public), _known(adapter)
    pausing.pause(key, None if chain is None else pausing.chain_id(chain), operator, public=public)


@app.command()
def resume(adapter: Key, chain: Chain = None, reason: Reason = None, by: By = None, config: Config = None) -> None:
    """End a pause of an adapter, in every process within 2 s."""
    pausing, operator, key = Pausing.of(config), operator_of(by, reason), _known(adapter)
    pausing.resume(key, None if chain is None else pausing.chain_id(chain), operator)


def _known(name: str) -> str:
    key = name.strip().upper()
    if key not in _KEYS:
        raise InvalidRequest([f"adapter: there is no {name!r}; there are {', '.join(_KEYS)}"])
    return key


def _switched_on(pausing: Pausing) -> frozenset[str]:
    own = pausing.settings.adapters
    onchain = {ONCHAIN} if own.onchain.enabled and own.beyond_contract else set[str]()
    return frozenset(onchain | {spec.key for spec in switched_on(pausing.settings)})


def _is_on_chain(key: str, chain_id: int, pausing: Pausing) -> bool:
    if key == ONCHAIN:
        return pausing.chains.by_id[chain_id].type is ChainType.EVM
    return chain_id in deployments_of(_SPECS[key], pausing.settings)
