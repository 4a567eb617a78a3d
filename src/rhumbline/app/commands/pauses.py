"""Pausing and resuming, as the commands of adapters, chains and quoting share it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from rhumbline.app.chains import known_to
from rhumbline.app.console import notices
from rhumbline.app.paused_places import chain_key, in_words, place_in_words, since_in_words
from rhumbline.app.settings import Settings, load_settings
from rhumbline.app.store import in_store
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.errors import InvalidRequest
from rhumbline.domain.operator import Operator
from rhumbline.domain.pauses import Pause, Pauses
from rhumbline.steering.changes import SteeringChanges, steering_now

Why = Annotated[str, typer.Option("--reason", help="Why, for the audit log: at most 200 characters, 100 if public.")]
Public = Annotated[bool, typer.Option("--public", help="Show the reason in answers and on the status page.")]


@dataclass(frozen=True, slots=True)
class Pausing:
    """Pauses and resumes adapters (None: all) on chains (by ID; None: all), and says so."""

    settings: Settings
    chains: ChainCatalog

    @classmethod
    def of(cls, config: Path | None) -> "Pausing":
        settings = load_settings(config)
        return cls(settings, known_to(settings))

    def chain_id(self, name: str) -> int:
        """Return the chain of this key or ID; raise InvalidRequest, which names what there is."""
        chain = self.chains.find(name)
        if chain is None:
            known = ", ".join(each.key for each in self.chains)
            raise InvalidRequest([f"chain: there is no {name!r}; there are {known}"])
        return chain.id

    def now(self) -> Pauses:
        """Return what is paused."""
        return in_store(self.settings, steering_now).pauses

    @property
    def served_ids(self) -> frozenset[int]:
        return frozenset(chain.id for chain in self.settings.chains if chain.rpc is not None and not chain.remove)

    def lines(self, pauses: Pauses, adapter: str | None, chain: int | None) -> str:
        """Say in one line what of an adapter (on a chain), or of a chain, is paused; empty for nothing."""
        found = [
            each
            for each in pauses.each
            if each.adapter == adapter and (chain is None or each.chain == chain or (adapter and each.chain is None))
        ]
        return "; ".join(f"{self._where(each)}{since_in_words(each)}" for each in found)

    def say_of_quoting(self, pauses: Pauses) -> None:
        """Say if quoting as a whole is paused, which no row of a list shows."""
        if (pause := pauses.of(None)) is not None:
            notices().print(in_words(pause, self.chains), style="yellow")

    def _where(self, pause: Pause) -> str:
        if pause.adapter is None:
            return ""
        return "everywhere " if pause.chain is None else f"on {chain_key(pause.chain, self.chains)} "

    def pause(self, adapter: str | None, chain: int | None, operator: Operator, *, public: bool) -> None:
        """Raise InvalidRequest for what is paused already."""
        place = place_in_words(adapter, chain, self.chains)
        is_new, pauses = in_store(
            self.settings, lambda engine: SteeringChanges(engine, operator).pause(adapter, chain, place, public=public)
        )
        if not is_new:
            lines = [
                in_words(each, self.chains) for each in pauses.each if (each.adapter, each.chain) == (adapter, chain)
            ]
            raise InvalidRequest([f"{line}; to change that, resume it and pause it again" for line in lines])
        notices().print(f"{place} is paused: all processes take it over within 2 s")

    def resume(self, adapter: str | None, chain: int | None, operator: Operator) -> None:
        """Raise InvalidRequest for what is not paused."""
        place = place_in_words(adapter, chain, self.chains)
        is_over, pauses = in_store(
            self.settings, lambda engine: SteeringChanges(engine, operator).resume(adapter, chain, place)
        )
        left = [
            place_in_words(each.adapter, each.chain, self.chains)
            for each in pauses.each
            if each.adapter in (adapter, None) and (chain is None or each.chain in (chain, None))
        ]
        rest = f"; still paused: {', '.join(left)}" if left else ""
        if not is_over:
            raise InvalidRequest([f"{place} is not paused{rest}"])
        notices().print(f"{place} is resumed: all processes take it over within 2 s{rest}")
