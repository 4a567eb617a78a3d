"""A record as a row of the portal's table: unknown values are named as such."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from rhumbline.api.portal.display import dollars, micro_usd, moment, short, token_quantity
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.chain import Chain
from rhumbline.domain.tracking import TokenAmount, TrackedTransaction, TransferState


class _Words(NamedTuple):
    """A status in words, its colour, and the text for a missing output."""

    meaning: str
    tone: str
    instead: str


_WORDS: Mapping[TransferState, _Words] = MappingProxyType(
    {
        TransferState.SUCCESS: _Words("arrived", "good", "not told"),
        TransferState.RECOVERED: _Words("arrived otherwise than ordered", "good", "not told"),
        TransferState.BRIDGE_PENDING: _Words("on its way", "soft", "not yet"),
        TransferState.REFUND_PENDING: _Words("failed, the refund is on its way", "mind", "nothing"),
        TransferState.REFUNDED: _Words("failed, and went back to the sender", "mind", "nothing"),
        TransferState.BRIDGE_FAILED: _Words("did not arrive", "bad", "nothing"),
        TransferState.UNKNOWN: _Words("nobody can say what became of it", "mind", "not known"),
    }
)


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


def record_row(chains: ChainCatalog, tool_names: Mapping[str, str], shown: TrackedTransaction) -> Record:
    """Write a record's row; ``tool_names`` are what people call adapters, by their keys."""
    record, words = shown.record, _WORDS[shown.record.status]
    crossing = record.destination_chain_id is not None and record.destination_chain_id != record.origin_chain_id
    here = chains.by_id.get(record.origin_chain_id)
    there = (
        chains.by_id.get(record.destination_chain_id) if crossing and record.destination_chain_id is not None else None
    )
    arrived = record.destination_tx_hash if crossing else None
    return Record(
        when=moment(record.origin_time),
        chain=shown.origin_network if here is None else here.name,
        there=(shown.destination_network if there is None else there.name) if crossing else None,
        via=tool_names.get(record.protocol, record.protocol) if crossing else None,
        paid=token_quantity(shown.input),
        received=token_quantity(shown.output),
        instead=words.instead if crossing else "…",
        fee=token_quantity(shown.integrator_fee),
        fee_usd=_worth(shown.integrator_fee),
        status=str(record.status).replace("_", " "),
        tone=words.tone,
        meaning=words.meaning if crossing else None,
        source=sent_transaction(here, record.origin_tx_hash),
        arrival=None if arrived is None else sent_transaction(there, arrived),
        scan=secure_url(record.bridge_scan_url) if crossing else None,
        sender=short(record.sender),
    )


def _worth(amount: TokenAmount | None) -> str | None:
    return None if amount is None or amount.usd is None else dollars(micro_usd(amount.usd))


def sent_transaction(chain: Chain | None, tx_hash: str) -> SentTransaction:
    explorer = None if chain is None else chain.explorer_url
    return SentTransaction(tx_hash, None if explorer is None else f"{explorer.rstrip('/')}/tx/{tx_hash}")


def secure_url(url: str | None) -> str | None:
    """Keep a bridge's page only if it is a safe URL: an upstream's text is part of it."""
    return url if url is not None and url.startswith("https://") else None
