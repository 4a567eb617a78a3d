"""Words that were given up: each has one that the field uses, and comes back nowhere, in whatever case."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from types import MappingProxyType

import pytest

from tests.house.rules import File, hold

FOLDERS = (
    "src/",
    "tests/",
    "attack/",
    "bench/",
    "chaos/",
    "web/",
    "docs/",
    "contracts/",
    "deploy/",
    "scripts/",
    "clients/",
)
PAGES = ("CONTRIBUTING.md", "README.md", "SECURITY.md")
NOT_OURS = re.compile(
    r"/static/|/solidity/|/migrations/|/recorded/|\.(png|json|css|js|mjs|svg|sol|csv)$|^tests/house/test_words\.py$|^docs/decisions/"
)
"""What others wrote, what a store has kept since, and the pages that tell why a word was given up."""
PARTS_OF_NAMES = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")
ADDRESS = re.compile(r"\b[1-9A-HJ-NP-Za-km-z]{32,}\b|\b0x[0-9a-fA-F]{40}\b")
"""Addresses and keys hold any letters."""


@dataclass(frozen=True)
class Retired:
    """A pattern of a word that was given up, what is said in its place, and where it means something else."""

    pattern: str
    instead: str
    elsewhere: tuple[str, ...] = ()
    folders: tuple[str, ...] = (*FOLDERS, *PAGES)


WORDS = (
    Retired("agendas?", "RefreshQueue"),
    Retired("blueprints?", "AdapterSpec"),
    Retired("bridge pollers?|followers?", "StatusWorker, an indexer"),
    Retired("desks?", "PortalViews; a fixture named for what it gives"),
    Retired("direct calls?", "WalletCalls"),
    Retired("harbours?|quays?|quayside|piers?|(?:open )?shops?", "a name that says what it gives"),
    Retired("hungriest", "the largest"),
    Retired("lanes?", "ThrottledSource"),
    Retired("leftovers?", "sweep_tokens", ("src/rhumbline/gateways/postgres/", "tests/gateways/postgres/")),
    Retired("plots?", "Scenario"),
    Retired("rpc unavailable", "NodeUnavailable"),
    Retired("sealed (?:read|write)|(?:read|write) sealed", "atomic files"),
    Retired("stored builds?", "IssuedTransaction"),
    Retired("twins?", "a fixture named for what it gives"),
    Retired("unprovable", "trust_assumptions"),
    Retired("(?:request|asked)\\.(?:caller|recipient)", "taker, payout_address", folders=("src/rhumbline/adapters/",)),
    Retired(
        "takes: ", "input_taken, optional_credentials", folders=("src/rhumbline/domain/", "src/rhumbline/gateways/")
    ),
    Retired("raised_(?:service|chain|portal|server)|the_port|nobody_sends", "a name that says what it gives"),
    Retired("voyages?|sails?|sailing", "Transfers, Signing, SendTask"),
    Retired("yardsticks?", "RankingContext"),
    Retired("he|him|his|himself", "neutral words for programs and readers"),
    Retired("ever more seldom|as ever", "less and less often, as before", folders=("docs/", *PAGES)),
    Retired("at the (?:most|least)", "at most, at least", folders=("docs/", *PAGES)),
)
"""Given up wherever it is written, in code, comments and prose."""

NAMES = MappingProxyType({
    "asking": "quote_request, query",
    "beginning": "init",
    "believing": "trust_assumptions, price_impact",
    "drawing": "planned_steps",
    "identifying": "transaction_id",
    "mend": "the verb for what it does",
    "nobody": "unowned_addresses",
    "pose": "prepare",
    "reaching": "connection_errors",
    "said": "the reply, the answer",
    "settling": "StatusWriter",
    "told": "what it is that was told",
    "visible": "escaped_text",
    "weighed": "what it is that was weighed",
})  # fmt: skip
"""Given up as the whole name of a file, a class or a function: as plain words they are good English."""

CLASSES = MappingProxyType({
    "arrival": "Delivery",
    "arrivals": "Deliveries",
    "believed": "AcceptedPrice",
    "built": "BuiltQuote",
    "caller": "ApiClient",
    "freshness": "TtlCache",
    "heard": "SourcePrice, ReceivedAnswer",
    "parts": "AdapterContext",
    "port": "ServedPortal",
    "posts": "DutyRoster",
    "question": "QuoteContext, or what is asked",
    "stage": "RunningDevnet",
    "standing": "CachedAnswer, StatusLookup",
})  # fmt: skip
"""Given up as the name of a class."""

NOT_YET: Mapping[str, tuple[str, ...]] = MappingProxyType({})
"""Where a word still is; nothing may be added."""


def ours(files: Iterable[File]) -> Iterator[File]:
    """Return the files whose words are ours to choose."""
    for file in files:
        if file.path.startswith((*FOLDERS, *PAGES)) and not NOT_OURS.search(file.path):
            yield file


def places_of(word: Retired, files: Iterable[File]) -> list[str]:
    """Return where a word is, whatever its case, as a word of a name too: ``StoredBuild``, ``STORED_BUILD``."""
    pattern = re.compile(rf"(?<![\w-])(?:{word.pattern})(?![\w-])", re.IGNORECASE)
    whole = re.compile(word.pattern.replace(" ", "[_ ]?"), re.IGNORECASE)
    return [
        f"{file.path}:{number}: {match.group()!r}, say {word.instead}"
        for file in files
        if file.path.startswith(word.folders) and not file.path.startswith(word.elsewhere) and whole.search(file.text)
        for number, line in file.lines()
        for match in [pattern.search(line) or pattern.search(PARTS_OF_NAMES.sub(" ", ADDRESS.sub("", line)))]
        if match
    ]


def names_in(file: File) -> Iterator[tuple[int, str, Mapping[str, str]]]:
    """Return the names that a source gives, and which of them were given up there; tests may call a function so."""
    source = not file.path.startswith("tests/")
    if file.path.endswith((".py", ".ts")):
        yield 1, PurePath(file.path).stem, NAMES
    if file.path.endswith(".py"):
        for node in file.nodes():
            if isinstance(node, ast.ClassDef):
                yield node.lineno, node.name, {**CLASSES, **NAMES}
            elif source and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.lineno, node.name, NAMES
    elif file.path.endswith(".ts"):
        for number, line in file.lines():
            for kind, name in re.findall(r"\b(function|class|interface|type) (\w+)", line):
                yield number, name, NAMES if kind == "function" else {**CLASSES, **NAMES}


def named(files: Iterable[File]) -> list[str]:
    """Return where a file, a class or a function has a name that was given up, in whatever case."""
    return [
        f"{file.path}:{number}: {name!r}, say {given_up[name.strip('_').lower()]}"
        for file in files
        for number, name, given_up in names_in(file)
        if name.strip("_").lower() in given_up
    ]


def left(pattern: str, places: Iterable[str]) -> list[str]:
    return [place for place in places if not place.startswith(NOT_YET.get(pattern, ()))]


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.pattern)
def test_a_word_that_was_given_up_is_nowhere(word: Retired, files: list[File]) -> None:
    hold(
        f"the word {word.pattern!r} was given up",
        left(word.pattern, places_of(word, ours(files))),
        "use the field's word; docs/glossary.md has the most used ones",
    )


def test_a_name_that_was_given_up_is_nowhere(files: list[File]) -> None:
    hold("these names were given up", left("names", named(ours(files))), "name it for what it is or does")


def test_what_is_not_there_yet_is_still_to_be_done(files: list[File]) -> None:
    found = {word.pattern: places_of(word, ours(files)) for word in WORDS if word.pattern in NOT_YET}
    found["names"] = named(ours(files))
    for pattern, folders in NOT_YET.items():
        for folder in folders:
            assert any(place.startswith(folder) for place in found[pattern]), f"take {folder} off the list: {pattern}"


@pytest.mark.parametrize("written", ["a Lane of", "LANE", "nextLanes()", "next_lanes = 1", "Lane,", "lane's"])
def test_a_word_is_found_however_it_is_written(written: str) -> None:
    word = Retired("lanes?", "ThrottledSource", ("docs/roads.md",))
    files = [File("src/a.py", f"planes\n{written}"), File("docs/roads.md", "lane"), File("src/b.py", "a planet")]
    assert [place.partition(",")[0].lower() for place in places_of(word, ours(files))] in (
        [["src/a.py:2: 'lane'"], ["src/a.py:2: 'lanes'"]]
    )


def test_a_name_is_found_whatever_it_names() -> None:
    files = [
        File("src/asking.py", "def _mend(told): ...\nclass Told: ...\n"),
        File("web/settling.ts", "function Weighed() {}\nconst asking = 1;"),
        File("tests/mend.py", "def told(): ...\nclass _Parts: ...\n"),
        File("docs/asking.md", "asking"),
    ]
    assert [place.partition(",")[0] for place in named(files)] == [
        "src/asking.py:1: 'asking'", "src/asking.py:1: '_mend'", "src/asking.py:2: 'Told'",
        "web/settling.ts:1: 'settling'", "web/settling.ts:1: 'Weighed'",
        "tests/mend.py:1: 'mend'", "tests/mend.py:2: '_Parts'",
    ]  # fmt: skip
