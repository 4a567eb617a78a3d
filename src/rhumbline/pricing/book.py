"""The price book: reads answer from memory at once and mark what is due; one loop refreshes in the background.

Reads and the loop belong to one event loop. A read is bounded: it creates at most one entry, and entries of tokens
without a price are limited.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog

from rhumbline.domain.chain import Chain
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.price import PriceKey, PriceSnapshot, PriceTier
from rhumbline.gateways.chain_types.addresses import canonical_token
from rhumbline.pricing.answer_cache import CachedAnswer, Sight
from rhumbline.pricing.entry import Entry, Windows
from rhumbline.pricing.keeper import Keeper
from rhumbline.pricing.plausibility import AcceptedPrice, Doubted, Rules
from rhumbline.pricing.refresh_queue import RefreshQueue
from rhumbline.pricing.refresh_round import Outcome, refresh
from rhumbline.pricing.shared_round import SharedRound
from rhumbline.pricing.store import PriceStore, StoredPrice
from rhumbline.pricing.throttled_source import ThrottledSource

_TIDY_EVERY = timedelta(minutes=1)
_FORGET_EVERY = timedelta(hours=1)
_LONGEST_NAP_S = 1.0
_RESTING_NAP_S = 0.25
_GATHER_S = 0.02
"""Requests within this time are sent together."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most tokens in all, of those without a price, and of one refresh round."""

    entries: int = 50_000
    unknown: int = 1_000
    round: int = 200


class PriceBook:
    """Prices of whole tokens in USD. The native asset of a chain is priced as its wrapped form.

    ``pinned`` tokens are always hot. Times are by ``clock``; sources are asked in the order of ``throttled_sources``.
    With ``shared``, which needs a ``store``, several processes ask together.
    """

    def __init__(
        self,
        chains: Iterable[Chain],
        throttled_sources: Sequence[ThrottledSource],
        clock: Clock,
        *,
        pinned: Iterable[PriceKey] = (),
        store: PriceStore | None = None,
        shared: SharedRound | None = None,
        rules: Rules | None = None,
        windows: Windows | None = None,
        bounds: Bounds | None = None,
    ) -> None:
        """Begin without prices; pinned tokens are due at once."""
        self._chains = {
            chain.id: chain
            for chain in chains
            if any(throttled.source.covers(chain.id) for throttled in throttled_sources)
        }
        self._sources, self._clock, self._store, self._shared = tuple(throttled_sources), clock, store, shared
        self._rules, self._windows, self._bounds = rules or Rules(), windows or Windows(), bounds or Bounds()
        self._entries: dict[PriceKey, Entry] = {}
        self._natives: dict[PriceKey, PriceKey] = {}
        # Tokens without a price: those that wait for their first answer, and those that no source knows.
        self._waiting: dict[PriceKey, None] = {}
        self._barren: dict[PriceKey, None] = {}
        self._refreshes = RefreshQueue()
        self._woken = asyncio.Event()
        self._keeper = Keeper(store, shared)
        self._tidy_at = self._forget_at = now = clock()
        for chain in self._chains.values():
            self._natives[chain.id, chain.native.address] = chain.id, chain.wrapped_native or chain.native.address
        for chain_id, token in pinned:
            key = self._key(chain_id, token)
            if key is not None and key not in self._entries:
                self._add(Entry(key, self._windows, now, pinned=True), now)

    def read(self, chain_id: int, token: str) -> PriceSnapshot:
        """Return a token's present snapshot, and keep it hot from now on; no I/O, no waiting.

        Tier and freshness are those before this read. An unknown token is queued for a refresh, if there is room; an
        address that is no token of a served chain has no price and is not refreshed.
        """
        return self._read(chain_id, token).snapshot

    def read_all(self, tokens: Iterable[PriceKey]) -> CachedAnswer:
        """Read several tokens at one moment, each as ``read`` does, to be shown again while nothing differs."""
        now = self._clock()
        return CachedAnswer([self._read(*token, now) for token in tokens], self._clock, self._woken)

    def peek(self, chain_id: int, token: str) -> PriceSnapshot:
        """Return a token's snapshot, by its canonical address, without any effect: for lists of all tokens."""
        key = chain_id, token
        entry = self._entries.get(self._natives.get(key, key))
        return blank(chain_id, token) if entry is None else entry.snapshot(token, self._clock())

    def follow(self, tokens: Iterable[PriceKey]) -> None:
        """Refresh these tokens, by canonical addresses, even without requests; replaces the previous set."""
        now = self._clock()
        keys = {self._natives.get(token, token) for token in tokens if token[0] in self._chains}
        for entry in self._entries.values():
            entry.followed = entry.key in keys
        for key in keys - self._entries.keys():
            if len(self._entries) >= self._bounds.entries:
                break
            entry = Entry(key, self._windows, now)
            entry.followed = True
            self._add(entry, now)
        self._woken.set()

    async def load(self) -> None:
        """Take over the last good prices from the store; without the store, begin without."""
        if self._store is None:
            return
        now = self._clock()
        try:
            kept = await self._store.load(now - self._windows.kept, self._bounds.entries)
        except StoreUnavailable as error:
            structlog.get_logger().warning("prices_not_loaded", reason=error.message)
            return
        for price in kept:
            if price.key[0] not in self._chains or price.found_at > now:
                continue
            entry = self._entries.get(price.key)
            if entry is None:
                if len(self._entries) >= self._bounds.entries:
                    continue
                entry = Entry(price.key, self._windows, now)
                self._entries[price.key] = entry
            entry.restore(price.usd, price.source, price.updated_at, price.doubted_at)
            self._refreshes.put(entry, entry.due_at(now))

    async def run(self) -> None:
        """Refresh due entries until cancelled; a failed round is logged, and the next one comes a second later."""
        while True:
            self._woken.clear()
            try:
                if await self.refresh_due():
                    continue
            except Exception:
                structlog.get_logger().exception("price_round_broke")
                await asyncio.sleep(_LONGEST_NAP_S)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._nap_s()):
                    await self._woken.wait()
            await asyncio.sleep(_GATHER_S)

    async def refresh_due(self) -> int:
        """Refresh due entries, hot before cold, at most one round and no entry twice at once; return their number."""
        now = self._clock()
        await self._tidy(now)
        open_chains = {
            chain
            for chain in self._chains
            if any(throttled.source.covers(chain) and not throttled.resting for throttled in self._sources)
        }
        taken = self._refreshes.take(now, self._bounds.round, lambda each: each.key[0] in open_chains)
        entries, outcomes = taken, dict[PriceKey, Outcome]()
        try:
            entries = await self._claimed(taken, now)
            outcomes |= await refresh(
                self._sources, {entry.key: entry.last for entry in entries}, self._clock, self._rules
            )
        finally:
            self._conclude(entries, outcomes)
        if entries:
            await self._keeper.keep(entries, outcomes, self._clock())
        return len(entries)

    async def _claimed(self, taken: list[Entry], now: datetime) -> list[Entry]:
        if self._shared is None or not taken:
            return taken
        entries = await self._shared.claim(taken, now)
        for entry in taken:
            if not entry.running:
                self._put(entry, self._clock())
        return entries

    def _conclude(self, entries: Sequence[Entry], outcomes: Mapping[PriceKey, Outcome]) -> None:
        now = self._clock()
        for entry in entries:
            entry.stop()
            if entry.removed:
                continue
            outcome = outcomes.get(entry.key)
            if isinstance(outcome, AcceptedPrice):
                entry.accept(outcome.usd, outcome.source, now, outcome.agreeing)
                self._keeper.note(StoredPrice(entry.key, outcome.usd, outcome.source, now, agreeing=outcome.agreeing))
            elif isinstance(outcome, Doubted):
                if not entry.doubted:
                    structlog.get_logger().info("price_doubted", token=entry.key, reason=outcome.reason)
                entry.doubt(now)
                if entry.last is not None and entry.source is not None:
                    self._keeper.note(StoredPrice(entry.key, entry.last.usd, entry.source, entry.last.at, now))
            elif outcome is not None and outcome.definite:
                entry.unknown(now)
            else:
                entry.unanswered(now)
            self._put(entry, now)

    def _put(self, entry: Entry, now: datetime) -> None:
        if entry.removed:
            return
        if entry.last is not None and not entry.doubted:
            self._waiting.pop(entry.key, None)
            self._barren.pop(entry.key, None)
        elif entry.checked_at is not None and entry.key in self._waiting:
            del self._waiting[entry.key]
            self._barren[entry.key] = None
        self._refreshes.put(entry, entry.due_at(now))

    async def _tidy(self, now: datetime) -> None:
        if now < self._tidy_at:
            return
        self._tidy_at = now + _TIDY_EVERY
        for entry in [entry for entry in self._entries.values() if self._is_forgotten(entry, now)]:
            self._remove(entry)
        if now >= self._forget_at:
            self._forget_at = now + _FORGET_EVERY
            await self._keeper.forget(now - self._windows.kept)

    def _is_forgotten(self, entry: Entry, now: datetime) -> bool:
        if entry.pinned or entry.followed or entry.running or entry.tier(now) is PriceTier.HOT:
            return False
        return entry.last is None or now > (entry.asked_at or entry.last.at) + self._windows.kept

    def _remove(self, entry: Entry) -> None:
        entry.removed = True
        entry.changed()
        self._entries.pop(entry.key, None)
        self._waiting.pop(entry.key, None)
        self._barren.pop(entry.key, None)

    def _read(self, chain_id: int, token: str, now: datetime | None = None) -> Sight:
        entry = self._entries.get((chain_id, token)) or self._found(chain_id, token)
        now = self._clock() if now is None else now
        if entry is None:
            entry = self._admitted(chain_id, token, now)
            if entry is None:
                return Sight(blank(chain_id, token), None, 0)
        snapshot, mark = entry.snapshot(token, now), entry.mark
        if entry.note_request(now):
            due = entry.due_at(now)
            self._refreshes.put(entry, due)
            if due <= now and not snapshot.refreshing:
                snapshot = replace(snapshot, refreshing=True)
        if snapshot.refreshing and not self._woken.is_set():
            self._woken.set()
        return Sight(snapshot, entry, mark)

    def _found(self, chain_id: int, token: str) -> Entry | None:
        key = self._natives.get((chain_id, token)) or self._key(chain_id, token)
        return None if key is None else self._entries.get(key)

    def _admitted(self, chain_id: int, token: str, now: datetime) -> Entry | None:
        key = self._key(chain_id, token)
        if key is None or len(self._entries) >= self._bounds.entries:
            return None
        if len(self._waiting) + len(self._barren) >= self._bounds.unknown:
            if not self._barren:
                return None
            self._remove(self._entries[next(iter(self._barren))])
        entry = Entry(key, self._windows, now)
        self._waiting[key] = None
        self._add(entry, now)
        return entry

    def _add(self, entry: Entry, now: datetime) -> None:
        self._entries[entry.key] = entry
        self._refreshes.put(entry, now)

    def _key(self, chain_id: int, token: str) -> PriceKey | None:
        chain = self._chains.get(chain_id)
        address = None if chain is None else canonical_token(chain.type, token)
        return None if address is None else self._natives.get((chain_id, address), (chain_id, address))

    def _nap_s(self) -> float:
        wait = self._refreshes.wait_s(self._clock())
        return min(wait, _LONGEST_NAP_S) if wait else _RESTING_NAP_S


def blank(chain_id: int, token: str) -> PriceSnapshot:
    """Return the snapshot of an unknown token."""
    return PriceSnapshot(chain_id, token, None, None, None, stale=True, tier=PriceTier.COLD, refreshing=False)
