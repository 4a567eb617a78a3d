"""``rhumbline doctor``: checks everything that the service needs."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from types import MappingProxyType
from typing import Annotated

import typer
from rich.text import Text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.app.chains import ServedChain, ServedEvm, build_chains
from rhumbline.app.checkups import Finding, State, examine
from rhumbline.app.console import EXIT_FAILED, Config, Json, show_table
from rhumbline.app.doctor_checkups import checkups_of
from rhumbline.app.evm_nodes import compared, contract_findings, evm_findings
from rhumbline.app.failures import explain
from rhumbline.app.pins import pin_findings
from rhumbline.app.published_pins import published_findings
from rhumbline.app.rate_limits import build_limiter, open_shared
from rhumbline.app.run import run
from rhumbline.app.settings import Settings, exposed_secrets, load_settings, settings_file
from rhumbline.app.solana_nodes import solana_findings
from rhumbline.app.steering_findings import steering_findings
from rhumbline.app.store import opened_store
from rhumbline.app.webhook_findings import webhook_findings
from rhumbline.domain.chain import Chain
from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.domain.escaped_text import escaped
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.connection_errors import host_of
from rhumbline.gateways.nodes.heads import Heads, OtherChain
from rhumbline.gateways.postgres.schema_upgrade import NEWEST, current
from rhumbline.gateways.postgres.store_clock import StoreClock, in_words

_COLOURS: Mapping[State, str] = MappingProxyType({State.OK: "green", State.WARNS: "yellow", State.FAILS: "red"})


def doctor(
    config: Config = None,
    pins: Annotated[
        bool, typer.Option("--pins", help="Compare pinned addresses with the chains and the vendors' APIs.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check settings, store, nodes, contracts, upstreams and the clock. Exit code 1 if a check fails.

    A price source, token list, adapter or Redis only warns, because the service works without it. It fails if none of
    its kind answers. A node without eth_simulateV1 warns too.
    """
    settings = load_settings(config)
    file = settings_file(config)
    exposed = exposed_secrets(settings, file)
    remedy = f"{', '.join(exposed)}: every user of this machine can read {file}; chmod 600 {file}"
    valid = Finding("settings", State.WARNS, remedy) if exposed else Finding("settings", State.OK, "valid")
    findings = [valid, *run(_examine(settings, pins=pins))]
    rows = [(each.what, Text(each.state, _COLOURS[each.state]), escaped(each.text)) for each in findings]
    show_table(rows, ("what", "state", "finding"), as_json=as_json)
    if any(found.state is State.FAILS for found in findings):
        raise typer.Exit(EXIT_FAILED)


async def _examine(settings: Settings, *, pins: bool) -> list[Finding]:
    async with AsyncExitStack() as stack:
        engine, findings = await _store(settings, stack)
        http = await stack.enter_async_context(HttpClient())
        chains = build_chains(settings, http)
        if not chains.served:
            remedy = "add [[chains]] with id and rpc to rhumbline.toml"
            findings.append(Finding("chains", State.FAILS, f"none has an endpoint: {remedy}"))
        for found in await asyncio.gather(*(_nodes(served, settings.tracking.block_range) for served in chains.served)):
            findings += found
        sockets = (_socket(served.chain, heads) for served in chains.served if (heads := served.make_heads()))
        findings += await asyncio.gather(*sockets)
        findings += await _cache(settings)
        checkups = await stack.enter_async_context(checkups_of(settings, chains, http, engine))
        pushed = [] if engine is None else await webhook_findings(engine)
        pinned = [*await pin_findings(settings, chains), *await published_findings(settings, chains)] if pins else []
        steered = [] if engine is None else await steering_findings(engine, chains.catalog)
        return [*findings, *pushed, *steered, *await examine(checkups), *pinned]


async def _store(settings: Settings, stack: AsyncExitStack) -> tuple[AsyncEngine | None, list[Finding]]:
    """Open the store for as long as the stack lasts; without one, say why."""
    what = f"store ({'configured' if settings.store.dsn is not None else 'embedded'})"
    try:
        engine = await stack.enter_async_context(opened_store(settings))
        clock = StoreClock()
        await clock.measure(engine)
        schema = await current(engine)
    except Exception as error:
        text = explain(error)
        if text is None:
            raise
        return None, [Finding(what, State.FAILS, text)]
    findings = [Finding(what, State.OK, "answers, schema up to date")]
    if schema != NEWEST:
        text = "answers; its schema is a newer version's, beside which this one may run until it is replaced"
        findings = [Finding(what, State.WARNS, text)]
    if clock.is_off:
        remedy = "set this machine's clock (NTP), or there are no quotes"
        text = f"this machine's clock is {in_words(clock.off_s)} the store's: {remedy}"
        findings.append(Finding("clock", State.FAILS, text))
    return engine, findings


async def _cache(settings: Settings) -> list[Finding]:
    """Check Redis, if configured; without it every process counts by itself, so it never fails."""
    async with open_shared(settings.limits) as shared:
        state = await build_limiter(settings.limits, shared).shared_state()
    if state is None:
        return []
    return [Finding("redis", State.OK if state == "ok" else State.WARNS, "answers" if state == "ok" else state)]


async def _nodes(served: ServedChain, block_range: int) -> list[Finding]:
    """Check each endpoint of a chain, then whether they agree, then our contracts."""
    one_by_one: Sequence[tuple[str, ServedChain]] = served.each()
    labels = [served.chain.key if len(one_by_one) == 1 else f"{served.chain.key} {name}" for name, _ in one_by_one]
    found = await asyncio.gather(
        *(_node(alone, label, block_range) for label, (_, alone) in zip(labels, one_by_one, strict=True))
    )
    sound = [not any(each.state is State.FAILS for each in findings) for findings in found]
    if any(sound):
        # What one does not do another does.
        found = [list(map(_no_failure, item)) for item in found]
    findings = [each for item in found for each in item]
    if len(one_by_one) > 1:
        findings.append(await compared(served))
    if isinstance(served, ServedEvm) and any(sound):
        findings += await contract_findings(served.chain, served.rpc)
    return findings


def _no_failure(found: Finding) -> Finding:
    return replace(found, state=State.WARNS) if found.state is State.FAILS else found


async def _node(served: ServedChain, label: str, block_range: int) -> list[Finding]:
    if isinstance(served, ServedEvm):
        return await evm_findings(served.chain, served.rpc, label, block_range)
    return await solana_findings(served, label)


async def _socket(chain: Chain, heads: Heads) -> Finding:
    """Check a chain's websocket; without it the service polls, so only a wrong chain fails."""
    what = f"{chain.key} ws"
    started = time.monotonic()
    try:
        await heads.try_out()
    except OtherChain as error:
        return Finding(what, State.FAILS, f"{error}: correct chains.ws")
    except NodeUnavailable as error:
        return Finding(what, State.WARNS, f"{error}; it was asked at {host_of(heads.url)}")
    except NodeRefused as error:
        return Finding(what, State.WARNS, f"the node announces no heads: {error}")
    return Finding(what, State.OK, f"chain {chain.id}, announces heads, {1000 * (time.monotonic() - started):.0f} ms")
