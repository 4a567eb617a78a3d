"""The judge of reorganisations misses no record that is lost, doubled, abandoned or not as the fresh index has it."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from chaos.result import RowResult
from chaos.rows.forks import DEEPEST, Forks, judged

Rows = list[dict[str, Any]]


def row(tx_hash: str, **changes: Any) -> dict[str, Any]:
    return {"source_tx_hash": tx_hash, "input": 5, "claimed_by": None, **changes}


def forks(world: Any = None) -> Forks:
    made = Forks(world, Random(1))
    made.tally.times.update(dict.fromkeys(made.tally.times, 1))
    made.branch, made.on_solana, made.gone = [(1, "a"), (2, "b")], ["s"], {"x"}
    made.depths = set(range(1, DEEPEST + 1))
    return made


def verdict(change: Callable[[Forks, Rows, Rows], object]) -> RowResult:
    made, found, fresh = forks(), [row("a"), row("b"), row("s")], [row("a"), row("b"), row("s")]
    change(made, found, fresh)
    return judged(made, found, fresh)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda made, found, fresh: None, None),
        (lambda made, found, fresh: found[0].update(claimed_by="somebody"), None),
        (lambda made, found, fresh: found.pop(), "lost: s has no record"),
        (lambda made, found, fresh: fresh.pop(0), "lost: a is lost to the fresh index"),
        (lambda made, found, fresh: found.append(row("b")), "doubled: b has 2 records"),
        (lambda made, found, fresh: found.append(row("x")), "wrong: x is a record of an abandoned branch"),
        (lambda made, found, fresh: found[0].update(input=6), "wrong: a: input is 6, and 5 to the fresh index"),
        (lambda made, found, fresh: made.depths.remove(7), "wrong: there was no reorganisation of 7 blocks"),
        (lambda made, found, fresh: made.tally.times.update({"forks on Solana": -1}), "not done: forks on Solana"),
    ],
)
def test_what_is_amiss_is_told(change: Callable[[Forks, Rows, Rows], object], fault: str | None) -> None:
    result = verdict(change)
    assert list(result.faults()) == ([] if fault is None else [fault])
