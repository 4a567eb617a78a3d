"""``/v1/webhooks``: an integrator's endpoints, read and changed with its key."""

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.http.body import read_object
from rhumbline.api.http.headers import NO_STORE
from rhumbline.api.http.middleware.callers import caller_of, integrator_of
from rhumbline.api.http.paths import WEBHOOKS
from rhumbline.api.parameters.parameter import Parameter, Reading, Text, Whole
from rhumbline.api.parameters.source import query_source
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.shape import answer
from rhumbline.api.wire.webhook import (
    NewWebhook,
    WebhookAnswer,
    WebhookDeliveries,
    WebhookDeliveryAnswer,
    WebhookList,
    WebhookRemoved,
    WebhookSecret,
    to_delivery,
    to_new_webhook,
    to_webhook,
)
from rhumbline.domain.errors import InvalidRequest, NotFound, StoreUnavailable
from rhumbline.domain.webhook import DEFAULT_TYPES, TYPES
from rhumbline.tracking.webhooks.endpoints import KEY, LARGEST_PAGE, LONGEST_OVERLAP_S, Webhooks

_TAG = "Webhooks"
_DEFAULT_LIMIT, _DEFAULT_OVERLAP_S = 50, 86_400
WEBHOOK = Parameter(
    "webhook", Text(40, "^wh_[0-9a-f]{16}$", "a webhook's ID"), "The webhook's `id`.", "wh_0123456789abcdef",
    required=True, remedy="the id of a webhook", place="path",
)  # fmt: skip
DELIVERY = Parameter(
    "delivery", Whole(1, 2**53 - 1, "a delivery's number"), "The delivery's `id`.", "7", required=True,
    remedy="the id of a delivery", place="path",
)  # fmt: skip
LIMIT = Parameter("limit", Whole(1, LARGEST_PAGE, default=_DEFAULT_LIMIT), "Deliveries per page.", "50")
BEFORE = Parameter("before", Whole(1, 2**53 - 1), "Only deliveries with a lower `id`, for the next page.", "7")
_ERRORS = (400, 401, 429, 503)
_ONE_ERRORS = (400, 401, 404, 429, 503)
Body = Mapping[str, Any]


def _add_body() -> Body:
    url = {"type": "string", "maxLength": 2048, "examples": ["https://example.com/webhooks"]}
    types = {"type": "array", "minItems": 1, "items": {"type": "string", "enum": list(TYPES)}}
    properties = {"url": url, "events": {**types, "default": list(DEFAULT_TYPES)}}
    return {"type": "object", "required": ["url"], "properties": properties}


def _rotate_body() -> Body:
    overlap = {"type": "integer", "minimum": 0, "maximum": LONGEST_OVERLAP_S, "default": _DEFAULT_OVERLAP_S}
    return {"type": "object", "properties": {"overlapSec": overlap}}


def _no_body() -> Body:
    return {"type": "object"}


def _operation(name: str, summary: str, description: str, *parameters: Any, body: Body | None = None) -> Operation:
    errors = _ONE_ERRORS if parameters else _ERRORS
    return Operation(name, _TAG, summary, description, parameters, errors, key="required", body=body)


_LIST = _operation("listWebhooks", "The integrator's webhooks", "Oldest first.")
_ADD = _operation(
    "addWebhook", "Add a webhook",
    "Events from now on are posted to `url`, signed as Standard Webhooks has it with the `secret`, which is shown "
    "once. At most 20 of one integrator.", body=_add_body(),
)  # fmt: skip
_ROTATE = _operation(
    "rotateWebhook", "Replace a webhook's secret", "Until the overlap ends, messages are signed with both.",
    WEBHOOK, body=_rotate_body(),
)  # fmt: skip
_REMOVE = _operation("removeWebhook", "Remove a webhook", "Nothing is sent to it any more.", WEBHOOK, body=_no_body())
_ENABLE = _operation(
    "enableWebhook", "Switch a webhook on again",
    "What happened since it was switched off is sent first, as far as events are kept.", WEBHOOK, body=_no_body(),
)  # fmt: skip
_TEST = _operation("testWebhook", "Send a test message", "Of the type `webhook.test`.", WEBHOOK, body=_no_body())
_DELIVERIES = _operation(
    "listWebhookDeliveries", "A webhook's deliveries", "Newest first, of the last seven days.", WEBHOOK, LIMIT, BEFORE
)
_AGAIN = _operation(
    "resendWebhookDelivery", "Make a delivery once more", "Whatever became of it, with the same `webhook-id`.",
    WEBHOOK, DELIVERY, body=_no_body(),
)  # fmt: skip


def webhook_routes(services: Services) -> list[ApiRoute]:
    """Return the routes; they raise what ``Webhooks`` does."""

    async def list_all(request: Request) -> Response:
        found = await _webhooks(services).all(integrator_of(request))
        return _answered(WebhookList(webhooks=[to_webhook(each) for each in found]))

    async def add(request: Request) -> Response:
        integrator, body = integrator_of(request), await read_object(request)
        url, types = body.get("url"), body.get("events", list(DEFAULT_TYPES))
        faults = [] if isinstance(url, str) else ["url must be a text: the address that events are posted to"]
        chosen = [each for each in types if isinstance(each, str)] if isinstance(types, list) else []
        if not isinstance(types, list) or len(chosen) != len(types):
            faults.append(f"events must be a list of some of {', '.join(TYPES)}")
        if faults:
            raise InvalidRequest(faults)
        return _answered(to_new_webhook(*await _webhooks(services).add(integrator, str(url), chosen, _actor(request))))

    async def rotate(request: Request) -> Response:
        integrator, webhook = integrator_of(request), _id(request)
        overlap_s = (await read_object(request)).get("overlapSec", _DEFAULT_OVERLAP_S)
        if not isinstance(overlap_s, int) or isinstance(overlap_s, bool):
            raise InvalidRequest([f"overlapSec must be a whole number of seconds from 0 to {LONGEST_OVERLAP_S}"])
        secret = await _webhooks(services).rotate(integrator, webhook, overlap_s, _actor(request))
        return _answered(WebhookSecret(id=webhook, secret=secret))

    async def remove(request: Request) -> Response:
        await _webhooks(services).remove(integrator_of(request), _id(request), _actor(request))
        return _answered(WebhookRemoved(id=_id(request)))

    async def enable(request: Request) -> Response:
        found = await _webhooks(services).switch_on(integrator_of(request), _id(request), _actor(request))
        return _answered(to_webhook(found))

    async def test(request: Request) -> Response:
        return _answered(to_delivery(await _webhooks(services).test(integrator_of(request), _id(request))))

    async def deliveries(request: Request) -> Response:
        integrator, webhook = integrator_of(request), _id(request)
        reading = Reading(query_source(request.scope["query_string"]))
        limit, before = reading.take(LIMIT), reading.take(BEFORE)
        reading.finish()
        most = _DEFAULT_LIMIT if limit is None else limit
        found = await _webhooks(services).deliveries(integrator, webhook, most, before)
        return _answered(WebhookDeliveries(deliveries=[to_delivery(each) for each in found]))

    async def send_again(request: Request) -> Response:
        integrator, given = integrator_of(request), str(request.path_params["delivery"])
        if not given.isascii() or not given.isdecimal() or len(given) > 18:
            raise NotFound("There is no such delivery")
        return _answered(to_delivery(await _webhooks(services).send_again(integrator, _id(request), int(given))))

    one = WEBHOOKS + "/{webhook}"
    return [
        ApiRoute(WEBHOOKS, list_all, _LIST, WebhookList),
        ApiRoute(WEBHOOKS, add, _ADD, NewWebhook),
        ApiRoute(one + "/rotate", rotate, _ROTATE, WebhookSecret),
        ApiRoute(one + "/remove", remove, _REMOVE, WebhookRemoved),
        ApiRoute(one + "/enable", enable, _ENABLE, WebhookAnswer),
        ApiRoute(one + "/test", test, _TEST, WebhookDeliveryAnswer),
        ApiRoute(one + "/deliveries", deliveries, _DELIVERIES, WebhookDeliveries),
        ApiRoute(one + "/deliveries/{delivery}/resend", send_again, _AGAIN, WebhookDeliveryAnswer),
    ]


def _webhooks(services: Services) -> Webhooks:
    if services.webhooks is None:
        raise StoreUnavailable("This process has no store; try again shortly")
    return services.webhooks


def _actor(request: Request) -> str:
    """Name the key of a request, for the audit log."""
    return f"{KEY}{caller_of(request).key_id}"


def _id(request: Request) -> str:
    """Return the webhook of a path; what has another form is not looked for."""
    given = str(request.path_params["webhook"])
    if not given.isascii() or not given.isprintable() or len(given) > 40:
        raise NotFound("There is no such webhook")
    return given


def _answered(body: Any) -> Response:
    return answer(body, headers=NO_STORE)
