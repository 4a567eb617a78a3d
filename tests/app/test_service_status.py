"""What anybody is told of the service: true, cheap, and nothing that a node, an upstream or an operator would mind."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.sessions import Sessions
from rhumbline.api.pages.assets import Assets
from rhumbline.api.pages.language import ENGLISH
from rhumbline.api.pages.pages import Pages
from rhumbline.api.portal.status_page import shown_status
from rhumbline.api.wire.service_status import StatusBody
from rhumbline.app.chains import build_chains
from rhumbline.app.followed_chains import FollowedChains
from rhumbline.app.readiness import Readiness
from rhumbline.app.service_status import KEPT_S, LATE_S, StatusReader
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.clock import system_clock
from rhumbline.domain.operator import Operator
from rhumbline.domain.service_status import AdapterStatus, NodeState, Overall, PushStatus, ServiceStatus, UpstreamState
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.leases import Leases
from rhumbline.gateways.postgres.store_clock import StoreClock
from rhumbline.gateways.upstreams.guard.guards import UpstreamGuards
from rhumbline.steering.changes import SteeringChanges
from rhumbline.steering.known_state import Steering
from rhumbline.tracking.leadership import WEBHOOKS, Loop, lease_name
from rhumbline.tracking.scorecards.reader import ScorecardReader
from tests.app.conftest import settings
from tests.app.test_portal import limiter
from tests.clocks import Clock, Seconds
from tests.gateways.nodes.lying_node import LyingNode, lying_node, refused, said
from tests.tracking.test_waiting_counts import fill_deliveries, fill_transfers

HIDDEN = "hidden-host.example"
UPSTREAM = f"https://user:secret@{HIDDEN}:8443/key"
MARKET = 900_001


@dataclass(frozen=True)
class Exchange:
    """An adapter as far as the status page knows it."""

    info: AdapterInfo


@dataclass(frozen=True)
class Crossing(Exchange):
    """One that can be asked about transfers."""

    async def status(self) -> None:
        raise AssertionError("the page asks no bridge")


def named(key: str, *chains: int) -> AdapterInfo:
    return AdapterInfo(key, key.title(), f"https://{HIDDEN}/logo.svg", Capability.MULTI, chains)


@dataclass
class Watched:
    """A reader with its node, and what the test moves."""

    reader: StatusReader
    node: LyingNode
    seconds: Seconds
    guards: UpstreamGuards
    leases: Leases

    async def __call__(self) -> ServiceStatus:
        """Return what is told after the last answer is too old."""
        self.seconds.now += KEPT_S
        return await self.reader()

    async def node_state(self) -> NodeState:
        return (await self()).chains[0].node


@pytest.fixture
async def node(sandbox: Sandbox) -> AsyncIterator[LyingNode]:
    async with lying_node(sandbox.chain("sbxa").rpc_url) as running:
        yield running


@pytest.fixture
async def watched(node: LyingNode, http: HttpClient, store_engine: AsyncEngine) -> AsyncIterator[Watched]:
    found = telling(node, http, store_engine, mainnet=True)
    yield found
    await found.leases.release()


def telling(node: LyingNode, http: HttpClient, engine: AsyncEngine, *, mainnet: bool) -> Watched:
    native = {"symbol": "E", "name": "E"}
    entry = {"id": MARKET, "key": "here", "name": "Here", "rpc": f"{node.url}/secret-key", "mainnet": mainnet}
    chains = build_chains(settings({**entry, "native": native}), http)
    guards, leases, seconds, steering = UpstreamGuards(), Leases(engine), Seconds(), Steering(engine)
    ready = Readiness(Sessions(engine, system_clock), chains.served, limiter(), StoreClock(), steering)
    adapters: list[Any] = [
        Exchange(named("POOLS", MARKET)),
        Crossing(named("ACROSS", MARKET, 1)),
        Exchange(named("ELSEWHERE", 1)),
    ]
    for host in (UPSTREAM, "https://second.example"):
        guards.of(host, "ACROSS")
    followed = FollowedChains(leases, [served.chain for served in chains.served])
    scorecards = ScorecardReader(engine, system_clock)
    kept = steering, system_clock, scorecards, seconds
    reader = StatusReader(engine, chains, adapters, guards, followed, ready, *kept)
    return Watched(reader, node, seconds, guards, leases)


def block(**changes: object) -> Callable[[dict[str, Any], dict[str, Any]], dict[str, Any] | None]:
    """Return a lie about the latest block."""

    def lie(call: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any] | None:
        if call["method"] != "eth_getBlockByNumber":
            return None
        return said(answer, {**answer["result"], **changes})

    return lie


def written(found: ServiceStatus) -> str:
    """Return all that leaves the service."""
    page = Pages("Rhumbline", Assets()).page("status.html", {"shown": shown_status(ENGLISH, found), "problem": None})
    return StatusBody.of(found).model_dump_json() + bytes(page.body).decode()


async def test_what_is_paused_is_told_at_once_and_its_reason_only_if_it_is_public(
    watched: Watched, store_engine: AsyncEngine, node: LyingNode
) -> None:
    node.lie = block(number=hex(1), timestamp=hex(int(system_clock().timestamp())))
    for name in (lease_name(MARKET, Loop.EVENTS), WEBHOOKS):
        assert await watched.leases.take(name)
    await watched.leases.beat()
    well = await watched()
    assert (well.overall, well.paused) == (Overall.OK, ())
    changes = SteeringChanges(store_engine, Operator("hidden-operator", "hidden-word"))
    for adapter, chain in (("ACROSS", None), ("POOLS", MARKET), ("GONE", 77), (None, MARKET)):
        await changes.pause(adapter, chain, "")
    await SteeringChanges(store_engine, Operator("alice", "we move house")).pause(None, None, "", public=True)
    await watched.reader.steering.read()
    # Without any new question to nodes and store.
    told = await watched.reader()
    assert told.at == well.at
    assert told.overall is Overall.DEGRADED
    states = {each.key: each.state for each in told.adapters}
    assert states == {"ACROSS": UpstreamState.PAUSED, "POOLS": UpstreamState.ANSWERING}
    assert {(each.adapter, each.chain, each.name, each.reason) for each in told.paused} == {
        ("ACROSS", None, "Across", None),
        ("POOLS", "here", "Pools on Here", None),
        ("GONE", "77", "GONE on 77", None),
        (None, "here", "Here", None),
        (None, None, "Quoting", "we move house"),
    }
    text = written(told)
    assert "hidden-word" not in text
    assert "hidden-operator" not in text
    assert "Pools on Here" in text
    assert text.count("we move house") == 2


async def test_all_of_it(watched: Watched, store_engine: AsyncEngine, node: LyingNode) -> None:
    await fill_deliveries(store_engine)
    await fill_transfers(store_engine, "ACROSS", "GONE", "ACROSS")
    for name in (lease_name(MARKET, Loop.EVENTS), WEBHOOKS):
        assert await watched.leases.take(name)
    watched.leases.vouch(lease_name(MARKET, Loop.EVENTS), head=100, next_block=98)
    await watched.leases.beat()
    watched.guards.of(UPSTREAM, "ACROSS").settle(ok=True)
    node.lie = block(number=hex(21_000_000), timestamp=hex(int(system_clock().timestamp()) + 20))
    found = await watched()
    (chain,) = found.chains
    assert (chain.key, chain.name, chain.node, chain.head, chain.head_age_s) == (
        "here",
        "Here",
        NodeState.ANSWERING,
        21_000_000,
        0,
    )
    assert (chain.followed, chain.behind) == (True, 3)
    # One without a host asks the chains' nodes; one that quotes from no chain that is served is left out.
    assert found.adapters == (
        AdapterStatus("ACROSS", "Across", UpstreamState.ANSWERING),
        AdapterStatus("POOLS", "Pools", UpstreamState.ANSWERING),
    )
    assert found.transfers is not None
    assert [(each.key, each.count) for each in found.transfers] == [("ACROSS", 2), (None, 1)]
    assert found.push == PushStatus(delivering=True, waiting=3, retrying=1)
    assert found.overall is Overall.OK
    for secret in ("receiver.example", "of 0", "wh_", "GONE", watched.leases.holder, HIDDEN, "127.0.0.1", "secret"):
        assert secret not in written(found), secret


async def test_an_old_head_makes_the_node_of_a_main_network_late(
    watched: Watched, http: HttpClient, store_engine: AsyncEngine, node: LyingNode
) -> None:
    watched.reader.clock = now = Clock(system_clock())
    began = int(now().timestamp())
    node.lie = block(timestamp=hex(began - LATE_S))
    assert await watched.node_state() is NodeState.ANSWERING
    node.lie = block(timestamp=hex(began - LATE_S - 1))
    found = await watched()
    assert (found.chains[0].node, found.chains[0].head_age_s) == (NodeState.LATE, LATE_S + 1)
    assert found.overall is Overall.DEGRADED
    quiet = telling(node, http, store_engine, mainnet=False)
    quiet.reader.clock = now
    assert await quiet.node_state() is NodeState.ANSWERING


async def test_nothing_that_a_node_says_is_repeated(watched: Watched, node: LyingNode) -> None:
    """Not its errors, which may hold URLs with keys in them, and no number that no chain has."""
    words = f"https://user:secret@{HIDDEN}/v2/key is over its limit <script>alert(1)</script>"
    lies = [
        lambda call, answer: refused(answer, -32005, words),
        lambda call, answer: said(answer, words),
        block(number=hex(2**200)),
        block(timestamp=hex(2**255)),
        block(number=words),
        lambda call, answer: said(answer, "0x1") if call["method"] == "eth_chainId" else None,
    ]
    for lie in lies:
        node.lie = lambda call, answer: None
        assert await watched.node_state() is not NodeState.SILENT
        node.lie = lie
        found = await watched()
        (chain,) = found.chains
        assert (chain.node, chain.head, chain.head_age_s) == (NodeState.SILENT, None, None)
        text = written(found)
        for secret in (HIDDEN, "secret", "over its limit", "<script", "127.0.0.1"):
            assert secret not in text, (secret, text)


async def test_an_adapter_is_as_well_as_its_worst_host(watched: Watched) -> None:
    first, second = watched.guards.of(UPSTREAM, "ACROSS"), watched.guards.of("https://second.example", "ACROSS")

    async def state() -> UpstreamState:
        return (await watched()).adapters[0].state

    seen = [await state()]
    second.settle(ok=True)
    seen.append(await state())
    await first.rest(600.0)
    seen.append(await state())
    for _ in range(second.rules.failures):
        second.settle(ok=False)
    seen.append(await state())
    assert seen == [
        UpstreamState.QUIET,
        UpstreamState.ANSWERING,
        UpstreamState.RATE_LIMITED,
        UpstreamState.BREAKER_OPEN,
    ]


async def test_however_many_look_everything_is_asked_once_in_a_while(watched: Watched, node: LyingNode) -> None:
    await watched()
    asked = node.calls.count("eth_getBlockByNumber")
    answers = [await watched.reader(), *await asyncio.gather(*(watched.reader() for _ in range(50)))]
    watched.seconds.now += KEPT_S - 0.1
    answers.append(await watched.reader())
    assert len({id(each) for each in answers}) == 1
    assert node.calls.count("eth_getBlockByNumber") == asked == 1
    together = await asyncio.gather(*(watched.reader() for _ in range(3)), watched(), watched.reader())
    assert node.calls.count("eth_getBlockByNumber") == 2
    assert together[3] is together[4] is not answers[0]


async def test_a_store_that_is_away_is_said_and_the_rest_told(node: LyingNode, http: HttpClient) -> None:
    engine = create_engine(f"postgresql://nobody:secret@{HIDDEN}.invalid:1/none")
    watched = telling(node, http, engine, mainnet=False)
    found = await watched()
    assert (found.store_ok, found.transfers, found.push, found.overall) == (False, None, None, Overall.UNAVAILABLE)
    assert (found.chains[0].node, found.chains[0].followed, found.chains[0].behind) == (
        NodeState.ANSWERING,
        None,
        None,
    )
    text = written(found)
    assert "cannot use its store" in text
    assert HIDDEN not in text
    assert "nobody" not in text.lower().replace("nobody asked", "")
    await engine.dispose()


async def test_a_clock_that_is_off_is_said(watched: Watched) -> None:
    class Off(StoreClock):
        @property
        def is_off(self) -> bool:
            return True

    watched.reader.ready = replace(watched.reader.ready, clock=Off())
    found = await watched()
    assert (found.clock_ok, found.overall) == (False, Overall.UNAVAILABLE)
    assert "clock of the process that answers is wrong" in written(found)
