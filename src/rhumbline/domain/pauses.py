"""What the operator has paused while the service runs: quoting as a whole, chains, adapters, adapters on one chain."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property

from rhumbline.domain.chain import Chain
from rhumbline.domain.errors import NoAvailableQuotes, QuotingPaused


class PauseKind(StrEnum):
    """What a pause is about."""

    QUOTING = "quoting"
    CHAIN = "chain"
    ADAPTER = "adapter"
    ADAPTER_ON_CHAIN = "adapter_on_chain"


@dataclass(frozen=True, slots=True)
class Pause:
    """One pause: ``adapter`` is a key, None for every adapter; ``chain`` is an ID, None for every chain.

    With neither, quoting as a whole is paused. ``reason`` is for operators alone, unless it is ``public``.
    """

    adapter: str | None
    chain: int | None
    since: datetime
    by: str
    reason: str
    public: bool = False

    @property
    def kind(self) -> PauseKind:
        if self.adapter is None:
            return PauseKind.QUOTING if self.chain is None else PauseKind.CHAIN
        return PauseKind.ADAPTER if self.chain is None else PauseKind.ADAPTER_ON_CHAIN

    @property
    def shown_reason(self) -> str | None:
        """The reason as anybody may know it."""
        return self.reason if self.public else None


@dataclass(frozen=True)
class Pauses:
    """All pauses that hold at one time; ``each`` is empty nearly always."""

    each: tuple[Pause, ...] = ()

    @cached_property
    def _by_place(self) -> Mapping[tuple[str | None, int | None], Pause]:
        return {(pause.adapter, pause.chain): pause for pause in self.each}

    def of(self, adapter: str | None, *chains: int) -> Pause | None:
        """Return the pause of an adapter (None: of all) everywhere, or on one of the chains; None if there is none."""
        by_place = self._by_place
        for chain in (None, *chains):
            if (pause := by_place.get((adapter, chain))) is not None:
                return pause
        return None

    def permit(self, origin: Chain, destination: Chain) -> None:
        """Raise QuotingPaused, or NoAvailableQuotes for a paused chain: no quote may be made between these chains."""
        pause = self.of(None, origin.id, destination.id)
        if pause is None:
            return
        if pause.chain is None:
            raise QuotingPaused(f"The operator has paused quoting{_why(pause)}. Sent transfers are tracked as usual")
        way, chain = ("from", origin) if pause.chain == origin.id else ("to", destination)
        raise NoAvailableQuotes(f"There are no quotes {way} {chain.name}: the operator has paused it{_why(pause)}")


NOTHING_PAUSED = Pauses()


def adapter_reason(pause: Pause, chains: Mapping[int, str]) -> str:
    """Say why a paused adapter is not asked, as every caller may read it; ``chains`` are names by ID."""
    place = "" if pause.chain is None else f" on {chains.get(pause.chain, pause.chain)}"
    return f"is paused by the operator{place}{_why(pause)}"


def _why(pause: Pause) -> str:
    return f": {pause.shown_reason}" if pause.public else ""
