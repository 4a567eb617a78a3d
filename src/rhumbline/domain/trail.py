"""The trail of a request: what is kept of it for a while, so that its answer can be explained.

Plain values that are written as JSON: amounts in raw units and USD values are decimal texts. A trail has no wallet, no
key and no URL.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from time import perf_counter

LONGEST_REASON = 300
_MORE = "…"


class Phase(StrEnum):
    """Where an adapter was left out."""

    SELECTION = "selection"
    """It was not asked."""
    QUOTE = "quote"
    """It was asked and has no quote."""
    LIMITS = "limits"
    """Its quote is outside the limits of value; nothing was built."""
    TRIAL = "trial"
    """Its transaction was built, or run, and has a fault."""


@dataclass(frozen=True, slots=True)
class TokenNote:
    """A token of a request."""

    chain_id: int
    address: str
    symbol: str
    decimals: int


@dataclass(frozen=True, slots=True)
class CallNote:
    """One call of an adapter; ``outcome`` is ``answered``, ``late`` or a refusal's kind."""

    adapter: str
    call: str
    outcome: str
    ms: int


@dataclass(frozen=True, slots=True)
class Leaving:
    """Why an adapter is not the answer; ``kind`` is a refusal's."""

    adapter: str
    phase: Phase
    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class Compared:
    """What an answer was compared by: how much of its output counts, and the fields of its `Merits`.

    ``gained`` and ``cost`` are whole numbers in the unit of their part, ``failed`` and ``handicap`` are fractions.
    """

    counted: str
    gained: str
    cost: str
    seconds: int
    failed: str
    handicap: str = "0"


@dataclass(frozen=True, slots=True)
class OfferNote:
    """A quote as it was offered, before anything was built. ``fee_left_out``: it is without a fee that others take."""

    adapter: str
    output: str
    minimum: str
    compared: Compared
    fee_left_out: bool = False


@dataclass(frozen=True, slots=True)
class TryNote:
    """A quote that was built. ``compared`` is None if it was dropped.

    ``simulated`` is how its simulation ended, None without one; ``measured`` the output that it showed.
    """

    adapter: str
    simulated: str | None = None
    measured: str | None = None
    gas: str | None = None
    compared: Compared | None = None


@dataclass(frozen=True, slots=True)
class TrailPart:
    """What was asked of adapters for one pair of tokens, and what came of it.

    ``unit_usd`` is what a unit of what offers are compared by is worth, None if they were compared by output alone.
    ``chosen`` is the adapter of the answer, None without one, and for the first part of a plan, where several are
    answered.
    """

    origin: TokenNote
    destination: TokenNote
    amount: str
    order: str
    calls: tuple[CallNote, ...] = ()
    offers: tuple[OfferNote, ...] = ()
    tries: tuple[TryNote, ...] = ()
    left: tuple[Leaving, ...] = ()
    chosen: str | None = None
    unit_usd: str | None = None


@dataclass(frozen=True, slots=True)
class AskedNote:
    """What was asked for. ``slippage`` and ``fee`` are shares, None where the request had none.

    ``amount`` is the output with a ``trade_type`` of ``EXACT_OUTPUT``, which is None for a given input.
    """

    origin_chain_id: int
    destination_chain_id: int
    origin_token: str
    destination_token: str
    amount: str
    order: str
    slippage: str | None = None
    auto_slippage: bool = False
    fee: str | None = None
    include_exchanges: tuple[str, ...] | None = None
    include_bridges: tuple[str, ...] | None = None
    exclude_exchanges: tuple[str, ...] = ()
    exclude_bridges: tuple[str, ...] = ()
    trade_type: str | None = None


@dataclass(frozen=True, slots=True)
class AnswerNote:
    """An answered route: the adapters of its steps; ``transaction_id`` is None for a plan."""

    adapters: tuple[str, ...]
    output: str
    minimum: str
    transaction_id: str | None = None


@dataclass(frozen=True, slots=True)
class TrailBody:
    """What is written of a trail beside the columns by which it is found."""

    asked: AskedNote | None = None
    parts: tuple[TrailPart, ...] = ()
    answers: tuple[AnswerNote, ...] = ()
    message: str = ""


@dataclass(slots=True, eq=False)
class Trail:
    """A trail while its request is answered. ``integrator`` and ``key_id`` are None for a request without a key.

    ``status`` is that of the answer, 0 where the client had left before. ``wallets`` are removed from every text.
    ``later`` are calls that make notes on it, once the request is answered; in their order.
    """

    request_id: str
    endpoint: str
    at: datetime
    integrator: str | None = None
    key_id: int | None = None
    asked: AskedNote | None = None
    parts: list[TrailPart] = field(default_factory=list)
    answers: list[AnswerNote] = field(default_factory=list)
    status: int = 0
    code: str = ""
    message: str = ""
    ms: int = 0
    wallets: frozenset[str] = field(default=frozenset(), repr=False)
    later: list[Callable[[], None]] = field(default_factory=list, repr=False)
    _began: float = field(default_factory=perf_counter, repr=False)

    def end(self, status: int, code: str = "", message: str = "") -> None:
        """Note how the request was answered, and how long it took."""
        self.status, self.code, self.message = status, code, self.without_wallets(message)
        self.ms = round((perf_counter() - self._began) * 1000)

    def make_notes(self) -> None:
        """Make the notes that were put off until the request is answered, and let go of what they are made of."""
        waiting, self.later = self.later, []
        for note in waiting:
            note()

    def without_wallets(self, text: str) -> str:
        """Return a text, cut, in which the request's wallets are not named."""
        lowered = text.lower()
        for wallet in self.wallets:
            # An EVM address also stands without its prefix, in data for example.
            bare = wallet.removeprefix("0x")
            if bare.lower() in lowered:
                text = re.sub(f"(0x)?{re.escape(bare)}", "(a wallet)", text, flags=re.IGNORECASE)
        return text if len(text) <= LONGEST_REASON else text[: LONGEST_REASON - 1] + _MORE

    @property
    def transaction_id(self) -> str | None:
        """The ID of the answered transaction; None without one, and for plans."""
        return next((each.transaction_id for each in self.answers), None)

    def body(self) -> TrailBody:
        return TrailBody(self.asked, tuple(self.parts), tuple(self.answers), self.message)


@dataclass(frozen=True, slots=True)
class KeptTrail:
    """A trail as it is in the store; the fields are those of `Trail`."""

    request_id: str
    endpoint: str
    at: datetime
    integrator: str | None
    key_id: int | None
    status: int
    code: str
    ms: int
    transaction_id: str | None
    body: TrailBody
