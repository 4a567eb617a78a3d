"""Filters of the portal's tables: read from the URL, shown in the form, refused field by field."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from urllib.parse import urlencode

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.chain import Chain
from rhumbline.domain.sentence import Sentence
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.chain_types.addresses import canonical_address
from rhumbline.tracking.cursor import ListPosition
from rhumbline.tracking.pages import HistoryFilter

LONGEST = 128
FIELDS = ("status", "chain", "token", "from", "to")
NO_CHAIN = Sentence("chain: must be the ID or the key of a chain that is served here")
NO_TOKEN = Sentence("token: must be the symbol of a listed token, or a token's address")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z", re.ASCII)
_YEARS = (1970, 9998)
_POSITION = re.compile(r"(?P<micros>[0-9]{1,17})\.(?P<id>[\x21-\x7e]{1,200})\Z", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LATEST = datetime(_YEARS[1], 12, 31, tzinfo=UTC)


@dataclass(slots=True)
class Search:
    """The filters of a request: ``entered`` as written, ``wanted`` as parsed, ``faults`` by field."""

    entered: dict[str, str]
    wanted: HistoryFilter = field(default_factory=HistoryFilter)
    after: ListPosition | None = None
    faults: dict[str, Sentence] = field(default_factory=dict)

    @property
    def narrowed(self) -> bool:
        return any(self.entered.values())

    def refuse(self, name: str, told: Sentence) -> None:
        self.faults[name] = told

    def address(self, **more: str) -> str:
        """Return the URL query of the same filters."""
        return urlencode({name: value for name, value in (self.entered | more).items() if value})


def read_search(query: Mapping[str, str], chains: ChainCatalog, tokens: TokenCatalog) -> Search:
    """Read the filters of a list of transactions; nothing is guessed of what cannot be read."""
    search = Search({name: query.get(name, "").strip()[:LONGEST] for name in FIELDS})
    entered = search.entered
    status, chain, named = None, None, None
    if entered["status"]:
        status = next((state for state in TransferState if state == entered["status"]), None)
        if status is None:
            search.refuse("status", Sentence("status: must be one of %(states)s", states=", ".join(TransferState)))
    if entered["chain"]:
        chain = find_chain(chains, entered["chain"])
        if chain is None:
            search.refuse("chain", NO_CHAIN)
    if entered["token"]:
        named = named_tokens(chains, tokens, entered["token"])
        if not named:
            search.refuse("token", NO_TOKEN)
    since, until = _read_days(search)
    search.wanted = HistoryFilter(status, None if chain is None else chain.id, named, since, until)
    search.after = _read_position(query.get("cursor", ""), search)
    return search


def find_chain(chains: ChainCatalog, text: str) -> Chain | None:
    return next((chain for chain in chains if text.lower() in {str(chain.id), chain.key.lower()}), None)


def named_tokens(chains: ChainCatalog, tokens: TokenCatalog, name: str) -> tuple[tuple[int, str], ...]:
    """Return what a symbol or an address may mean, by chain; a symbol means what the lists call so."""
    found = []
    for chain in chains:
        address = canonical_address(chain.type, name)
        if address is not None:
            found.append((chain.id, address))
        else:
            found += [
                (chain.id, token.address) for token in tokens.listed(chain.id) if token.symbol.lower() == name.lower()
            ]
    return tuple(found)


def written_position(position: ListPosition) -> str:
    return f"{(position.time - _EPOCH) // _MICROSECOND}.{position.id}"


def _read_position(text: str, search: Search) -> ListPosition | None:
    if not text:
        return None
    found = _POSITION.match(text)
    micros = int(found["micros"]) if found is not None else 0
    if found is None or micros > (_LATEST - _EPOCH) // _MICROSECOND:
        search.refuse("cursor", Sentence("cursor: is none of this list: begin with the newest"))
        return None
    return ListPosition(_EPOCH + micros * _MICROSECOND, found["id"])


def _read_days(search: Search) -> tuple[datetime | None, datetime | None]:
    first, last = (_read_day(search, name) for name in ("from", "to"))
    if first is not None and last is not None and last < first:
        search.refuse("to", Sentence("to: must not be before from"))
    return (
        None if first is None else datetime.combine(first, time(), UTC),
        None if last is None else datetime.combine(last + timedelta(days=1), time(), UTC),
    )


def _read_day(search: Search, name: str) -> date | None:
    text = search.entered[name]
    if not text:
        return None
    try:
        day = date.fromisoformat(text) if _DAY.match(text) else None
    except ValueError:
        day = None
    if day is None or not _YEARS[0] <= day.year <= _YEARS[1]:
        search.refuse(name, Sentence("%(field)s: must be a day of the calendar, as 2026-11-22", field=name))
        return None
    return day
