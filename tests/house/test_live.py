"""What ``make live`` asks, checked without asking anybody: it leaves no adapter, recording or pinned address out."""

import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.app.adapters import built_adapters
from rhumbline.app.chains import build_chains, known_to
from rhumbline.app.registry import FOLDERS, SPECS
from rhumbline.app.settings import Settings, load_settings
from rhumbline.app.tokens import fixed_tokens
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_EVM_ALIAS, ChainType
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.strict_json import Json
from tests.live.adapter_fixture import Live
from tests.live.answers import ReceivedAnswer, broken
from tests.live.by_folder import ASKS, DELIVERED, ENDPOINTS, FAILURES, NO_CONTRACTS, endpoints_of
from tests.live.endpoint import RECORDINGS, Endpoint
from tests.live.pinned import DEPLOYMENTS, contracts_of, pinned
from tests.live.shapes import differences, read_of, shape_of

ROOT = Path(__file__).parents[2]
KEYS = {spec.key for spec in SPECS}
NOWHERE = "http://127.0.0.1:9"


def written(*, keyed: bool) -> str:
    """Settings under which nobody can be reached; ``keyed`` with some credential for everybody who needs one."""
    lines = []
    for chain in known_to(Settings()):
        lines += ["[[chains]]", f"id = {chain.id}", f'rpc = "{NOWHERE}"']
    for spec in SPECS:
        lines += [
            f"[adapters.{spec.key.lower()}]",
            f'url = "{NOWHERE}"',
            *(() if spec.on or not keyed else ("enabled = true",)),
        ]
        lines += [f'more_urls.{name} = "{NOWHERE}"' for name in spec.more_urls]
        lines += [f'credentials.{name} = "x"' for name in (*spec.needs, *spec.needs_one) if keyed]
    return "\n".join(lines)


def run(folder: Path, *words: str, keyed: bool = True) -> subprocess.CompletedProcess[str]:
    file = folder / "nowhere.toml"
    file.write_text(written(keyed=keyed), "utf-8")
    own = {name: value for name, value in os.environ.items() if not name.startswith(("RHUMBLINE_", "PYTEST_"))}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
        cwd=ROOT, env={**own, "RHUMBLINE_CONFIG": str(file)}, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_every_adapter_is_asked(tmp_path: Path) -> None:
    ran = run(tmp_path, "--collect-only", "tests/live")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    asked = set(re.findall(r"test_it_quotes_builds_and_answers_as_recorded\[([A-Z_]+)-", ran.stdout))
    assert asked == KEYS == set(ASKS)
    bridges = {key for key, asks in ASKS.items() if any(ask.origin != ask.destination for ask in asks)}
    assert set(re.findall(r"test_what_nobody_made_is_not_delivered\[([A-Z_]+)\]", ran.stdout)) == bridges
    assert set(DELIVERED) <= bridges
    for each in pinned(known_to(Settings())):
        assert f"test_there_is_code_at_every_pinned_address[{each}]" in ran.stdout


def test_without_internet_it_says_so_and_fails(tmp_path: Path) -> None:
    ran = run(tmp_path, "tests/live", keyed=False)
    assert ran.returncode == 1
    assert "There is no internet from here" in ran.stdout + ran.stderr
    assert "not asked: OKX needs credentials: key, secret, passphrase" in ran.stdout


def test_nothing_else_runs_it(tmp_path: Path) -> None:
    others = [f"--ignore={path}" for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name != "live"]
    ran = run(tmp_path, "--collect-only", "tests", *others)
    assert "tests/live" not in ran.stdout
    assert ran.returncode == 5, "something was collected"


def test_make_knows_it() -> None:
    told = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.search(r"^live +ask the real upstreams", told, re.M)
    assert "pytest -q -p no:cacheprovider tests/live" in (ROOT / "Makefile").read_text("utf-8")


@pytest.fixture(scope="module")
async def live(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Live]:
    file = tmp_path_factory.mktemp("live") / "nowhere.toml"
    file.write_text(written(keyed=True), "utf-8")
    settings = load_settings(file, {})
    async with HttpClient() as http:
        chains = build_chains(settings, http)
        tokens = TokenCatalog(chains.catalog, fixed_tokens(settings, chains), chains.token_readers)
        async with built_adapters(settings, chains, tokens) as adapters:
            yield Live(settings, chains, tokens, {each.info.key: each for each in adapters}, [], [])


@pytest.mark.parametrize(("key", "ask"), [(key, ask) for key, asks in ASKS.items() for ask in asks], ids=str)
async def test_every_ask_is_one_that_its_adapter_supports(live: Live, key: str, ask: Any) -> None:
    request = live.request(ask)
    assert live.adapters[key].supports(request)
    worthless = replace(request, destination=replace(request.destination, id=77))
    assert not live.adapters[key].supports(worthless)


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda each: f"{each.folder} {each.path} {each.sort or ''}")
def test_what_is_read_is_in_our_recordings(endpoint: Endpoint) -> None:
    parts = endpoint.recorded()
    assert len(parts) >= len(endpoint.recordings)
    for part in parts:
        assert endpoint.reads(part)
    shape = shape_of(parts)
    assert not [place for place, needed in endpoint.read().items() if needed and parts and not found(place, shape)]


def found(place: str, shape: Mapping[str, frozenset[str]]) -> bool:
    """Tell whether a place is there; inside of something that is not, or is always null or empty, nothing can be."""
    outer = place.rpartition(".")[0]
    return place in shape or (bool(outer) and shape.get(outer, frozenset({"null"})) == frozenset({"null"}))


def test_every_recording_is_compared() -> None:
    claimed = {(each.folder, name) for each in ENDPOINTS for name in each.recordings}
    failures = {(folder, name) for folder, names in FAILURES.items() for name in names}
    assert claimed | failures == {(path.parents[1].name, path.stem) for path in RECORDINGS.glob("*/recordings/*.json")}
    assert {each.folder for each in ENDPOINTS} == {path.parents[1].name for path in RECORDINGS.glob("*/recordings/*")}


def test_an_adapters_questions_lie_in_its_own_folder() -> None:
    """Nothing under tests/live names an adapter over HTTP."""
    folders = {path.parent.name for path in RECORDINGS.glob("*/live.py")}
    assert folders == set(FOLDERS)
    words = re.compile(rf"\b({'|'.join(KEYS)})\b|rhumbline\.adapters\.({'|'.join(FOLDERS)})\b")
    assert not [path.name for path in (ROOT / "tests/live").glob("*.py") if words.search(path.read_text("utf-8"))]


@pytest.mark.parametrize("key", sorted(DEPLOYMENTS))
def test_every_pinned_address_is_looked_at(key: str) -> None:
    """Whatever reads like an address in a deployment, but for what is said to be no contract, and that is there."""
    catalog = known_to(Settings())
    left_out = set()
    for chain_id, deployment in DEPLOYMENTS[key].items():
        chain = catalog.by_id.get(chain_id)
        if chain is None or chain.type is not ChainType.EVM:
            continue
        there = set(map(checksummed, re.findall(r"'(0x[0-9a-fA-F]{40})'", repr(deployment))))
        looked_at = {address for _, address in contracts_of(key, deployment)}
        assert looked_at <= there
        left_out |= there - looked_at - {NATIVE_EVM, checksummed(NATIVE_EVM_ALIAS)}
        listed = {address for each in pinned(catalog) if each.chain_id == chain_id for _, address in each.contracts}
        assert looked_at <= listed
    assert bool(left_out) == (key in NO_CONTRACTS)


DOCUMENT: Json = {"code": 0, "data": {"routeSummary": {"amountIn": "1", "route": [{"pool": "0x"}, {"fee": 3}]}}}


def test_shapes_are_paths_with_types() -> None:
    assert shape_of([DOCUMENT, {"code": None}]) == {
        "": {"object"}, "code": {"number", "null"}, "data": {"object"}, "data.routeSummary": {"object"},
        "data.routeSummary.amountIn": {"string"}, "data.routeSummary.route": {"array"},
        "data.routeSummary.route[]": {"object"}, "data.routeSummary.route[].pool": {"string"},
        "data.routeSummary.route[].fee": {"number"},
    }  # fmt: skip


json_documents = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=12,
)


@given(json_documents, json_documents)
def test_a_shape_differs_from_others_only(one: Json, other: Json) -> None:
    mine, both = shape_of([one]), shape_of([one, other])
    assert differences(mine, mine, {}) == []
    assert not [each for each in differences(mine, both, dict.fromkeys(both, False)) if " new" in each.text]


ROUTE = next(endpoints_of("KYBERSWAP", "GET", "/ethereum/api/v1/routes"))


def heard(change: Mapping[str, object], *, without: str = "") -> list[ReceivedAnswer]:
    """The recorded route, with another summary."""
    (document,) = ROUTE.recorded()
    assert isinstance(document, dict)
    data = document["data"]
    assert isinstance(data, dict)
    before = data["routeSummary"]
    assert isinstance(before, dict)
    summary: dict[str, Any] = {**before, **change}
    summary.pop(without, None)
    return [
        ReceivedAnswer(
            "KYBERSWAP", "GET", "/base/api/v1/routes", {**document, "data": {**data, "routeSummary": summary}}
        )
    ]


@pytest.mark.parametrize(
    ("change", "without", "breaks", "noted"),
    [
        ({}, "", [], []),
        ({"amountOut": 12}, "", ["data.routeSummary.amountOut: is number, was string"], None),
        ({}, "amountOut", ["data.routeSummary.amountOut: has gone, was string"], None),
        ({}, "gas", [], ["data.routeSummary.gas: has gone, was string"]),
        ({}, "gasUsd", [], ["data.routeSummary.gasUsd: has gone, was string"]),
        ({"gasUsd": 5}, "", [], ["data.routeSummary.gasUsd: is number, was string"]),
        ({"surplus": "5"}, "", [], ["data.routeSummary.surplus: is new, string"]),
        ({"gas": None}, "", [], ["data.routeSummary.gas: may be null, was string"]),
    ],
)
def test_only_what_is_read_can_break(
    change: Mapping[str, object], without: str, breaks: list[str], noted: list[str] | None
) -> None:
    notes: list[str] = []
    found = broken(heard(change, without=without), notes)
    assert [each.removeprefix(f"KYBERSWAP {ROUTE.path} READ ") for each in found] == breaks
    words = [each.removeprefix(f"KYBERSWAP GET {ROUTE.path} ") for each in notes]
    assert words == ([f"READ {each}" for each in breaks] if noted is None else noted)


def test_an_endpoint_that_nobody_wrote_down_is_found() -> None:
    assert broken([ReceivedAnswer("KYBERSWAP", "GET", "/base/api/v2/routes", {})], []) == [
        "KYBERSWAP GET /base/api/v2/routes is not among the endpoints"
    ]
    assert read_of(ROUTE.model)["data.routeSummary.amountOut"] is True
