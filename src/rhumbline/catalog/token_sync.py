"""Keeps the listed tokens up to date: fetches the configured lists, stores their last good copies, merges by trust.

A list's host can never make the catalogue worse: after an answer that is late, too large, no token list or an older
version the stored copy stays in use, and lists rank below the operator's and the package's tokens. Lists do not affect
each other: an unforeseen error is that list's fault, and syncing continues.
"""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from urllib.parse import urlsplit

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.index import TokenIndex
from rhumbline.catalog.store import StoredList, checked_list, keep_list, stored_body, stored_lists
from rhumbline.catalog.token_list import ListRefused, read_token_list
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.token import Token
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.list_download import Bounds, DocumentUnavailable, fetch_document

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Outcome(StrEnum):
    """The result for one list: a new copy, the same one, the stored one because of a fault, or none."""

    UPDATED = "updated"
    UNCHANGED = "unchanged"
    KEPT = "kept"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class ListReport:
    """One list's part of a sync. ``list`` is its URL without query; ``fault`` is its fault, if any."""

    list: str
    outcome: Outcome
    version: str | None
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class SyncReport:
    """The result of a sync; ``tokens`` counts the listed tokens, native assets included."""

    lists: tuple[ListReport, ...]
    tokens: int

    @property
    def failed(self) -> bool:
        """Return whether any list could not be had as it is at its address."""
        return any(report.fault is not None for report in self.lists)


@dataclass(frozen=True, slots=True)
class SyncSettings:
    """The lists, most trusted first, and how large they may be.

    They are asked for every ``refresh_s`` seconds, after a fault every ``retry_s``; the store is looked at for what
    other processes had every ``look_s``.
    """

    urls: Sequence[str]
    bounds: Bounds = field(default_factory=Bounds)
    refresh_s: float = 3600.0
    retry_s: float = 300.0
    look_s: float = 60.0


@dataclass(slots=True, eq=False)
class TokenSync:
    """Fills one TokenCatalog: with ``fixed`` tokens (the operator's, then the package's), then with the lists'."""

    catalog: TokenCatalog
    chains: ChainCatalog
    fixed: Sequence[Token]
    http: HttpClient
    engine: AsyncEngine
    clock: Clock
    settings: SyncSettings
    # The digest of each copy in the catalogue, None for one that could not be read.
    _adopted: tuple[bytes | None, ...] = field(default=(), init=False)
    _failed_at: dict[str, datetime] = field(default_factory=dict, init=False)
    _spoilt: set[str] = field(default_factory=set, init=False)

    async def load(self) -> int:
        """Load changed copies, return the number listed; bad signatures are retried. Raise StoreUnavailable."""
        kept = await stored_lists(self.engine, self.settings.urls)
        copies = [kept[url] for url in self.settings.urls if url in kept]
        digests = tuple(copy.digest for copy in copies)
        if digests != self._adopted:
            listed = [(copy, await stored_body(self.engine, copy)) for copy in copies]
            self._spoilt = {copy.url for copy, body in listed if body is None}
            found = tuple(None if body is None else copy.digest for copy, body in listed)
            if found != self._adopted:
                index = await asyncio.to_thread(self._index, listed)
                self.catalog.adopt(index, max((copy.stored_at for copy in copies), default=None))
                self._adopted = found
        return len(self.catalog)

    async def sync(self, *, due_only: bool = False, accept_older: bool = False) -> SyncReport:
        """Ask for all lists, or those due, then ``load``; ``accept_older`` lets one go back. Raise StoreUnavailable."""
        kept = await stored_lists(self.engine, self.settings.urls)
        reports = await asyncio.gather(
            *(
                self._sync_list(url, kept.get(url), accept_older=accept_older)
                for url in self.settings.urls
                if not due_only or self._is_due(url, kept.get(url))
            )
        )
        return SyncReport(tuple(reports), await self.load())

    async def run(self) -> None:
        """Sync for ever, until cancelled. Of several processes one asks for a list, and all take it over soon after."""
        log = structlog.get_logger()
        while self.settings.urls:
            try:
                report = await self.sync(due_only=True)
            except StoreUnavailable:
                log.warning("the store is down; token lists stay as they are")
            except Exception:
                # An error would end the whole service, so an unforeseen one must not pass.
                log.exception("token lists stay as they are")
            else:
                for item in report.lists:
                    if item.fault is not None:
                        log.warning("a token list cannot be had", list=item.list, fault=item.fault, kept=item.version)
            await asyncio.sleep(self.settings.look_s)

    def _is_due(self, url: str, kept: StoredList | None) -> bool:
        now = self.clock()
        failed_at = self._failed_at.get(url)
        if failed_at is not None and now - failed_at < timedelta(seconds=self.settings.retry_s):
            return False
        return kept is None or now - kept.checked_at >= timedelta(seconds=self.settings.refresh_s)

    async def _sync_list(self, url: str, kept: StoredList | None, *, accept_older: bool) -> ListReport:
        try:
            report = await self._ask(url, kept, accept_older=accept_older)
        except StoreUnavailable:
            raise
        except Exception as error:
            structlog.get_logger().exception("a token list broke its sync", list=shown_url(url))
            report = _not_had(url, kept, f"cannot be taken over ({type(error).__name__})")
        if report.fault is None:
            self._failed_at.pop(url, None)
        else:
            self._failed_at[url] = self.clock()
        return report

    async def _ask(self, url: str, kept: StoredList | None, *, accept_older: bool) -> ListReport:
        address = shown_url(url)
        kept_version = None if kept is None else str(kept.version)
        try:
            # A copy that does not match its signature is fetched again, so the host must not answer "not modified".
            etag = None if kept is None or url in self._spoilt else kept.etag
            document = await fetch_document(self.http, url, etag=etag, bounds=self.settings.bounds)
            if document is None:
                await checked_list(self.engine, url, self.clock())
                return ListReport(address, Outcome.UNCHANGED, kept_version)
            listed = await asyncio.to_thread(read_token_list, document.body, self.chains)
        except (DocumentUnavailable, ListRefused) as error:
            return _not_had(url, kept, str(error))
        is_kept = await keep_list(
            self.engine,
            url,
            document.body,
            etag=document.etag,
            version=listed.version,
            now=self.clock(),
            accept_older=accept_older,
        )
        if not is_kept:
            fault = f"is version {listed.version}, older than the kept one ({kept_version or 'of another process'})"
            return ListReport(address, Outcome.KEPT, kept_version, fault)
        same = kept is not None and kept.digest == hashlib.sha256(document.body).digest()
        return ListReport(address, Outcome.UNCHANGED if same else Outcome.UPDATED, str(listed.version))

    def _index(self, copies: Sequence[tuple[StoredList, bytes | None]]) -> TokenIndex:
        tokens: list[Token] = []
        for kept, body in copies:
            try:
                tokens += [] if body is None else read_token_list(body, self.chains).tokens
            except ListRefused as error:
                structlog.get_logger().warning("a kept token list", list=shown_url(kept.url), fault=str(error))
        return TokenIndex.of(self.chains, self.fixed, tokens)


def _not_had(url: str, kept: StoredList | None, fault: str) -> ListReport:
    if kept is None:
        return ListReport(shown_url(url), Outcome.MISSING, None, fault)
    return ListReport(shown_url(url), Outcome.KEPT, str(kept.version), fault)


def list_url_fault(url: str) -> str | None:
    """Return the fault of a list's URL, None if there is none: it must be https, or http on this machine."""
    try:
        parts = urlsplit(url)
        # A port that is none raises only when it is read.
        _ = parts.port
    except ValueError:
        return "must be an address whose host and port can be read"
    if parts.username or parts.password:
        return "must not carry a user or password"
    if parts.hostname and (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)):
        return None
    return "must be an https:// address (http:// on this machine only)"


def shown_url(url: str) -> str:
    """Write an address without what may be secret in it: user, password, query."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"
