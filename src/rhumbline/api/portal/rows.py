"""A record as a row of the portal's table: unknown values are named as such."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from rhumbline.api.pages.language import Language
from rhumbline.api.portal.display import short, token_quantity, worth
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.chain import Chain
from rhumbline.domain.sentence import Sentence
from rhumbline.domain.tracking import TrackedTransaction, TransferState


class _Words(NamedTuple):
    """A status in words, its colour, and the text for a missing output."""

    meaning: Sentence
    tone: str
    instead: Sentence


_NOT_TOLD, _NOTHING = Sentence("not told"), Sentence("nothing")
_WORDS: Mapping[TransferState, _Words] = MappingProxyType(
    {
        TransferState.SUCCESS: _Words(Sentence("arrived"), "good", _NOT_TOLD),
        TransferState.RECOVERED: _Words(Sentence("arrived otherwise than ordered"), "good", _NOT_TOLD),
        TransferState.BRIDGE_PENDING: _Words(Sentence("on its way"), "soft", Sentence("not yet")),
        TransferState.REFUND_PENDING: _Words(Sentence("failed, the refund is on its way"), "mind", _NOTHING),
        TransferState.REFUNDED: _Words(Sentence("failed, and was sent back"), "mind", _NOTHING),
        TransferState.BRIDGE_FAILED: _Words(Sentence("did not arrive"), "bad", _NOTHING),
        TransferState.UNKNOWN: _Words(Sentence("nobody can say what became of it"), "mind", Sentence("not known")),
    }
)
STATES: Mapping[TransferState, Sentence] = MappingProxyType(
    {
        TransferState.SUCCESS: Sentence("success"),
        TransferState.RECOVERED: Sentence("recovered"),
        TransferState.BRIDGE_PENDING: Sentence("bridge pending"),
        TransferState.REFUND_PENDING: Sentence("refund pending"),
        TransferState.REFUNDED: Sentence("refunded"),
        TransferState.BRIDGE_FAILED: Sentence("bridge failed"),
        TransferState.UNKNOWN: Sentence("unknown"),
    }
)
"""The statuses in one or two words."""


@dataclass(frozen=True, slots=True)
class SentTransaction:
    """A transaction on one of the chains; ``link`` is its page in the explorer, None if there is none."""

    hash: str
    link: str | None


@dataclass(frozen=True, slots=True)
class Record:
    """A transaction as a row of the table; None where something is not known yet.

    ``there``, ``via``, ``meaning`` and ``arrival`` are told of transfers to another chain only: the destination, the
    bridge, the status in plain words, the destination's transaction. ``instead`` stands where ``received`` is None.
    ``scan`` is the bridge's own page.
    """

    when: str
    chain: str
    there: str | None
    via: str | None
    paid: str | None
    received: str | None
    instead: str
    fee: str | None
    fee_usd: str | None
    status: str
    tone: str
    meaning: str | None
    source: SentTransaction
    arrival: SentTransaction | None
    scan: str | None
    sender: str


def record_row(
    language: Language, chains: ChainCatalog, tool_names: Mapping[str, str], shown: TrackedTransaction
) -> Record:
    """Write a record's row; ``tool_names`` are what people call adapters, by their keys."""
    record, words = shown.record, _WORDS[shown.record.status]
    crossing = record.destination_chain_id is not None and record.destination_chain_id != record.origin_chain_id
    here = chains.by_id.get(record.origin_chain_id)
    there = (
        chains.by_id.get(record.destination_chain_id) if crossing and record.destination_chain_id is not None else None
    )
    arrived = record.destination_tx_hash if crossing else None
    return Record(
        when=language.moment(record.origin_time),
        chain=shown.origin_network if here is None else here.name,
        there=(shown.destination_network if there is None else there.name) if crossing else None,
        via=tool_names.get(record.protocol, record.protocol) if crossing else None,
        paid=token_quantity(language, shown.input),
        received=token_quantity(language, shown.output),
        instead=language.translated(words.instead) if crossing else "…",
        fee=token_quantity(language, shown.integrator_fee),
        fee_usd=worth(language, shown.integrator_fee),
        status=language.translated(STATES[record.status]),
        tone=words.tone,
        meaning=language.translated(words.meaning) if crossing and record.status is not TransferState.SUCCESS else None,
        source=sent_transaction(here, record.origin_tx_hash),
        arrival=None if arrived is None else sent_transaction(there, arrived),
        scan=secure_url(record.bridge_scan_url) if crossing else None,
        sender=short(record.sender),
    )


def sent_transaction(chain: Chain | None, tx_hash: str) -> SentTransaction:
    explorer = None if chain is None else chain.explorer_url
    return SentTransaction(tx_hash, None if explorer is None else f"{explorer.rstrip('/')}/tx/{tx_hash}")


def secure_url(url: str | None) -> str | None:
    """Keep a bridge's page only if it is a safe URL: an upstream's text is part of it."""
    return url if url is not None and url.startswith("https://") else None
