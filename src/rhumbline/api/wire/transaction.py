"""Tracking records: every field is always present, null while unknown. One field's name has the service's brand."""

from types import GenericAlias
from typing import Annotated, Any

from pydantic import MISSING, Field, JsonValue, TypeAdapter, create_model

from rhumbline.api.wire.shape import DecimalText, Number, RawAmount, Timestamp, Wire
from rhumbline.api.wire.token import Decimals
from rhumbline.domain.amount import format_amount
from rhumbline.domain.tracking import (
    NO_EVENT,
    PublicRecord,
    RouteType,
    StatusSource,
    TokenAmount,
    TransactionRecord,
    TransferState,
)
from rhumbline.domain.tracking import TrackedTransaction as DomainTransaction

_JSON_OBJECT: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue])
_Usd = Annotated[Number, Field(description="Value at the time; null if no price was known.")]


class TrackedToken(Wire):
    """An amount of a token."""

    chain_id: int
    address: str
    symbol: str
    amount_raw: RawAmount
    amount_formatted: DecimalText
    decimals: Decimals
    amount_usd: _Usd | None


class TrackedFee(Wire):
    """A paid fee."""

    token: Annotated[str, Field(description="The token's symbol; the address of an unlisted one.")]
    amount_raw: RawAmount
    amount_formatted: DecimalText
    decimals: Decimals
    amount_usd: _Usd | None


class TrackedTransaction(Wire):
    """An executed transaction; the field `service_fee` gets its real name from `transaction_model`."""

    id: str
    transaction_id: str | None
    source_tx_hash: str
    dest_tx_hash: str | None
    source_block_number: Annotated[int, Field(description="The slot on Solana.")]
    source_log_index: Annotated[
        int | None,
        Field(description="The index of the tracking instruction on Solana; null if a wallet called a bridge itself."),
    ]
    source_chain_id: int
    dest_chain_id: int | None
    canonical_source_chain_id: int
    canonical_dest_chain_id: int | None
    protocol_raw_source_chain_id: int | None
    protocol_raw_dest_chain_id: int | None
    source_network: str
    dest_network: str | None
    date: Annotated[Timestamp, Field(description="Legacy alias of `sourceBlockTimestamp`.")]
    source_block_timestamp: Timestamp
    destination_block_timestamp: Timestamp | None
    sender: str | None
    receiver: str | None
    integrator: str | None
    protocol: Annotated[str, Field(description="An adapter key, or `GENERIC_SWAP`; new values may be added.")]
    route_type: RouteType
    has_dest_call: bool
    input_token: TrackedToken | None
    output_token: TrackedToken | None
    source_gas_fee: TrackedFee | None
    destination_gas_fee: TrackedFee | None
    integrator_fee: TrackedFee | None
    service_fee: TrackedFee | None
    status: TransferState
    substatus: Annotated[str, Field(description="Not a stable enumeration.")] | None
    status_source: StatusSource
    bridge_scan_url: str | None
    raw_bridge_status: Annotated[dict[str, JsonValue], Field(description="Without a stable shape.")] | None
    last_receipt_checked_at: Timestamp | None
    last_bridge_checked_at: Timestamp | None
    last_bridge_success_checked_at: Timestamp | None
    created_at: Timestamp
    updated_at: Timestamp


class TransactionList(Wire):
    """One page, newest first."""

    transactions: list[TrackedTransaction]
    next_cursor: Annotated[str, Field(description="Pass it back unchanged; null at the end.")] | None


class TransactionStatus(Wire):
    """A transaction's status."""

    id: str
    transaction_id: str | None
    source_tx_hash: str
    dest_tx_hash: str | None
    status: TransferState
    substatus: Annotated[str, Field(description="Not a stable enumeration.")] | None
    status_source: StatusSource
    updated_at: Timestamp


class PublicStatus(TransactionStatus):
    """A transaction's status, and what arrived."""

    output_token: TrackedToken | None
    output_amount_raw: Annotated[RawAmount, Field(description="The delivered amount in raw units.")] | None
    refund_to: (
        Annotated[str, Field(description="Who gets refunds on the origin, if the request named it.")] | MISSING
    ) = MISSING


def fee_field(brand: str) -> str:
    """Return the wire name of the service's fee: ``rhumblineFee`` for ``Rhumbline``."""
    return f"{brand[0].lower()}{brand[1:]}Fee"


def transaction_model(brand: str) -> type[TrackedTransaction]:
    """Return the model whose field for the service's fee is called ``<brand>Fee``; ValueError if that name is taken."""
    name = fee_field(brand)
    schema = TrackedTransaction.model_json_schema(mode="serialization")
    if name in schema["properties"] and name != "serviceFee":
        raise ValueError(f"the brand {brand!r} cannot be used: a tracked transaction has a field {name} already")
    return create_model(
        "TrackedTransaction",
        __base__=TrackedTransaction,
        __doc__="An executed transaction.",
        service_fee=(TrackedFee | None, Field(serialization_alias=name)),
    )


def to_transaction(model: type[TrackedTransaction], listed: DomainTransaction) -> TrackedTransaction:
    record = listed.record
    return model(
        id=record.id,
        transaction_id=record.transaction_id,
        source_tx_hash=record.origin_tx_hash,
        dest_tx_hash=record.destination_tx_hash,
        source_block_number=record.origin_block_number,
        source_log_index=None if record.origin_log_index == NO_EVENT else record.origin_log_index,
        source_chain_id=record.origin_chain_id,
        dest_chain_id=record.destination_chain_id,
        canonical_source_chain_id=record.origin_chain_id,
        canonical_dest_chain_id=record.destination_chain_id,
        protocol_raw_source_chain_id=None,
        protocol_raw_dest_chain_id=None,
        source_network=listed.origin_network,
        dest_network=listed.destination_network,
        date=record.origin_time,
        source_block_timestamp=record.origin_time,
        destination_block_timestamp=record.destination_time,
        sender=record.sender,
        receiver=record.receiver,
        integrator=record.integrator,
        protocol=record.protocol,
        route_type=record.route_type,
        has_dest_call=record.has_destination_call,
        input_token=_token(listed.input),
        output_token=_token(listed.output),
        source_gas_fee=_fee(listed.origin_gas_fee),
        destination_gas_fee=_fee(listed.destination_gas_fee),
        integrator_fee=_fee(listed.integrator_fee),
        service_fee=_fee(listed.service_fee),
        status=record.status,
        substatus=record.substatus,
        status_source=record.status_source,
        bridge_scan_url=record.bridge_scan_url,
        raw_bridge_status=None
        if record.raw_bridge_status is None
        else _JSON_OBJECT.validate_python(record.raw_bridge_status),
        last_receipt_checked_at=record.last_receipt_checked_at,
        last_bridge_checked_at=record.last_bridge_checked_at,
        last_bridge_success_checked_at=record.last_bridge_success_checked_at,
        created_at=record.created_at,
        updated_at=record.updated_at,
    )


def to_status(record: TransactionRecord | PublicRecord) -> TransactionStatus:
    return TransactionStatus(
        id=record.id,
        transaction_id=record.transaction_id,
        source_tx_hash=record.origin_tx_hash,
        dest_tx_hash=record.destination_tx_hash,
        status=record.status,
        substatus=record.substatus,
        status_source=record.status_source,
        updated_at=record.updated_at,
    )


def to_public_status(record: PublicRecord) -> PublicStatus:
    return PublicStatus(
        **dict(to_status(record)),
        output_token=_token(record.output),
        output_amount_raw=None if record.output_raw is None else str(record.output_raw),
        refund_to=MISSING if record.refund_to is None else record.refund_to,
    )


def transaction_list_model(transaction: type[TrackedTransaction]) -> type[TransactionList]:
    fields: dict[str, Any] = {"transactions": (GenericAlias(list, (transaction,)), ...)}
    return create_model("TransactionList", __base__=TransactionList, __doc__=TransactionList.__doc__, **fields)


def _token(amount: TokenAmount | None) -> TrackedToken | None:
    if amount is None:
        return None
    return TrackedToken(
        chain_id=amount.chain_id,
        address=amount.address,
        symbol=amount.symbol,
        amount_raw=str(amount.raw),
        amount_formatted=format_amount(amount.raw, amount.decimals),
        decimals=amount.decimals,
        amount_usd=amount.usd,
    )


def _fee(amount: TokenAmount | None) -> TrackedFee | None:
    if amount is None:
        return None
    return TrackedFee(
        token=amount.symbol,
        amount_raw=str(amount.raw),
        amount_formatted=format_amount(amount.raw, amount.decimals),
        decimals=amount.decimals,
        amount_usd=amount.usd,
    )
