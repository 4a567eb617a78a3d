"""From the start of a transfer to its record: compares the event's claims with the issued transaction."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from urllib.parse import quote

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.chain import Chain
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import (
    NO_EVENT,
    BridgeSighting,
    RecordAmount,
    RouteType,
    TransactionRecord,
    TransferTerms,
)
from rhumbline.domain.transfer import IssuedTransaction, Transfer
from rhumbline.gateways.chain_types.bytes32 import address_word, reference_word, word_address
from rhumbline.tracking.amounts import ListedAt, unlisted
from rhumbline.tracking.records import record_id, sighted
from rhumbline.tracking.resolution import Origin, resolve

_LARGEST_ID = 2**63


@dataclass(frozen=True, slots=True)
class ScanPages:
    """The bridges' own pages of transfers, by adapter: see ``AdapterInfo.scan_url``."""

    pages: Mapping[str, str]

    def url(self, adapter: str, tx_hash: str, reference: str | None) -> str | None:
        """Return the page of one transfer; None where the bridge has none, or its name for it is wanting."""
        page = self.pages.get(adapter)
        if page is None or ("{reference}" in page and reference is None):
            return None
        return page.replace("{txHash}", tx_hash).replace("{reference}", quote(reference or "", safe=""))


def agrees(sighting: BridgeSighting, issued: IssuedTransaction, destination: Chain) -> bool:
    """Return whether an event claims exactly what was issued under its ID."""
    claimed_and_issued = (
        (sighting.adapter, issued.adapter),
        (sighting.chain_id, issued.origin_chain_id),
        (sighting.destination_chain_id, issued.destination_chain_id),
        (sighting.sender, issued.sender),
        (sighting.refund_to, issued.refund_to or issued.sender),
        (sighting.receiver, address_word(destination, issued.receiver)),
        (sighting.input_token, issued.input_token),
        (sighting.sent_token, issued.sent_token or issued.input_token),
        (sighting.sent_amount, issued.sent_amount),
        (sighting.output_token, address_word(destination, issued.output_token)),
        (sighting.expected_output, issued.expected_output),
        (sighting.min_output, issued.min_output),
        (sighting.reference, reference_word(issued.reference)),
        (sighting.has_destination_call, issued.destination_call is not None),
    )
    return not issued.wallet_call and all(claim == promise for claim, promise in claimed_and_issued)


@dataclass(frozen=True, slots=True)
class Known:
    """Data for describing a transfer to another chain: the chains, and the bridges' own pages.

    ``proving`` are the bridges that find the start of a transfer on its chain by themselves (``proves_start``),
    ``listed_at`` knows the listed tokens.
    """

    chains: ChainCatalog
    pages: ScanPages = field(default_factory=lambda: ScanPages({}))
    proving: frozenset[str] = frozenset()
    listed_at: ListedAt = unlisted


def bridge_record(
    sighting: BridgeSighting, issued: IssuedTransaction | None, known: Known, now: datetime
) -> TransactionRecord:
    """Return the record of a transfer that the Diamond started and that is ours.

    Unless it agrees with what was issued, its status is unknown: anybody who has an ID may put any claim beside it.
    Then only a bridge that proves the start is asked, which looks for the transfer itself.
    """
    destination = known.chains.by_id.get(sighting.destination_chain_id)
    terms = None
    if issued is not None and destination is not None and agrees(sighting, issued, destination):
        terms = _terms(issued)
    elif destination is not None and sighting.adapter in known.proving:
        terms = _claimed(sighting, destination)
    there = sighting.destination_chain_id
    record = sighted(
        sighting,
        now,
        destination_chain_id=there if there < _LARGEST_ID else None,
        receiver=None if destination is None else word_address(destination, sighting.receiver),
        protocol=sighting.adapter,
        route_type=_type_of(sighting, destination, known.listed_at),
        has_destination_call=sighting.has_destination_call,
        terms=terms,
    )
    return _begun(record, known.pages)


@dataclass(frozen=True, slots=True)
class WalletCall:
    """A wallet's own call of a bridge found in a block; ``log_index`` identifies it there."""

    issued: IssuedTransaction
    tx_hash: str
    block_number: int
    block_hash: str
    block_time: datetime
    log_index: int = NO_EVENT


def wallet_call_record(
    call: WalletCall, pages: ScanPages, now: datetime, listed_at: ListedAt = unlisted
) -> TransactionRecord:
    """Return the record of a transfer that a wallet started itself: the call is what was issued, byte for byte."""
    issued = call.issued
    return _begun(
        TransactionRecord(
            id=record_id(issued.origin_chain_id, call.tx_hash, call.log_index),
            transaction_id=issued.transaction_id,
            origin_chain_id=issued.origin_chain_id,
            origin_tx_hash=call.tx_hash,
            origin_log_index=call.log_index,
            origin_block_number=call.block_number,
            origin_block_hash=call.block_hash,
            origin_time=call.block_time,
            destination_chain_id=issued.destination_chain_id,
            sender=issued.sender,
            receiver=issued.receiver,
            integrator=issued.integrator or None,
            protocol=issued.adapter,
            route_type=route_type(
                listed_at(issued.origin_chain_id, issued.input_token),
                listed_at(issued.destination_chain_id, issued.output_token),
            ),
            # What the call takes: without our contracts in between the rest never leaves the wallet.
            input=RecordAmount(issued.input_token, issued.sent_amount),
            terms=_terms(issued),
            created_at=now,
            updated_at=now,
        ),
        pages,
    )


def route_type(sold: Token | None, bought: Token | None) -> RouteType:
    """Tell by the coin keys of two tokens whether the asset changes; of one on no list a bridge alone is assumed."""
    if sold is None or bought is None:
        return RouteType.BRIDGE
    keys = {(token.coin_key or token.symbol).upper() for token in (sold, bought)}
    return RouteType.BRIDGE if len(keys) == 1 else RouteType.BRIDGE_SWAP


def _type_of(sighting: BridgeSighting, destination: Chain | None, listed_at: ListedAt) -> RouteType:
    bought = None if destination is None else word_address(destination, sighting.output_token)
    sold = listed_at(sighting.chain_id, sighting.input_token)
    listed = None if destination is None or bought is None else listed_at(destination.id, bought)
    if sold is None or listed is None:
        return RouteType.BRIDGE_SWAP if sighting.swapped or sighting.has_destination_call else RouteType.BRIDGE
    return route_type(sold, listed)


def transfer_of(record: TransactionRecord) -> Transfer:
    """Return what a bridge is asked about; ValueError for a record that has no terms for it."""
    terms = record.terms
    if not isinstance(terms, TransferTerms) or record.destination_chain_id is None:
        raise ValueError("the record is not one of a transfer that may be asked about")
    return Transfer(
        adapter=terms.adapter,
        origin_chain_id=record.origin_chain_id,
        destination_chain_id=record.destination_chain_id,
        tx_hash=record.origin_tx_hash,
        log_index=record.origin_log_index,
        sender=record.sender,
        receiver=terms.receiver,
        refund_to=terms.refund_to or record.sender,
        sent_token=terms.sent_token,
        sent_amount=terms.sent_amount,
        output_token=terms.output_token,
        min_output=terms.min_output,
        reference=terms.reference,
        started_at=record.origin_time,
        destination_call=terms.destination_call,
    )


def origin_of(record: TransactionRecord) -> Origin:
    if record.terms is None:
        return Origin.UNVERIFIED
    if isinstance(record.terms, TransferTerms) and record.terms.claimed:
        return Origin.TRANSFER_CLAIMED
    return Origin.TRANSFER_CALLING if record.has_destination_call else Origin.TRANSFER


def _begun(record: TransactionRecord, pages: ScanPages) -> TransactionRecord:
    """Return the record with its first status, its bridge to be polled if it has terms."""
    terms, now = record.terms, record.created_at
    url = None
    if isinstance(terms, TransferTerms):
        url = pages.url(terms.adapter, record.origin_tx_hash, terms.reference)
    begun = replace(record, bridge_scan_url=url, next_bridge_check_at=None if terms is None else now)
    return resolve(origin_of(record), started_at=record.origin_time, now=now).put_into(begun)


def _terms(issued: IssuedTransaction) -> TransferTerms:
    return TransferTerms(
        adapter=issued.adapter,
        receiver=issued.receiver,
        sent_token=issued.sent_token or issued.input_token,
        sent_amount=issued.sent_amount,
        output_token=issued.output_token,
        min_output=issued.min_output,
        reference=issued.reference,
        deposit=issued.deposit,
        destination_call=issued.destination_call,
        refund_to=issued.refund_to,
    )


def _claimed(sighting: BridgeSighting, destination: Chain) -> TransferTerms | None:
    """Return what an event claims, for a bridge that looks for it; None where that cannot be a transfer of ours.

    Of a call on the destination the event tells only that there is one: no bridge can look for that.
    """
    receiver, output_token = (word_address(destination, word) for word in (sighting.receiver, sighting.output_token))
    is_called = sighting.has_destination_call
    if receiver is None or output_token is None or sighting.refund_to != sighting.sender or is_called:
        return None
    return TransferTerms(
        adapter=sighting.adapter,
        receiver=receiver,
        sent_token=sighting.sent_token,
        sent_amount=sighting.sent_amount,
        output_token=output_token,
        min_output=sighting.min_output,
        reference=None,
        claimed=True,
    )
