"""`rhumbline doctor` beside hosts that are up, down, slow, and lying: a finding each, and never a secret."""

import asyncio
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from rhumbline.app.sandbox_settings import sandbox_settings
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from tests.app.conftest import Command, Ran, on_a_thread
from tests.catalog.conftest import ListHost, entry, list_host, token_list
from tests.clocks import Clock
from tests.postgres_fixture import loop_on_a_thread
from tests.pricing.exchange import DEMO_KEY, JUPITER_KEY, USDC, Exchange, open_exchange
from tests.redis_fixture import RedisServer
from tests.simulation.nodes import lacking, node_before

WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
UPSTREAMS = ("dexscreener", "defillama", "jupiter", "coingecko")
PATHS = {"dexscreener": "dex", "defillama": "llama", "jupiter": "jup", "coingecko": "gecko"}


@dataclass
class Neighbours:
    """What the doctor calls on, running on a thread of its own."""

    exchange: Exchange
    lists: ListHost


@asynccontextmanager
async def neighbours_running() -> AsyncIterator[Neighbours]:
    async with AsyncExitStack() as stack:
        exchange = await stack.enter_async_context(open_exchange(Clock(datetime.now(UTC))))
        yield Neighbours(exchange, await stack.enter_async_context(list_host()))


@pytest.fixture
def neighbours() -> Iterator[Neighbours]:
    with on_a_thread(neighbours_running()) as running:
        yield running


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    # A Unix socket's path has at most 107 bytes, and pytest's own folders may be deep.
    server = RedisServer(Path(tempfile.mkdtemp(prefix="rl-redis-")))
    with loop_on_a_thread() as loop:
        asyncio.run_coroutine_threadsafe(server.start(), loop).result()
        yield server
        asyncio.run_coroutine_threadsafe(server.kill(), loop).result()
    shutil.rmtree(server.folder)


class Doctor:
    """The command on the sandbox's chains and a real store, with these neighbours."""

    def __init__(self, folder: Path, sandbox: Sandbox, dsn: str, neighbours: Neighbours, command: Command) -> None:
        self.neighbours = neighbours
        self._command = command
        self.rpc = sandbox.chain("sbxa").rpc_url
        self.ws = sandbox.chain("sbxa").rpc_url.replace("http", "ws", 1)
        self.other_ws = sandbox.chain("sbxb").rpc_url.replace("http", "ws", 1)
        # Other tests let the shared Solana chain's time go by, which the doctor objects to; it has tests of its own.
        chains = replace(sandbox, chains=sandbox.evm_chains)
        text = sandbox_settings(chains, folder / "store", "http://127.0.0.1:8700", WALLET)
        self._text = text.replace("[store]\n", f'[store]\ndsn = "{dsn}"\n')
        self._file = folder / "rhumbline.toml"
        self._file.touch(0o600)
        self.settings(sources=(*UPSTREAMS, "onchain"))

    def settings(self, *, sources: tuple[str, ...], lists: tuple[str, ...] = (), redis: str | None = None) -> None:
        urls = "".join(f'{name}_url = "{self.neighbours.exchange.url}/{path}"\n' for name, path in PATHS.items())
        keys = f'coingecko_key = "{DEMO_KEY}"\njupiter_key = "{JUPITER_KEY}"\n'
        names = ", ".join(f'"{name}"' for name in sources)
        hosts = ", ".join(f'"{url}"' for url in lists)
        text = self._text.replace("shipped = false", f"token_lists = [{hosts}]\nlist_timeout_s = 1")
        text = text.replace('sources = ["onchain"]\n', f"sources = [{names}]\n{urls}{keys}")
        if redis is not None:
            text = text.replace("[limits]\n", f'[limits]\nredis_url = "{redis}"\n')
        self._file.write_text(text)

    def across(self, pool: str) -> None:
        """Have Across on `sbxa`, at this address."""
        place = "[adapters.across.deployments.900001]"
        self._file.write_text(f'{self._file.read_text()}\n{place}\nchain_id = 900001\nspoke_pool = "{pool}"\n')

    def socket(self, url: str) -> None:
        """Have another websocket announce the heads of `sbxa`."""
        self._file.write_text(self._file.read_text().replace(self.ws, url))

    def beside(self, url: str) -> None:
        """Have a second endpoint of `sbxa`."""
        text = self._file.read_text()
        own = re.search(r'id = 900001\n.*?^rpc = ("[^"]*")$', text, re.DOTALL | re.MULTILINE)
        assert own is not None, text
        listed = own[0].replace(f"rpc = {own[1]}", f'rpc = [{own[1]}, "{url}"]')
        self._file.write_text(text.replace(own[0], listed))

    @contextmanager
    def node_lacking(self, method: str, overrides: object | None) -> Iterator[None]:
        """Put a node before that of `sbxa` that lacks a method, and answers so to another state for `eth_call`."""

        async def answer(call: dict[str, Any]) -> object | None:
            if call["method"] == "eth_call" and len(call["params"]) > 2:
                return overrides
            return await lacking(method)(call)

        @asynccontextmanager
        async def running() -> AsyncIterator[str]:
            async with HttpClient() as http, node_before(EvmRpc(self.rpc, http, ""), answer) as rpc:
                yield rpc.url

        node = running()
        with loop_on_a_thread() as loop:
            url = asyncio.run_coroutine_threadsafe(node.__aenter__(), loop).result()
            self._file.write_text(self._file.read_text().replace(f'rpc = "{self.rpc}"', f'rpc = "{url}"'))
            yield
            asyncio.run_coroutine_threadsafe(node.__aexit__(None, None, None), loop).result()

    def run(self) -> tuple[Ran, Mapping[str, str]]:
        """What it said, and each finding by what it is about."""
        ran = self._command("doctor")
        assert "Traceback" not in ran.out + ran.err
        for secret in (DEMO_KEY, JUPITER_KEY, self.neighbours.exchange.url):
            assert secret not in ran.out + ran.err
        state = ran.out.splitlines()[0].index("state")
        return ran, {line[:state].strip(): " ".join(line[state:].split()) for line in ran.out.splitlines()[1:]}

    def sync(self) -> Ran:
        return self._command("catalog", "sync")


@pytest.fixture
def doctor(tmp_path: Path, sandbox: Sandbox, store_dsn: str, neighbours: Neighbours, command: Command) -> Doctor:
    return Doctor(tmp_path, sandbox, store_dsn, neighbours, command)


def test_all_is_well(doctor: Doctor) -> None:
    ran, found = doctor.run()
    assert ran.code == 0, ran.out
    assert {name for name in found if name.startswith("prices ")} == {f"prices {name}" for name in UPSTREAMS} | {
        "prices onchain"
    }
    assert all(text.startswith("ok ") for text in found.values()), ran.out
    assert found["prices dexscreener"].startswith("ok prices 0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2 on chain 1, ")
    assert "its contracts are on sbxa, sbxb" in found["adapter ONCHAIN"]
    assert found["store (configured)"].endswith("answers, schema up to date")
    assert found["sbxa ws"].startswith("ok chain 900001, announces heads, ")
    # One tiny question each: a single token.
    manners = [getattr(doctor.neighbours.exchange, name) for name in UPSTREAMS]
    assert [len(call) for manner in manners for call in manner.calls] == [1, 1, 1, 1]
    # They are asked at once, in no order.
    assert Counter(doctor.neighbours.exchange.keys) == {JUPITER_KEY: 1, DEMO_KEY: 1}


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        (None, "the node does not have it: outputs are measured by eth_call, but what else"),
        ({"error": {"code": -32602, "message": "too many arguments"}}, "neither it nor state overrides for eth_call"),
        ({"result": "0x"}, "neither it nor state overrides for eth_call"),
    ],
)
def test_a_node_that_cannot_simulate_is_a_warning(doctor: Doctor, overrides: object | None, words: str) -> None:
    with doctor.node_lacking("eth_simulateV1", overrides):
        ran, found = doctor.run()
    assert ran.code == 0, ran.out
    assert found["sbxa eth_simulateV1"].startswith("warns")
    assert words in found["sbxa eth_simulateV1"]
    assert found["sbxb eth_simulateV1"].startswith("ok")


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("down", "defillama answered HTTP 500"),
        ("html", "defillama answered text/html, not JSON"),
        ("busy", "defillama answered HTTP 429"),
        ("cut", "defillama answered no sound JSON"),
        ("list", "defillama answered no object"),
        ("huge", "defillama answered more than"),
    ],
)
def test_a_source_that_fails_is_a_warning(doctor: Doctor, mode: str, words: str) -> None:
    doctor.neighbours.exchange.defillama.mode = mode
    ran, found = doctor.run()
    assert ran.code == 0, ran.out
    assert found["prices defillama"].startswith("warns")
    assert words in found["prices defillama"]
    assert found["prices dexscreener"].startswith("ok")


def test_a_source_that_knows_nothing_is_a_warning(doctor: Doctor) -> None:
    doctor.neighbours.exchange.dexscreener.unknown = set(doctor.neighbours.exchange.truth)
    ran, found = doctor.run()
    assert ran.code == 0
    assert "answers, and has no price of 0x" in found["prices dexscreener"]


def test_where_no_source_answers_prices_fail(doctor: Doctor) -> None:
    doctor.settings(sources=UPSTREAMS)
    for name in UPSTREAMS:
        getattr(doctor.neighbours.exchange, name).mode = "html"
    ran, found = doctor.run()
    assert ran.code == 1
    assert [found[f"prices {name}"].split()[0] for name in UPSTREAMS] == ["fails"] * 4
    assert found["adapter ONCHAIN"].startswith("ok"), "what else there is, is not touched by it"


def test_token_lists(doctor: Doctor) -> None:
    host = doctor.neighbours.lists
    host.serves(token_list(entry(USDC, "AAA"), version="1.2.3"))
    name = f"token list {host.url}"
    doctor.settings(sources=("onchain",), lists=(host.url,))
    ran, found = doctor.run()
    assert (ran.code, found[name].split(",")[0]) == (0, "ok version 1.2.3")
    assert host.asked == [None]
    assert doctor.sync().code == 0
    ran, found = doctor.run()
    assert found[name].startswith("ok is the one that is kept")
    assert host.asked[-1] is not None, "asked with the tag of the kept copy"
    host.kind, host.body = "text/html", b"<html></html>"
    ran, found = doctor.run()
    assert ran.code == 1, "the only list there is"
    assert found[name].startswith("fails answered text/html, not JSON; version 1.2.3 of 20")
    other = host.url.replace("list.json", "other.json")
    host.kind = "application/json"
    host.serves({"name": "no tokens"})
    doctor.settings(sources=("onchain",), lists=(host.url, other))
    assert "is no token list" in doctor.run()[1][name]


def test_lists_that_lead_elsewhere_or_are_slow(doctor: Doctor) -> None:
    host = doctor.neighbours.lists
    host.serves(token_list(entry(USDC, "AAA")))
    with_redirect = host.url.replace("list.json", "well.json")
    # Only `list.json` leads elsewhere.
    host.location = "http://127.0.0.2:1/list.json?key=hidden-word"
    doctor.settings(sources=("onchain",), lists=(host.url, with_redirect))
    ran, found = doctor.run()
    assert ran.code == 0, ran.out
    assert "redirects to another host (127.0.0.2)" in found[f"token list {host.url}"]
    assert found[f"token list {with_redirect}"].startswith("ok")
    assert "hidden-word" not in ran.out
    host.location, host.pause_s = "", 60
    ran, found = doctor.run()
    assert (ran.code, found[f"token list {host.url}"].split(";")[0]) == (1, "fails did not answer within 1 s")


def test_redis_is_missed_but_not_needed(doctor: Doctor, redis: RedisServer) -> None:
    doctor.settings(sources=("onchain",), redis=redis.url)
    ran, found = doctor.run()
    assert (ran.code, found["redis"]) == (0, "ok answers")
    doctor.settings(sources=("onchain",), redis=f"redis://user:{JUPITER_KEY}@127.0.0.1:9/0")
    ran, found = doctor.run()
    assert ran.code == 0
    assert found["redis"].startswith("warns degraded: Redis does not answer (")
    assert found["redis"].endswith("each process counts by itself")


@pytest.mark.parametrize(("place", "is_there"), [("spoke_pool", True), ("weth9", False)])
def test_a_receiver_that_is_not_there_is_missed(doctor: Doctor, sandbox: Sandbox, place: str, is_there: bool) -> None:
    """It goes by the pool's address; all but swaps on arrival works without."""
    doctor.across(sandbox.chain("sbxa").contracts[place])
    _, found = doctor.run()
    assert found["sbxa contracts"].startswith("ok ")
    said = found.get("sbxa receiver")
    assert said is None if is_there else said is not None and said.startswith("warns Receiver missing")


def test_an_adapter_whose_contracts_are_elsewhere(doctor: Doctor, sandbox: Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "rhumbline.toml"
    router = sandbox.chain("sbxb").contracts["swap_router_02"]
    assert router in file.read_text()
    file.write_text(file.read_text().replace(f'router = "{router}"', f'router = "{WALLET}"'))
    ran, found = doctor.run()
    assert ran.code == 1
    assert found["adapter ONCHAIN"].split(" on ", 1)[1].split(" ", 1)[1] == (
        f"there is no contract at {WALLET}, where its router should be"
    )


def test_a_socket_that_is_away_is_a_warning(doctor: Doctor) -> None:
    doctor.socket("ws://127.0.0.1:1/v2/with-a-key")
    ran, found = doctor.run()
    assert ran.code == 0, ran.out
    assert found["sbxa ws"].startswith("warns sbxa: the node's websocket cannot be opened (nothing listens there)")
    assert "asked at 127.0.0.1:1" in found["sbxa ws"]
    assert "with-a-key" not in ran.out + ran.err


def test_what_is_no_socket_is_a_warning(doctor: Doctor) -> None:
    doctor.socket(doctor.neighbours.exchange.url.replace("http", "ws", 1))
    ran, found = doctor.run()
    assert ran.code == 0, ran.out
    assert "what answers there is no websocket, HTTP 404" in found["sbxa ws"]


def test_a_socket_of_another_chain_fails(doctor: Doctor) -> None:
    doctor.socket(doctor.other_ws)
    ran, found = doctor.run()
    assert ran.code == 1
    assert found["sbxa ws"].startswith("fails sbxa: the node's socket is on chain 900002, the settings say 900001")
    assert found["sbxa"].startswith("ok")


def test_each_of_several_endpoints_has_its_lines(doctor: Doctor) -> None:
    """What one lacks another does: it warns, and nothing fails while one of a chain is sound."""
    with doctor.node_lacking("eth_getLogs", {"result": "0x"}):
        doctor.beside("http://127.0.0.1:9/with-a-key")
        ran, found = doctor.run()
    assert ran.code == 0, ran.out
    assert found["sbxa 1"].startswith("ok chain 900001")
    assert found["sbxa 1 eth_getLogs"].startswith("warns")
    assert "this node cannot be used for tracking" in found["sbxa 1 eth_getLogs"]
    assert found["sbxa 2"].startswith("warns sbxa: the node does not answer")
    assert "with-a-key" not in ran.out
    assert found["sbxa endpoints"] == "ok 1, 2 see the same chain"


def test_an_endpoint_on_another_chain_is_named(doctor: Doctor, sandbox: Sandbox) -> None:
    doctor.beside(sandbox.chain("sbxb").rpc_url)
    ran, found = doctor.run()
    assert ran.code == 0, ran.out
    assert found["sbxa 2"] == "warns the node is on chain 900002, the settings say 900001"
    assert found["sbxa endpoints"] == "warns 2 is on chain 900002: not used until that ends"


def test_what_a_node_searches_and_remembers_is_told(doctor: Doctor) -> None:
    _, found = doctor.run()
    assert found["sbxa eth_getLogs"].endswith(" blocks at once")
    assert found["sbxa old blocks"].startswith("ok not available: wallets' own calls are found by reading whole blocks")
