"""The data of charts, in whole numbers, so that a bar is never longer than its amount.

A chart is drawn for a whole page, for half of one and for a phone: what is only made smaller cannot be read any more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Words = Callable[[int], str]
_STEPS = 4
_SMALLEST = 2
_WIDEST = 96
"""What the texts of an axis get of a drawing at most."""


@dataclass(frozen=True, slots=True)
class Amount:
    """The amount of a bar: ``raw`` units, its text at the axis, and its full text."""

    raw: int
    name: str
    told: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A text at a position."""

    x: int
    y: int
    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar; ``y`` counts from the top, ``label`` describes it."""

    x: int
    y: int
    width: int
    height: int
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """``scale`` are the texts of the amount axis, at their lines; ``names`` the texts of the bars.

    ``left``, ``right``, ``top`` and ``bottom`` are the edges of the drawing within ``width`` and ``height``.
    """

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    scale: tuple[Mark, ...]
    names: tuple[Mark, ...]
    bars: tuple[Bar, ...]
    values: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Charts:
    """The same chart in three widths; ``label`` describes it."""

    label: str
    full: Chart
    mid: Chart
    slim: Chart


def column_charts(label: str, amounts: Sequence[Amount], words: Words, value: Words) -> Charts:
    """Draw amounts in their order from left to right; ``words`` writes the axis, ``value`` what the greatest has."""
    sizes = ((1080, 250, 10), (500, 210, 6), (320, 190, 3))
    return Charts(label, *(_columns(amounts, words, value, size) for size in sizes))


def row_charts(label: str, amounts: Sequence[Amount], words: Words, value: Words) -> Charts:
    """Draw amounts one below the other, each with its name over it, and beside that what ``value`` writes of it."""
    return Charts(label, *(_rows(amounts, words, value, width) for width in (1080, 500, 320)))


def step_of(largest: int) -> int:
    """Return the smallest step of 1, 2 or 5 times a power of ten, four of which reach the largest amount."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power * _STEPS >= largest:
                return digit * power
        power *= 10


def _lines(largest: int) -> list[int]:
    """Return the amounts at which the axis has a line, from none to the first that is not below the largest."""
    step = step_of(largest)
    return [step * number for number in range(max(1, -(-largest // step)) + 1)]


def _width(text: str) -> int:
    """Return about how wide a text is; what is written in Chinese and Japanese is twice as wide."""
    return sum(15 if ord(character) > 0x2E7F else 8 for character in text)


def _columns(amounts: Sequence[Amount], words: Words, value: Words, size: tuple[int, int, int]) -> Chart:
    width, height, most_names = size
    largest = max((amount.raw for amount in amounts), default=0)
    lines = _lines(largest)
    left = min(max(56, 12 + max(_width(words(line)) for line in lines)), _WIDEST)
    right, top, bottom = width - 10, 22, height - 28
    room, tall = right - left, bottom - top
    every = -(-len(amounts) // most_names)
    bars: list[Bar] = []
    names: list[Mark] = []
    values: list[Mark] = []
    for number, amount in enumerate(amounts):
        start, end = (left + room * place // len(amounts) for place in (number, number + 1))
        gap = (end - start) // 5 or (end - start) // 3
        middle = (start + end) // 2
        # The last one, which is today, has its name; the others count back from it.
        if (len(amounts) - 1 - number) % every == 0:
            half = min(max(16, _width(amount.name) // 2 - 8), _WIDEST // 2)
            names.append(Mark(min(max(middle, left + half), right - half), bottom + 18, amount.name))
        if amount.raw <= 0:
            continue
        # Rounded down, but never to nothing: whatever there was is seen.
        tallness = max(_SMALLEST, amount.raw * tall // lines[-1])
        bars.append(Bar(start + gap, bottom - tallness, max(1, end - start - 2 * gap), tallness, amount.told))
        if amount.raw == largest and not values:
            text = value(amount.raw)
            half = _width(text) // 2
            values.append(Mark(min(max(middle, left + half), width - half), bottom - tallness - 6, text))
    scale = tuple(Mark(left - 8, bottom - line * tall // lines[-1], words(line)) for line in lines)
    return Chart(width, height, left, right, top, bottom, scale, tuple(names), tuple(bars), tuple(values))


def _rows(amounts: Sequence[Amount], words: Words, value: Words, width: int) -> Chart:
    left, right, top, each = 1, width - 2, 6, 42
    bottom = top + each * len(amounts)
    lines = _lines(max((amount.raw for amount in amounts), default=0))
    room = right - left
    bars, names, values = [], [], []
    for number, amount in enumerate(amounts):
        y = top + each * number
        names.append(Mark(left, y + 14, amount.name))
        values.append(Mark(right, y + 14, value(amount.raw)))
        if amount.raw > 0:
            size = max(_SMALLEST, amount.raw * room // lines[-1])
            bars.append(Bar(left, y + 21, size, 11, amount.told))
    scale = tuple(Mark(left + line * room // lines[-1], bottom + 16, words(line)) for line in lines)
    return Chart(width, bottom + 24, left, right, top, bottom, scale, tuple(names), tuple(bars), tuple(values))
