"""A receipt: what anybody may know of a transfer, in the words of its page. Unknown values are named as such. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_DOWN, Context, Decimal
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlencode

from rhumbline.api.pages.language import Language
from rhumbline.api.portal.display import short, token_quantity, worth
from rhumbline.api.portal.rows import SentTransaction, secure_url, sent_transaction
from rhumbline.api.wire.shape import timestamp
from rhumbline.api.wire.token import logo_url
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.amount import format_amount
from rhumbline.domain.sentence import Sentence
from rhumbline.domain.tracking import PublicRecord, TokenAmount, TransferState

RECEIPTS = "/tx"
_RATE = Context(prec=7, rounding=ROUND_DOWN)


class _Words(NamedTuple):
    """A status as a headline, its colour, what it means, and the text for a missing output."""

    headline: Sentence
    tone: str
    meaning: Sentence | None
    instead: Sentence


_NOT_TOLD, _NOTHING = Sentence("not told"), Sentence("nothing")
_WORDS: Mapping[TransferState, _Words] = MappingProxyType({
    TransferState.SUCCESS: _Words(Sentence("Arrived"), "good", None, _NOT_TOLD),
    TransferState.RECOVERED: _Words(
        Sentence("Recovered"), "good",
        Sentence("It did not end as planned: the receiver has the tokens in another form."), _NOT_TOLD,
    ),
    TransferState.BRIDGE_PENDING: _Words(
        Sentence("On its way"), "mind", Sentence("This page follows it by itself."), Sentence("not yet")
    ),
    TransferState.REFUND_PENDING: _Words(
        Sentence("Refund on its way"), "mind",
        Sentence("It could not be delivered, and is on its way back."), _NOTHING,
    ),
    TransferState.REFUNDED: _Words(
        Sentence("Refunded"), "mind", Sentence("It could not be delivered, and was sent back."), _NOTHING
    ),
    TransferState.BRIDGE_FAILED: _Words(
        Sentence("Failed"), "bad", Sentence("The bridge says that it did not arrive."), _NOTHING
    ),
    TransferState.UNKNOWN: _Words(
        Sentence("Not known"), "mind",
        Sentence("It has left; what became of it is not known yet. This page keeps looking."), Sentence("not known"),
    ),
})  # fmt: skip
LIVE = frozenset({TransferState.BRIDGE_PENDING, TransferState.REFUND_PENDING, TransferState.UNKNOWN})
"""The statuses that are not the last one."""


@dataclass(frozen=True, slots=True)
class Side:
    """What was sent or received: the amount (None where it is not known), and the chain; logos are drawings of ours."""

    amount: str | None
    usd: str | None
    logo: str | None
    chain: str
    chain_logo: str


@dataclass(frozen=True, slots=True)
class PaidFee:
    """A fee of one kind."""

    kind: str
    amount: str
    usd: str | None


@dataclass(frozen=True, slots=True)
class Receipt:
    """All that the page shows; None, or nothing, where something is not known.

    ``scan`` is the bridge's own page, ``again`` the address of a form filled with the same. ``live`` tells that it is
    not over, ``updated`` when it changed last.
    """

    transaction_id: str
    headline: str
    tone: str
    meaning: str
    title: str
    sent: Side
    received: Side
    instead: str
    rate: str | None
    fees: tuple[PaidFee, ...]
    via: str | None
    sent_at: str
    arrived_at: str | None
    took: str | None
    source: SentTransaction
    arrival: SentTransaction | None
    scan: str | None
    again: str | None
    live: bool
    updated: str


def receipt_of(
    language: Language, chains: ChainCatalog, tokens: TokenCatalog, tool_names: Mapping[str, str], record: PublicRecord
) -> Receipt:
    """Write a record's receipt; ``tool_names`` are what people call adapters, by their keys."""
    words = _WORDS[record.status]
    there_id = record.origin_chain_id if record.destination_chain_id is None else record.destination_chain_id
    crossing = there_id != record.origin_chain_id
    arrived = record.destination_tx_hash if crossing else None
    sent = _side(language, chains, tokens, record.origin_chain_id, record.input)
    received = _side(language, chains, tokens, there_id, record.output)
    headline = language.translated(words.headline)
    done = record.status is TransferState.SUCCESS
    return Receipt(
        transaction_id=record.transaction_id or "",
        headline=headline,
        tone=words.tone,
        meaning="" if words.meaning is None else language.translated(words.meaning),
        title=f"{sent.amount or sent.chain} → {received.amount or received.chain}: {headline}",
        sent=sent,
        received=received,
        instead=language.translated(words.instead),
        rate=_rate(language, record.input, record.output) if done else None,
        fees=_fees(language, record),
        via=tool_names.get(record.protocol, record.protocol) if crossing else None,
        sent_at=language.moment(record.origin_time),
        arrived_at=None
        if record.destination_time is None or not crossing
        else language.moment(record.destination_time),
        took=_took(language, record) if crossing and done else None,
        source=sent_transaction(chains.by_id.get(record.origin_chain_id), record.origin_tx_hash),
        arrival=None if arrived is None else sent_transaction(chains.by_id.get(there_id), arrived),
        scan=secure_url(record.bridge_scan_url) if crossing else None,
        again=_again(record.input, record.output),
        live=record.status in LIVE,
        updated=timestamp(record.updated_at),
    )


def _side(
    language: Language, chains: ChainCatalog, tokens: TokenCatalog, chain_id: int, amount: TokenAmount | None
) -> Side:
    chain = chains.by_id.get(chain_id)
    name, key = (str(chain_id), str(chain_id)) if chain is None else (chain.name, chain.key)
    written, value = token_quantity(language, amount), worth(language, amount)
    return Side(written, value, _logo(tokens, amount), name, logo_url("", name, key))


def _logo(tokens: TokenCatalog, amount: TokenAmount | None) -> str | None:
    """Draw it here: a list's own logo is another host's, and this page loads nothing from there."""
    if amount is None:
        return None
    listed = tokens.listed_at(amount.chain_id, amount.address)
    return logo_url("", "-" if listed is None else listed.symbol, (listed and listed.coin_key) or amount.address)


def _rate(language: Language, paid: TokenAmount | None, got: TokenAmount | None) -> str | None:
    """Write what one whole token that was paid has brought, all fees within it, cut off after seven digits."""
    if paid is None or got is None or paid.raw <= 0 or got.raw <= 0:
        return None
    rate = _RATE.divide(Decimal(got.raw), Decimal(paid.raw)).normalize(_RATE).scaleb(paid.decimals - got.decimals)
    return f"1 {_name(paid)} = {language.decimal(f'{rate:f}')} {_name(got)}"


def _name(amount: TokenAmount) -> str:
    return short(amount.address) if amount.symbol == amount.address else amount.symbol


def _fees(language: Language, record: PublicRecord) -> tuple[PaidFee, ...]:
    kinds = (
        (language.say("Service fee"), record.service_fee),
        (language.say("Integrator fee"), record.integrator_fee),
        (language.say("Network fee"), record.origin_gas_fee),
    )
    return tuple(
        PaidFee(kind, token_quantity(language, fee) or "", worth(language, fee))
        for kind, fee in kinds
        if fee is not None
    )


def _took(language: Language, record: PublicRecord) -> str | None:
    if record.destination_time is None or record.destination_time < record.origin_time:
        return None
    return language.duration(max(1, round((record.destination_time - record.origin_time).total_seconds())))


def _again(paid: TokenAmount | None, got: TokenAmount | None) -> str | None:
    if paid is None or got is None:
        return None
    sides = {name: f"{each.chain_id}:{each.address}" for name, each in (("from", paid), ("to", got))}
    return "/?" + urlencode({**sides, "amount": format_amount(paid.raw, paid.decimals)})
