"""``rhumbline webhooks``: an integrator's endpoints, and what was delivered to them."""

from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

import typer
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service import Accounts
from rhumbline.app.console import Config, Json, notices, output, show_table
from rhumbline.app.settings import Settings, load_settings
from rhumbline.app.store import in_store
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import NotFound
from rhumbline.domain.webhook import DEFAULT_TYPES, Webhook, WebhookDelivery
from rhumbline.tracking.webhooks.endpoints import Webhooks

app = typer.Typer(no_args_is_help=True, help="Manage the endpoints that events are posted to.")
T = TypeVar("T")
Integrator = Annotated[str, typer.Option("--integrator", help="The integrator's name.")]
Id = Annotated[str, typer.Argument(help="The webhook's ID.")]


@app.command()
def add(
    url: Annotated[str, typer.Argument(help="The address that events are posted to: https://…")],
    integrator: Integrator,
    event: Annotated[
        list[str] | None, typer.Option("--event", help="An event to be told of, several times for several.")
    ] = None,
    config: Config = None,
) -> None:
    """Add a webhook. Its secret is shown once."""
    types = tuple(event or DEFAULT_TYPES)
    webhook, secret = _do(load_settings(config), integrator, lambda hooks, name: hooks.add(name, url, types))
    notices().print(f"webhook {webhook.id} of {webhook.integrator}; its secret is not shown again:")
    output().print(secret)


@app.command("list")
def list_webhooks(integrator: Integrator, as_json: Json = False, config: Config = None) -> None:
    """List an integrator's webhooks: whether they are on, and since when they fail."""
    found = _do(load_settings(config), integrator, lambda hooks, name: hooks.all(name))
    rows = [(each.id, each.url, " ".join(each.types), _state(each)) for each in found]
    show_table(rows, ("webhook", "url", "events", "state"), as_json=as_json)


@app.command()
def rotate(
    webhook: Id,
    integrator: Integrator,
    overlap: Annotated[int, typer.Option(min=0, help="Seconds for which both secrets sign.")] = 86_400,
    config: Config = None,
) -> None:
    """Replace a webhook's secret. Both sign for the overlap."""
    secret = _do(load_settings(config), integrator, lambda hooks, name: hooks.rotate(name, webhook, overlap))
    notices().print(f"the new secret of {webhook}; the old one ends in {overlap} s; it is not shown again:")
    output().print(secret)


@app.command("test")
def send_test(webhook: Id, integrator: Integrator, config: Config = None) -> None:
    """Have a test message sent; `rhumbline webhooks deliveries` shows what became of it."""
    made = _do(load_settings(config), integrator, lambda hooks, name: hooks.test(name, webhook))
    notices().print(f"delivery {made.id} is sent by the running service")


@app.command()
def enable(webhook: Id, integrator: Integrator, config: Config = None) -> None:
    """Switch a webhook on again, and send what happened meanwhile."""
    _do(load_settings(config), integrator, lambda hooks, name: hooks.switch_on(name, webhook))
    notices().print(f"webhook {webhook} is on")


@app.command()
def deliveries(
    webhook: Id,
    integrator: Integrator,
    limit: Annotated[int, typer.Option(min=1, max=200, help="How many.")] = 20,
    as_json: Json = False,
    config: Config = None,
) -> None:
    """List a webhook's deliveries, newest first, with the status of the last attempt."""
    found = _do(load_settings(config), integrator, lambda hooks, name: hooks.deliveries(name, webhook, limit))
    rows = [
        (str(each.id), "" if each.number is None else str(each.number), each.type, each.state, *_last(each))
        for each in found
    ]
    show_table(rows, ("delivery", "event", "type", "state", "attempts", "last", "next"), as_json=as_json)


@app.command()
def resend(
    webhook: Id,
    delivery: Annotated[int, typer.Argument(min=1, help="The delivery's number.")],
    integrator: Integrator,
    config: Config = None,
) -> None:
    """Make a delivery once more, whatever became of it."""
    made = _do(load_settings(config), integrator, lambda hooks, name: hooks.send_again(name, webhook, delivery))
    notices().print(f"delivery {made.id} repeats delivery {delivery}; it is sent by the running service")


@app.command()
def remove(webhook: Id, integrator: Integrator, config: Config = None) -> None:
    """Remove a webhook, and what was to be delivered to it."""
    _do(load_settings(config), integrator, lambda hooks, name: hooks.remove(name, webhook))
    notices().print(f"webhook {webhook} is removed")


def _do(settings: Settings, integrator: str, work: Callable[[Webhooks, str], Awaitable[T]]) -> T:
    async def go(engine: AsyncEngine) -> T:
        found = await Accounts(engine, system_clock).integrator(integrator)
        if found is None:
            raise NotFound(f"There is no integrator {integrator}: rhumbline integrators list shows them")
        return await work(Webhooks(engine, system_clock, settings.webhooks.allow_private), found.name)

    return in_store(settings, go)


def _state(webhook: Webhook) -> str:
    if webhook.off_reason is not None:
        return f"off: {webhook.off_reason}"
    since = webhook.failing_since
    return "on" if since is None else f"fails since {since.isoformat(timespec='seconds')}"


def _last(delivery: WebhookDelivery) -> tuple[str, str, str]:
    last = delivery.attempts[-1] if delivery.attempts else None
    answered = "" if last is None else str(last.status or last.error)
    due = "" if delivery.due_at is None else delivery.due_at.isoformat(timespec="seconds")
    return str(len(delivery.attempts)), answered, due
