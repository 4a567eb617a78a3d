"""The adapter that docs/adapters.md and docs/adapter-tests.md build: its files are run in a copy of the project."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from rhumbline.gateways.evm.calldata import Function

ROOT = Path(__file__).parents[2]
PAGE = "".join((ROOT / "docs" / name).read_text("utf-8") for name in ("adapters.md", "adapter-tests.md"))
ROUTER = "0x70597a9000000000000000000000000000000001"
TRADE = Function("trade(address,address,uint256,uint256,address,bytes)")
KEY = "toy-key"
FOLDERS = ("src/rhumbline/adapters/toyswap", "tests/adapters/toyswap")
SETTINGS = """
[adapters.onchain]
enabled = false
[adapters.toyswap]
url = "{url}"
credentials = {{ key = "toy-key" }}
"""
PROGRAM = """
import asyncio, json, sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from rhumbline.api.parameters.parameter import Reading
from rhumbline.api.parameters.source import query_source
from rhumbline.gateways.http.client import HttpClient
from rhumbline.api.wire.quote_request import parse_quote_request
from rhumbline.app.adapters import built_adapters, host_rules
from rhumbline.app.chains import build_chains
from rhumbline.app.settings import load_settings
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.catalog.tools import ToolCatalog
from rhumbline.domain.account import ApiClient
from rhumbline.domain.errors import AdapterError
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.upstreams.guard.guards import host_and_port

WALLET, OTHER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"


async def go():
    settings = load_settings(Path(sys.argv[1]), {})
    async with HttpClient() as client:
        chains = build_chains(settings, client)
        ethereum = chains.catalog.by_id.get(1)
        async with built_adapters(settings, chains, TokenCatalog(chains.catalog, (), {})) as adapters:
            tools = ToolCatalog(adapter.info for adapter in adapters)
            (adapter,) = [adapter for adapter in adapters if adapter.info.key == "TOYSWAP"]
            query = (
                f"senderAddress={WALLET}&originChainId=1&destinationChainId=1&amount=1000&originCurrency={USDC}"
                f"&destinationCurrency=0x{'0' * 40}&includeExchanges=toyswap"
            )
            asked = parse_quote_request(Reading(query_source(query.encode())), ApiClient(), chains.catalog, tools.known)
            request = QuoteRequest(
                ethereum, ethereum, Token(1, USDC, "USDC", 6, "USD Coin"), ethereum.native, 1000, WALLET, OTHER,
                WALLET, OTHER, Fraction(1, 100), 2**40,
            )
            quote = await adapter.quote(request)
            built = await adapter.build(replace(quote, min_output_amount=1980))
            refused = []
            for minimum in (1981, 1982, 1983):
                try:
                    await adapter.build(replace(quote, min_output_amount=minimum))
                except AdapterError as error:
                    refused.append(f"{error.kind}: {error.reason}")
            print(json.dumps({
                "listed": [info.key for info in tools.exchanges(None)],
                "filter": sorted(asked.adapters.include_exchanges),
                "budget": host_rules(settings)[host_and_port(settings.adapters.upstream("TOYSWAP").url)].calls_per_s,
                "output": quote.output_amount, "to": built.to, "spender": built.spender, "data": built.data.hex(),
                "supports": adapter.supports(request), "refused": refused,
            }))


asyncio.run(go())
"""


class Toyswap(BaseHTTPRequestHandler):
    """The upstream of the page, strict; a minimum of 1981 to 1983 makes it lie or fail."""

    def do_GET(self) -> None:
        path = urlsplit(self.path)
        query = dict(parse_qsl(path.query))
        known = {"chain", "sell", "buy", "amount", "taker", "recipient", "minimum"}
        if path.path != "/quote" or set(query) != known or self.headers["x-toyswap-key"] != KEY:
            self.answer(400, {"code": "BAD_AMOUNT"})
            return
        minimum, recipient, entry = int(query["minimum"]), query["recipient"], ROUTER
        if minimum == 1981:
            recipient = query["taker"]
        if minimum == 1982:
            entry = query["taker"]
        if minimum == 1983:
            self.answer(404, {"code": "NO_LIQUIDITY"})
            return
        bought = "0x" + "00" * 20 if query["buy"] == "native" else query["buy"]
        amount = int(query["amount"])
        data = TRADE.encode(query["sell"], bought, amount, minimum, recipient, b"way")
        self.answer(200, {"output": str(2 * amount), "to": entry, "value": "0", "data": "0x" + data.hex()})

    def answer(self, status: int, body: Mapping[str, object]) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def upstream() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Toyswap)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def files() -> dict[str, str]:
    """The pages' files by path: of Python by the first line, else by what follows the language."""
    sources = re.findall(r"```python\n# ((?:src|tests)/\S+)\n(.*?)```", PAGE, re.S)
    others = re.findall(r"```[a-z]+ ((?:src|tests)/\S+)\n(.*?)```", PAGE, re.S)
    return dict(sources) | dict(others)


def project() -> list[str]:
    """The project's files by path, those that are not yet in the index too."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\0")  # fmt: skip
    return [name for name in listed if name and (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with the page's files, and the page's line in the registry."""
    folder = tmp_path_factory.mktemp("project")
    for name in project():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    for path, text in files().items():
        place = folder / path
        assert not place.exists()
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    registry = folder / "src" / "rhumbline" / "app" / "registry.py"
    line = re.search(r"```python\n# the line\n(.*\n)```", PAGE)
    assert line is not None
    text = registry.read_text("utf-8")
    before = '    "symbiosis",\n'
    assert before in text
    registry.write_text(text.replace(before, before + line[1]), "utf-8")
    (ROOT / ".rhumbline").mkdir(exist_ok=True)
    for shared in ("node_modules", ".rhumbline"):
        (folder / shared).symlink_to(ROOT / shared)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return folder


def ran_in(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program of the virtual environment in the copy."""
    # What says how this test runs is not for those in the copy.
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
    return subprocess.run(
        [Path(sys.executable).parent / words[0], *words[1:]], cwd=copy, env={**own, "PYTHONPATH": str(copy / "src")},
        capture_output=True, text=True, check=False, timeout=900,
    )  # fmt: skip


def test_one_folder_in_each_and_one_line(copy: Path) -> None:
    parents = {Path(path).parents for path in files()}
    assert {str(place) for each in parents for place in each if place.name == "toyswap"} == {
        "src/rhumbline/adapters/toyswap",
        "tests/adapters/toyswap",
    }
    assert all("toyswap" in Path(path).parts for path in files())
    named = re.findall(r"^\| `((?:src|tests)/\S*toyswap/\S+)` \|", PAGE, re.M)
    assert set(named) == set(files())
    changed = [name for name in project() if (copy / name).read_bytes() != (ROOT / name).read_bytes()]
    assert changed == ["src/rhumbline/app/registry.py"]
    before, after = ((folder / changed[0]).read_text("utf-8").splitlines() for folder in (ROOT, copy))
    assert sorted(after) == sorted([*before, '    "toyswap",'])


def test_what_runs_for_every_adapter_runs_for_it(copy: Path) -> None:
    """Its case by the conformance suite and the attack's generator, on the sandbox's chains."""
    ran = ran_in(
        copy, "pytest", "-q", "-p", "no:cacheprovider", "-k", "TOYSWAP or excepted or in_the_table",
        "tests/adapters/conformance", "tests/attack",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-20_000:] + ran.stderr
    passed = re.search(r"(\d+) passed", ran.stdout)
    assert passed is not None
    assert int(passed[1]) > 50


def test_no_other_test_minds_it(copy: Path) -> None:
    """Whatever goes through all adapters, emulators or documents; what a process does without any is left out."""
    files = (
        "tests/house/test_live.py", "tests/house/test_upstreams_page.py", "tests/house/test_files.py",
        "tests/house/test_documents.py", "tests/app/test_adapters.py", "tests/app/test_doctor_checkups.py",
        "tests/devnet/upstreams/test_emulator.py",
    )  # fmt: skip
    others = "not test_nothing_else_runs_it and not test_without_internet"
    ran = ran_in(copy, "pytest", "-q", "-p", "no:cacheprovider", "-k", others, *files)
    assert ran.returncode == 0, ran.stdout[-20_000:] + ran.stderr


def test_its_emulator_stands_in_the_sandbox_from_a_folder_of_its_own(copy: Path) -> None:
    folder = copy / "src/rhumbline/devnet/upstreams/toyswap"
    folder.mkdir()
    try:
        shutil.copy(copy / "tests/adapters/toyswap/emulator.py", folder)
        (folder / "__init__.py").touch()
        found = "from rhumbline.devnet.upstreams import EMULATORS; print(*(each.key for each in EMULATORS))"
        ran = ran_in(copy, "python", "-c", found)
    finally:
        shutil.rmtree(folder)
    assert "TOYSWAP" in ran.stdout.split(), ran.stderr


def test_it_runs(copy: Path, upstream: str, tmp_path: Path) -> None:
    settings = tmp_path / "rhumbline.toml"
    settings.write_text(SETTINGS.format(url=upstream), "utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, settings], cwd=copy, env={**os.environ, "PYTHONPATH": str(copy / "src")},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert "TOYSWAP" in told["listed"]
    assert told["filter"] == ["TOYSWAP"]
    assert told["budget"] == 10
    assert told["supports"] is True
    assert (told["output"], told["to"].lower(), told["spender"].lower()) == (2000, ROUTER, ROUTER)
    assert TRADE.decode(bytes.fromhex(told["data"]))[2:4] == (1000, 1980)
    assert told["refused"] == [
        "transient: answered with another recipient than was asked for",
        "transient: answered with another router than was asked for",
        "no_route: has no pools for this pair",
    ]


@pytest.mark.parametrize(
    "check",
    [
        ["ruff", "check", *FOLDERS],
        ["ruff", "format", "--check", *FOLDERS],
        ["mypy", "--no-incremental", *FOLDERS],
        ["lint-imports"],
    ],
    ids=" ".join,
)
def test_the_page_keeps_the_rules_itself(copy: Path, check: list[str]) -> None:
    ran = ran_in(copy, *check)
    assert ran.returncode == 0, ran.stdout + ran.stderr
