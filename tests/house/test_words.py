"""Words that were given up: each has one that the field uses, and comes back nowhere."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from tests.house.rules import File, hold

CODE = ("src/", "tests/", "attack/", "bench/")
ALL = (*CODE, "web/", "docs/", "CONTRIBUTING.md", "README.md")


@dataclass(frozen=True)
class Retired:
    """A pattern of a word that was given up, the folders where it must not be, and what is said in its place."""

    pattern: str
    folders: tuple[str, ...]
    instead: str


RETIRED = (
    Retired("Blueprint", ALL, "AdapterSpec"),
    Retired("Parts", CODE, "AdapterContext"),
    Retired("unprovable", CODE, "trust_assumptions"),
    Retired("Freshness", ALL, "TtlCache"),
    Retired("Agenda", ALL, "RefreshQueue"),
    Retired("Lane", ALL, "ThrottledSource"),
    Retired("Yardstick", ALL, "RankingContext"),
    Retired("StoredBuild|stored_build", ALL, "IssuedTransaction"),
    Retired("Question|pose|nobody_sends", ("src/rhumbline/routing/", "tests/routing/"), "QuoteContext, prepare"),
    Retired("Built", ("src/rhumbline/routing/", "tests/routing/"), "BuiltQuote"),
    Retired("Caller", ("src/", "tests/", "bench/"), "ApiClient"),
    Retired(r"(?:request|asked)\.(?:caller|recipient)", ("src/rhumbline/adapters/",), "taker, payout_address"),
    Retired(
        "leftovers", ("src/rhumbline/domain/", "src/rhumbline/routing/", "src/rhumbline/adapters/"), "sweep_tokens"
    ),
    Retired("takes: ", ("src/rhumbline/domain/", "src/rhumbline/gateways/"), "input_taken, optional_credentials"),
    Retired("Standing", ("src/",), "CachedAnswer, StatusLookup"),
    Retired("Plot|Posts|read_sealed|write_sealed", CODE, "Scenario, DutyRoster, atomic files"),
    Retired("RpcUnavailable", ALL, "NodeUnavailable"),
    Retired("BridgePoller|Follower|DirectCalls|Arrivals?", CODE, "StatusWorker, WalletCalls, Deliveries"),
    Retired("Desk|desk", ("src/rhumbline/api/", "tests/"), "PortalViews; a fixture named for what it gives"),
    Retired(
        r"Harbour|harbour(?=[.,:)])|[Pp]ier|[Tt]wins?|[Ss]hop(?=[.,:)])",
        ("tests/",),
        "a fixture named for what it gives",
    ),
    Retired("[Qq]uay|[Qq]uayside|QUAY|raised_[a-z]+|the_port", CODE, "a fixture named for what it gives"),
    Retired("Port", ("tests/portal/",), "ServedPortal"),
    Retired("lane|Stage", CODE, "ThrottledSource, RunningDevnet"),
    Retired("[Vv]oyages?|[Ss]ail(?:ing)?", ("web/",), "Transfers, Signing, SendTask"),
    Retired("[Hh]e|[Hh]im|[Hh]is|[Hh]imself", ALL, "neutral words for programs and readers"),
)
_PAGES = re.compile(r"/static/|/solidity/|\.(png|json|css|js|mjs|svg|sol)$|test_words\.py$|decisions/0009")


def _found(word: Retired, files: Iterable[File]) -> list[str]:
    pattern = re.compile(rf"(?<![\w-])(?:{word.pattern})(?![\w-])")
    return [
        f"{file.path}:{number}: {match.group()!r}, say {word.instead}"
        for file in files
        if file.path.startswith(word.folders) and not _PAGES.search(file.path)
        for number, line in file.lines()
        for match in [pattern.search(line)]
        if match
    ]


@pytest.mark.parametrize("word", RETIRED, ids=lambda word: word.pattern)
def test_a_word_that_was_given_up_is_nowhere(word: Retired, files: list[File]) -> None:
    places = _found(word, files)
    hold(
        f"the word {word.pattern!r} was given up",
        places,
        "use the field's word; docs/glossary.md has the most used ones",
    )


def test_a_word_is_found_where_it_is() -> None:
    word = Retired("Lane", ("src/",), "ThrottledSource")
    text = "a Lane of\nLanes\nlane"
    assert _found(word, [File("src/a.py", text), File("docs/a.md", text)]) == [
        "src/a.py:1: 'Lane', say ThrottledSource"
    ]
