"""What is altered in an explained answer is found, also by whoever cannot compare it with a chain."""

import ast
import json
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.liquidity import explanation_check
from rhumbline.liquidity.explanation_check import check, digest_of
from tests.liquidity.test_explanation import explained

DOCUMENT = explained(0, 1e5, 0.02)
TEXT = json.dumps(DOCUMENT)
DIGITS = [place.start() for place in re.finditer(r"[0-9]", TEXT)]
TOLD = ("chainId", "block.number", "block.timestamp", "floors.")
"""What only the digest holds, and but for the floors a comparison with a node."""


def test_it_imports_the_kinds_alone_and_is_short() -> None:
    source = Path(explanation_check.__file__).read_text("utf-8")
    assert len(source.splitlines()) <= 150
    names = {node.module for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom) and node.module}
    own = {name for name in names if name.startswith("rhumbline")}
    assert own
    assert all(name.startswith("rhumbline.liquidity.kinds.") for name in own)


@given(st.sampled_from(DIGITS), st.integers(1, 9))
def test_one_altered_digit_anywhere_is_found(place: int, step: int) -> None:
    digit = str((int(TEXT[place]) + step) % 10)
    altered = TEXT[:place] + digit + TEXT[place + 1 :]
    assert check(json.loads(altered))


def test_a_spacing_of_zero_is_no_explanation() -> None:
    altered = json.loads(re.sub(r'"spacing": "?[0-9]+"?', lambda found: re.sub("[1-9]", "0", found[0]), TEXT))
    assert altered != DOCUMENT
    altered["digest"] = digest_of(altered)
    (fault,) = check(altered)
    assert fault.startswith("the document has not the form of an explanation: ZeroDivisionError")


def numbers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of every number of a document."""
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from numbers(each, (*path, key))
    elif isinstance(value, str) and re.fullmatch(r"-?[0-9.]+(e[+-]?[0-9]+)?", value):
        yield path


PLACES = [path for path in numbers(DOCUMENT) if path != ("digest",)]


@pytest.mark.parametrize("path", [path for path in PLACES if path[0] not in ("pools", "dual")], ids=str)
def test_a_number_altered_by_whoever_can_count_the_digest_is_found(path: tuple[Any, ...]) -> None:
    """Of the answer itself; of the states see below."""
    name = ".".join(map(str, path))
    altered = with_change(path, 1 + 1e-6)
    assert bool(check(altered)) != any(each in name for each in TOLD), check(altered)


def with_change(path: tuple[Any, ...], factor: float) -> dict[str, Any]:
    altered = deepcopy(DOCUMENT)
    place = altered
    for each in path[:-1]:
        place = place[each]
    number = place[path[-1]]
    whole = re.fullmatch(r"-?[0-9]+", number)
    place[path[-1]] = str(int(int(number) * factor) + 1) if whole else repr(float(number) * factor + 1e-300)
    altered["digest"] = digest_of(altered)
    return altered


def test_states_that_the_plan_trades_with_cannot_be_altered_unseen() -> None:
    used = {hop["pool"] for hop in DOCUMENT["plan"]}
    for number, pool in enumerate(DOCUMENT["pools"]):
        name = "reserve0" if pool["state"]["form"] == "V2State" else "sqrt_price"
        assert check(with_change(("pools", number, "state", name), 1.5)), "another price is another bound"
        if pool["address"] in used:
            faults = check(with_change(("pools", number, "state", name), 1.00001))
            assert any(each.startswith("plan[") for each in faults)


@pytest.mark.parametrize("token", DOCUMENT["dual"])
@pytest.mark.parametrize("step", [0.05, -0.05])
def test_at_any_other_prices_the_bound_is_wider_and_that_is_found(token: str, step: float) -> None:
    """It holds at any: those that were found are the ones at which it says most."""
    altered = deepcopy(DOCUMENT)
    altered["dual"][token] = repr(float(altered["dual"][token]) + step)
    altered["digest"] = digest_of(altered)
    faults = [each for each in check(altered) if each.startswith(("bound.gross", "dual"))]
    assert faults
    widened = [float(each.rpartition(" ")[2]) for each in faults if each.startswith("bound.gross")]
    assert token == DOCUMENT["output"]["token"] or widened[0] > float(DOCUMENT["bound"]["gross"])


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"engine": "2"}, "engine: "),
        ({"pools": []}, "has not the form"),
        ({"plan": [{}]}, "has not the form"),
        ({"dual": {}}, "has not the form"),
        ({"input": None}, "has not the form"),
        ({"plan": []}, "output: at the end"),
        ({"plan": [*DOCUMENT["plan"], DOCUMENT["plan"][0]]}, "a contract is used twice"),
        ({"pools": [*DOCUMENT["pools"], DOCUMENT["pools"][0]]}, "one is there twice"),
    ],
)
def test_what_is_no_explanation_is_said_to_be_none(change: dict[str, Any], fault: str) -> None:
    altered = DOCUMENT | change
    faults = check(altered | {"digest": digest_of(altered)})
    assert any(fault in each for each in faults), faults
    assert not any(each.startswith("digest") for each in faults)
