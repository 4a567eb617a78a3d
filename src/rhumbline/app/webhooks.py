"""Builds what is done about records and events by one process: months of records, old events, webhooks."""

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.api.wire.record_event import to_transaction_event, transaction_event_model
from rhumbline.api.wire.transaction import transaction_model
from rhumbline.app.settings import Settings
from rhumbline.domain.errors import Unexpected
from rhumbline.domain.metrics import Metrics
from rhumbline.domain.record_event import RecordEvent
from rhumbline.gateways.http.receiver import Receivers
from rhumbline.gateways.postgres.leases import Leases
from rhumbline.gateways.postgres.store_clock import StoreClock
from rhumbline.tracking.leadership import WEBHOOKS
from rhumbline.tracking.listing import Listing
from rhumbline.tracking.loops import LeasedWork
from rhumbline.tracking.record_events.retention import EventRetention
from rhumbline.tracking.record_months import RecordMonths
from rhumbline.tracking.webhooks.dispatcher import Dispatcher, Render
from rhumbline.tracking.webhooks.push_state import standing
from rhumbline.tracking.webhooks.queue import DeliveryQueue


def build_event_work(
    settings: Settings, engine: AsyncEngine, listing: Listing, leases: Leases, clock: StoreClock, metrics: Metrics
) -> tuple[LeasedWork, ...]:
    """Build what one process at a time does, each under a lease of its own."""
    queue = DeliveryQueue(engine, leases.fence(WEBHOOKS))
    receivers = Receivers(settings.webhooks.allow_private)
    dispatcher = Dispatcher(queue, receivers, render_for(settings.brand, listing), clock, metrics)
    return EventRetention(engine), RecordMonths(engine, settings.tracking.keep_months), dispatcher


async def report_push(engine: AsyncEngine, metrics: Metrics) -> None:
    """Report how deliveries stand to the metrics. Raise a database error."""
    async with engine.connect() as connection:
        metrics.push_stands(await standing(connection))


def render_for(brand: str, listing: Listing) -> Render:
    """Return what writes an event, with its record as the listing shows it."""
    transaction = transaction_model(brand)
    model = transaction_event_model(transaction)

    def render(event: RecordEvent) -> bytes:
        if event.record is None:
            raise Unexpected("an event without its record is not told")
        return to_transaction_event(model, transaction, event, listing.shown(event.record)).model_dump_json().encode()

    return render
