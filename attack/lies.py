"""The kinds of lies, and telling one: the same lie is the same alteration of the same answers, by its seed."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from eth_abi.exceptions import EncodingError

from attack import calls, extremes, numbers, shapes
from attack.facts import Facts
from attack.proxy import UpstreamAnswer
from attack.tree import Answer, read, text_of

Alteration = Callable[[random.Random, Answer, Facts], bool]


@dataclass(frozen=True)
class Lie:
    """``ask`` counts the questions of the adapter's; with ``rival`` an honest adapter answers too."""

    adapter: str
    ask: int
    kind: str
    seed: int
    rival: bool = False

    def __str__(self) -> str:
        """Return its name, by which it can be repeated."""
        return f"{self.adapter}/{self.ask}/{self.kind}/{self.seed}{'/rival' if self.rival else ''}"


def _together(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """A theft, and a promise that outdoes others; what would give it away is loosened."""
    raised = rng.random() < 0.6 and numbers.raise_promise(rng, answer, facts)
    stolen = rng.choice(_THEFTS)(rng, answer, facts)
    loosened = rng.random() < 0.5 and numbers.loosen_minimum(rng, answer, facts)
    return stolen or raised or loosened


_THEFTS: tuple[Alteration, ...] = (
    calls.add_call, calls.split, calls.split, shapes.replace_friend, shapes.hire_turncoat,
    numbers.change_amount, numbers.raise_fee, extremes.raise_to_largest,
)  # fmt: skip
ALTERATIONS: Mapping[str, Alteration] = MappingProxyType(
    {
        "promise": numbers.raise_promise,
        "minimum": numbers.loosen_minimum,
        "amount": numbers.change_amount,
        "fee": numbers.raise_fee,
        "gas": numbers.change_gas,
        "largest": extremes.raise_to_largest,
        "time": numbers.move_time,
        "flag": numbers.flip_flag,
        "identity": numbers.change_identity,
        "address": shapes.replace_friend,
        "token": shapes.exchange_token,
        "array": shapes.change_array,
        "tail": shapes.append_bytes,
        "selector": shapes.exchange_selector,
        "call": calls.add_call,
        "split": calls.split,
        "contract": shapes.hire_turncoat,
        "together": _together,
    }
)
KINDS = (*ALTERATIONS, "splice")
REFUND = "refund"
"""A stranger in place of who is named for refunds, or genuine parts of the answer that refunds one; not told else."""


def altered_answer(lie: Lie, original: UpstreamAnswer, facts: Facts) -> Any | None:
    """Return the altered answer, None where this lie has nothing to alter in it."""
    rng = random.Random(f"{lie.kind} {lie.seed}")
    answer = read(original.document, facts.compiled.known)
    try:
        if lie.kind == "splice":
            done = calls.splice(rng, answer, facts, original)
        elif lie.kind == REFUND:
            replaced = rng.random() < 0.5 and shapes.replace_refunded(rng, answer, facts)
            done = replaced or calls.splice(rng, answer, facts, original, REFUND)
        else:
            done = ALTERATIONS[lie.kind](rng, answer, facts)
        # With a rival, the lie should outdo it.
        if done and lie.rival and lie.kind != "promise" and rng.random() < 0.5:
            numbers.raise_promise(rng, answer, facts)
        document = answer.document() if done else None
    except (EncodingError, OverflowError, ValueError):
        return None
    return None if document is None or text_of(document) == text_of(original.document) else document
