"""The least input for a wanted output, found by a few questions: each next one by the secant of the answers before.

Whatever the answers are, nothing is returned that was not answered with at least the wanted output, and no more than
``MOST_QUESTIONS`` are asked (docs/decisions/0096).
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rhumbline.domain.amount import mul_div_up
from rhumbline.domain.quote import Refusal

T = TypeVar("T")
MOST_QUESTIONS = 3
"""How many inputs are asked for at the most, of one adapter or of one plan of steps."""
_CLOSE = 3_000
"""An answer above the wanted output by not more than this part of it ends the search: three basis points."""
_ROOM = 100_000
"""The part of an input by which it is asked for larger than the secant says."""
_BEYOND = 50
"""Beyond the known inputs curves bend: the part of the step by which the step is made larger."""
_UNITS = 2
"""So many units of the output are asked for more, because upstreams round."""


@dataclass(frozen=True, slots=True)
class Answered(Generic[T]):
    """The guaranteed output for an input, in raw units, and what says so."""

    amount: int
    output: int
    found: T


@dataclass(frozen=True, slots=True)
class Unsettled:
    """No asked input gives the wanted output. ``needed`` is one that is larger than any that may be asked for."""

    needed: int | None = None


async def find_input(
    wanted: int, first: int, largest: int, ask: Callable[[int], Awaitable[Answered[T] | Refusal]]
) -> Answered[T] | Refusal | Unsettled:
    """Ask for inputs from ``first`` on, none above ``largest``; return the answer for the least that gives ``wanted``.

    All are raw units above 0. The first refusal ends the search; it is returned where no answer before it suffices.
    """
    answers: list[Answered[T]] = []
    amount, refusal = first, None
    for left in range(MOST_QUESTIONS, 0, -1):
        if amount > largest:
            return _best(answers, wanted) or Unsettled(amount)
        answer = await ask(amount)
        if isinstance(answer, Refusal):
            refusal = answer
            break
        answers.append(answer)
        best = _best(answers, wanted)
        if left == 1 or (best is not None and (best.output - wanted) * _CLOSE <= wanted):
            break
        further = next_input(wanted, [(each.amount, each.output) for each in answers])
        if further is None:
            break
        amount = further
    return _best(answers, wanted) or refusal or Unsettled()


def next_input(wanted: int, known: Sequence[tuple[int, int]]) -> int | None:
    """Return the next input to ask for, None where none is better than a known one; ``known`` are input and output.

    Between an input that is too small and one that suffices it lies on their secant, otherwise beyond the secant of
    the two nearest, or on the line through zero. It is rounded up, with some room.
    """
    enough = min((each for each in known if each[1] >= wanted), default=None)
    short = max((each for each in known if each[1] < wanted and (enough is None or each[0] < enough[0])), default=None)
    units = mul_div_up(_UNITS, max(amount for amount, _ in known), wanted)
    if enough is not None and short is not None:
        found = _secant(wanted, short, enough)
        found += found // _ROOM + units
    else:
        nearest = enough or short or known[0]
        others = [each for each in known if each[0] != nearest[0]]
        found = _secant(wanted, *sorted((nearest, others[-1]))) if others else 0
        if not found:
            found = mul_div_up(nearest[0], wanted, max(nearest[1], 1))
        found += found // _ROOM + abs(found - nearest[0]) // _BEYOND + units
    if enough is not None and found >= enough[0]:
        return None
    return found if found > 0 and all(found != amount for amount, _ in known) else None


def _secant(wanted: int, lower: tuple[int, int], higher: tuple[int, int]) -> int:
    """Return where the line through two points reaches ``wanted``, rounded up; 0 where it does not rise so far."""
    step, rise = higher[0] - lower[0], higher[1] - lower[1]
    if step <= 0 or rise <= 0:
        return 0
    return max(lower[0] - (-(wanted - lower[1]) * step // rise), 0)


def _best(answers: Sequence[Answered[T]], wanted: int) -> Answered[T] | None:
    return min((each for each in answers if each.output >= wanted), key=lambda each: each.amount, default=None)
