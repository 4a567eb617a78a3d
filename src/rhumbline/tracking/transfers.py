"""From a transfer that is seen to start to its record: what it claims is held against what was handed out."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.chain import Chain
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import BridgeSighting, RouteType
from rhumbline.domain.transfer import StoredBuild, Transfer
from rhumbline.gateways.bytes32 import address_word, reference_word, word_address
from rhumbline.tracking.amounts import ListedAt, raw_amount, unchecked_fee, unlisted
from rhumbline.tracking.evm.deposits import written
from rhumbline.tracking.records import Row, record_id
from rhumbline.tracking.resolution import Origin, resolve

DIRECT_LOG_INDEX = -1
"""Where a wallet calls a bridge itself there is no event of ours: this stands for the place of one."""
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


def agrees(sighting: BridgeSighting, build: StoredBuild, destination: Chain) -> bool:
    """Tell whether an event claims exactly what was handed out under its ID."""
    promised = (
        build.adapter,
        build.origin_chain_id,
        build.destination_chain_id,
        build.sender,
        build.sender,
        address_word(destination, build.receiver),
        build.input_token,
        build.input_token,
        address_word(destination, build.output_token),
        build.expected_output,
        build.min_output,
        reference_word(build.reference),
        False,
    )
    claimed = (
        sighting.adapter,
        sighting.chain_id,
        sighting.destination_chain_id,
        sighting.sender,
        sighting.refund_to,
        sighting.receiver,
        sighting.input_token,
        sighting.sent_token,
        sighting.output_token,
        sighting.expected_output,
        sighting.min_output,
        sighting.reference,
        sighting.has_dest_call,
    )
    return not build.direct and promised == claimed and sighting.sent_amount == build.sent_amount


def bridge_row(
    sighting: BridgeSighting,
    build: StoredBuild | None,
    chains: ChainCatalog,
    pages: ScanPages,
    now: datetime,
    *,
    proving: frozenset[str] = frozenset(),
    listed_at: ListedAt = unlisted,
) -> Row:
    """Return the row of a transfer that the Diamond started and that is ours.

    Without a build that it agrees with, its status is unknown: anybody who has an ID may put any claim beside it. Then
    only a bridge among ``proving`` is asked, which looks for the transfer itself. ``listed_at`` tells whether the asset
    changes on the way.
    """
    destination = chains.by_id(sighting.destination_chain_id)
    believed = build is not None and destination is not None and agrees(sighting, build, destination)
    kept = _kept(build) if build is not None and believed else None
    if kept is None and destination is not None and sighting.adapter in proving:
        kept = _claimed(sighting, destination)
    row = {
        **_place(sighting.chain_id, sighting.tx_hash, sighting.log_index, sighting.transaction_id),
        "source_block_number": sighting.block_number,
        "source_block_hash": sighting.block_hash,
        "source_time": sighting.block_time,
        "dest_chain_id": sighting.destination_chain_id if sighting.destination_chain_id < _LARGEST_ID else None,
        "sender": sighting.sender,
        "receiver": None if destination is None else word_address(destination, sighting.receiver),
        "integrator": sighting.integrator or None,
        "protocol": sighting.adapter,
        "route_type": _type_of(sighting, destination, listed_at).value,
        "has_dest_call": sighting.has_dest_call,
        "input": raw_amount(sighting.input_token, sighting.input_amount),
        "integrator_fee": unchecked_fee("integrator", sighting.fees),
        "service_fee": unchecked_fee("service", sighting.fees),
    }
    return {**row, **_state(kept, row, pages, now)}


@dataclass(frozen=True, slots=True)
class DirectCall:
    """A wallet's own call of a bridge, as it was found in a block."""

    build: StoredBuild
    tx_hash: str
    block_number: int
    block_hash: str
    block_time: datetime


def direct_row(call: DirectCall, pages: ScanPages, now: datetime, listed_at: ListedAt = unlisted) -> Row:
    """Return the row of a transfer that a wallet started itself: the call is what was handed out, byte for byte."""
    build = call.build
    row = {
        **_place(build.origin_chain_id, call.tx_hash, DIRECT_LOG_INDEX, build.transaction_id),
        "source_block_number": call.block_number,
        "source_block_hash": call.block_hash,
        "source_time": call.block_time,
        "dest_chain_id": build.destination_chain_id,
        "sender": build.sender,
        "receiver": build.receiver,
        "integrator": build.integrator or None,
        "protocol": build.adapter,
        "route_type": route_type(
            listed_at(build.origin_chain_id, build.input_token),
            listed_at(build.destination_chain_id, build.output_token),
        ).value,
        "has_dest_call": False,
        # What the call takes: without our contracts in between the rest never leaves the wallet.
        "input": raw_amount(build.input_token, build.sent_amount),
        "integrator_fee": None,
        "service_fee": None,
    }
    return {**row, **_state(_kept(build), row, pages, now)}


def route_type(sold: Token | None, bought: Token | None) -> RouteType:
    """Tell whether the asset changes on the way, whoever swaps it: by the coin keys of two listed tokens.

    Of a token on no list nobody knows whether it is the other; a bridge alone is assumed.
    """
    if sold is None or bought is None:
        return RouteType.BRIDGE
    keys = {(token.coin_key or token.symbol).upper() for token in (sold, bought)}
    return RouteType.BRIDGE if len(keys) == 1 else RouteType.BRIDGE_SWAP


def _type_of(sighting: BridgeSighting, destination: Chain | None, listed_at: ListedAt) -> RouteType:
    bought = None if destination is None else word_address(destination, sighting.output_token)
    sold = listed_at(sighting.chain_id, sighting.input_token)
    listed = None if destination is None or bought is None else listed_at(destination.id, bought)
    if sold is None or listed is None:
        return RouteType.BRIDGE_SWAP if sighting.swapped or sighting.has_dest_call else RouteType.BRIDGE
    return route_type(sold, listed)


def transfer_of(row: Mapping[str, object]) -> Transfer:
    """Return what a bridge is asked about, of a row whose ``transfer`` is there."""
    kept, time = row["transfer"], row["source_time"]
    if not isinstance(kept, Mapping) or not isinstance(time, datetime):
        raise ValueError("the record is not one of a transfer that may be asked about")
    return Transfer(
        adapter=str(kept["adapter"]),
        origin_chain_id=int(str(row["source_chain_id"])),
        destination_chain_id=int(str(row["dest_chain_id"])),
        tx_hash=str(row["source_tx_hash"]),
        log_index=int(str(row["source_log_index"])),
        sender=str(row["sender"]),
        receiver=str(kept["receiver"]),
        refund_to=str(row["sender"]),
        sent_token=str(kept["sent_token"]),
        sent_amount=int(str(kept["sent_amount"])),
        output_token=str(kept["output_token"]),
        min_output=int(str(kept["min_output"])),
        reference=None if kept["reference"] is None else str(kept["reference"]),
        started_at=time,
    )


def _place(chain_id: int, tx_hash: str, log_index: int, transaction_id: str) -> Row:
    return {
        "id": record_id(chain_id, tx_hash, log_index),
        "transaction_id": transaction_id,
        "source_chain_id": chain_id,
        "source_tx_hash": tx_hash,
        "source_log_index": log_index,
    }


def origin_of(row: Mapping[str, object]) -> Origin:
    """Tell what started the transfer of a row."""
    kept = row["transfer"]
    if not isinstance(kept, Mapping):
        return Origin.UNVERIFIED
    if kept.get("claimed") is True:
        return Origin.TRANSFER_CLAIMED
    return Origin.TRANSFER_CALLING if row["has_dest_call"] else Origin.TRANSFER


def _state(kept: Row | None, row: Row, pages: ScanPages, now: datetime) -> Row:
    row = {**row, "transfer": kept}
    started_at = row["source_time"]
    state = resolve(origin_of(row), started_at=started_at if isinstance(started_at, datetime) else None, now=now)
    url = None
    if kept is not None:
        reference = kept["reference"]
        reference = None if reference is None else str(reference)
        url = pages.url(str(kept["adapter"]), str(row["source_tx_hash"]), reference)
    return {
        "transfer": kept,
        "bridge_scan_url": url,
        "next_bridge_check_at": None if kept is None else now,
        "status": state.status.value,
        "substatus": state.substatus,
        "status_source": state.source.value,
        "created_at": now,
        "updated_at": now,
    }


def _kept(build: StoredBuild) -> Row:
    """Amounts as text: JSON numbers lose digits. The deposit is there until it was looked for."""
    return {
        **({} if build.deposit is None else {"deposit": written(build.deposit)}),
        "adapter": build.adapter,
        "receiver": build.receiver,
        "sent_token": build.input_token,
        "sent_amount": str(build.sent_amount),
        "output_token": build.output_token,
        "min_output": str(build.min_output),
        "reference": build.reference,
    }


def _claimed(sighting: BridgeSighting, destination: Chain) -> Row | None:
    """Return what an event claims, for a bridge that looks for it; None where that cannot be a transfer of ours."""
    receiver, output_token = (word_address(destination, word) for word in (sighting.receiver, sighting.output_token))
    if receiver is None or output_token is None or sighting.refund_to != sighting.sender or sighting.has_dest_call:
        return None
    return {
        "adapter": sighting.adapter,
        "receiver": receiver,
        "sent_token": sighting.sent_token,
        "sent_amount": str(sighting.sent_amount),
        "output_token": output_token,
        "min_output": str(sighting.min_output),
        "reference": None,
        "claimed": True,
    }
