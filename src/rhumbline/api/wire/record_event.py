"""Events of records, as streams and webhooks tell them: the record's answer, and what happened to it."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, create_model

from rhumbline.api.wire.shape import Timestamp, Wire
from rhumbline.api.wire.transaction import PublicStatus, TrackedTransaction, to_public_status, to_transaction
from rhumbline.domain.record_event import EventKind, RecordEvent
from rhumbline.domain.tracking import PublicRecord
from rhumbline.domain.tracking import TrackedTransaction as DomainTransaction

TYPES = tuple(kind.type for kind in EventKind)
_Type = Annotated[str, Field(json_schema_extra={"enum": list(TYPES)})]
_Number = Annotated[int, Field(description="Grows in the order of what happened, also across transactions.")]


class TransactionEvent(Wire):
    """What happened to a transaction."""

    type: _Type
    number: _Number
    timestamp: Annotated[Timestamp, Field(description="When it happened.")]
    data: Annotated[
        TrackedTransaction,
        Field(description="As `GET /v1/transactions/{id}` answers now; of a withdrawn one, as it was."),
    ]


class StatusEvent(Wire):
    """What happened to a transaction, for whoever has its ID."""

    type: _Type
    number: _Number
    timestamp: Annotated[Timestamp, Field(description="When it happened.")]
    data: Annotated[PublicStatus, Field(description="As `GET /v1/status/{transactionId}` answers now.")]


def transaction_event_model(transaction: type[TrackedTransaction]) -> type[TransactionEvent]:
    data: Any = (transaction, TransactionEvent.model_fields["data"])
    return create_model("TransactionEvent", __base__=TransactionEvent, __doc__=TransactionEvent.__doc__, data=data)


def to_transaction_event(
    model: type[TransactionEvent], transaction: type[TrackedTransaction], event: RecordEvent, shown: DomainTransaction
) -> TransactionEvent:
    """Write an event with its record, in the models of the service's brand."""
    return model(type=event.kind.type, number=event.number, timestamp=event.at, data=to_transaction(transaction, shown))


def to_status_event(kind: EventKind, number: int, at: datetime, record: PublicRecord) -> StatusEvent:
    """Write what happened to a record at a time, with its public part."""
    return StatusEvent(type=kind.type, number=number, timestamp=at, data=to_public_status(record))
