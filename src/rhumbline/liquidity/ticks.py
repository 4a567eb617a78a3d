"""Putting together the ticks of a pool, word by word of its bitmap."""

from dataclasses import dataclass, field, replace

from rhumbline.liquidity.kinds.pools import Pool
from rhumbline.liquidity.kinds.tick_math import outermost_words, word_of
from rhumbline.liquidity.kinds.v3 import V3Pool, V3State


def reach(spacing: int) -> int:
    """How many words on each side of the price's own are read at first: 10 % of the price or more."""
    return -(-1024 // (256 * spacing))


@dataclass(slots=True)
class TickDraft:
    """A state in the making: ``base`` but for the ticks of the bitmap words ``first`` to ``last``."""

    pool: Pool
    base: V3Pool
    first: int
    last: int
    words: dict[int, int] = field(default_factory=dict)
    nets: dict[int, int] = field(default_factory=dict)

    @classmethod
    def around(cls, pool: Pool, base: V3Pool) -> "TickDraft":
        """Begin with the words around the price."""
        centre, more = word_of(base.state.tick, pool.spacing), reach(pool.spacing)
        return cls(pool, base, *_within(pool, centre - more, centre + more))

    @classmethod
    def widened(cls, pool: Pool, live: V3Pool, zero_for_one: bool) -> "TickDraft":
        """Begin with a state, wanting four times as many words in one direction."""
        state = live.state
        centre, first, last = word_of(state.tick, pool.spacing), state.first_word, state.last_word
        words = dict.fromkeys(range(first, last + 1), 0)
        for tick in state.ticks:
            words[word_of(tick, pool.spacing)] |= 1 << (tick // pool.spacing & 255)
        if zero_for_one:
            first = centre - 4 * max(centre - first, 1)
        else:
            last = centre + 4 * max(last - centre, 1)
        span = _within(pool, first, last)
        return cls(pool, live, *span, words, dict(state.ticks))

    def adopt(self, before: V3State) -> bool:
        """Want the words of an earlier state too, if the price is still among them."""
        if not before.first_word <= word_of(self.base.state.tick, self.pool.spacing) <= before.last_word:
            return False
        self.first, self.last = min(self.first, before.first_word), max(self.last, before.last_word)
        return True

    def missing_words(self) -> list[int]:
        return [word for word in range(self.first, self.last + 1) if word not in self.words]

    def missing_ticks(self) -> list[int]:
        """Return the ticks that the words name and whose liquidity is not there."""
        return [tick for tick in self._named() if tick not in self.nets]

    def take_word(self, word: int, data: bytes) -> None:
        self.words[word] = int.from_bytes(data[:32])

    def take_tick(self, tick: int, net: int) -> None:
        self.nets[tick] = net

    def finished(self) -> V3Pool:
        """Return the pool with its ticks: those that the words name, and no others."""
        nets = {tick: self.nets[tick] for tick in self._named()}
        state = replace(self.base.state, ticks=nets, first_word=self.first, last_word=self.last)
        return type(self.base)(state)

    def _named(self) -> list[int]:
        return [
            ((word << 8) + bit) * self.pool.spacing
            for word, bits in self.words.items()
            for bit in range(bits.bit_length())
            if bits >> bit & 1
        ]


def _within(pool: Pool, first: int, last: int) -> tuple[int, int]:
    lowest, highest = outermost_words(pool.spacing)
    return max(first, lowest), min(last, highest)
