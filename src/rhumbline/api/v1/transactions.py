"""The tracking endpoints: an integrator's own records, read with its key."""

import unicodedata

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.http.headers import NO_STORE
from rhumbline.api.http.middleware.callers import caller_of, integrator_of
from rhumbline.api.http.paths import TRACKING
from rhumbline.api.parameters.addresses import Wallet
from rhumbline.api.parameters.moments import Moment
from rhumbline.api.parameters.parameter import CHAIN_ID, Choice, Parameter, Reading, Text, Whole
from rhumbline.api.parameters.source import query_source
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.fee_request import same_integrator
from rhumbline.api.wire.shape import answer
from rhumbline.api.wire.transaction import (
    TransactionStatus,
    to_status,
    to_transaction,
    transaction_list_model,
    transaction_model,
)
from rhumbline.domain.errors import IntegratorMismatch, InvalidRequest, NotFound
from rhumbline.domain.tracking import RouteType, TrackedTransaction, TransactionFilter, TransferState

_LONGEST_KEY = 200
_LONGEST_NAME = 16 * 1024
"""As long as a request line: the answer is the same for any other integrator's name."""
_DEFAULT_LIMIT = 50

CURSOR = Parameter(
    "cursor",
    Text(4096),
    "Opaque; from `nextCursor`, passed back unchanged. It carries its filters.",
    "eyJ2IjoxfQ",
    remedy="nextCursor of the page before",
)
LIMIT = Parameter(
    "limit", Whole(1, 200, default=_DEFAULT_LIMIT), "Records per page.", "50", remedy="a number from 1 to 200"
)
STATUS = Parameter("status", Choice(tuple(TransferState)), "Only this status.", "success", remedy="a status")
ROUTE_TYPE = Parameter("routeType", Choice(tuple(RouteType)), "Only this type.", "swap", remedy="a route type")
SOURCE_CHAIN = Parameter(
    "sourceChainId", CHAIN_ID, "Only this canonical source chain.", "1", remedy="a chain's numeric ID"
)
DEST_CHAIN = Parameter(
    "destChainId", CHAIN_ID, "Only this canonical destination chain.", "1", remedy="a chain's numeric ID"
)
SENDER = Parameter(
    "senderAddress", Wallet(), "Only this wallet's; an EVM or a Solana address. Beyond the contract.",
    "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", remedy="a wallet's address",
)  # fmt: skip
RECEIVER = Parameter(
    "receiverAddress", Wallet(), "Only those that pay this wallet. Beyond the contract.",
    "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", remedy="a wallet's address",
)  # fmt: skip
SINCE = Parameter(
    "since", Moment(), "Only those whose `sourceBlockTimestamp` is this moment or later. Beyond the contract.",
    "2026-11-01T00:00:00.000Z", remedy="a moment, as 2026-11-01T00:00:00Z",
)  # fmt: skip
UNTIL = Parameter(
    "until", Moment(), "Only those whose `sourceBlockTimestamp` is before this moment. Beyond the contract.",
    "2026-12-01T00:00:00.000Z", remedy="a moment, as 2026-12-01T00:00:00Z",
)  # fmt: skip
OWN_INTEGRATOR = Parameter(
    "integrator",
    Text(_LONGEST_NAME),
    "Must be the key's own integrator; another one is 403.",
    "acme",
    remedy="the key's integrator",
)
LOOKUP_KEY = Parameter(
    "lookupKey",
    Text(_LONGEST_KEY),
    "Transaction ID, source transaction hash or destination transaction hash.",
    "0x9c5f6d4b3a29180796857463524130f1e2d3c4b5a69788796a5b4c3d2e1f0a9b",
    required=True,
    place="path",
)

_LIST = Operation(
    "listTransactions",
    "Tracking",
    "The integrator's transactions",
    "Newest first by source timestamp. Filters combine with AND.",
    (CURSOR, LIMIT, STATUS, ROUTE_TYPE, SOURCE_CHAIN, DEST_CHAIN, OWN_INTEGRATOR, SENDER, RECEIVER, SINCE, UNTIL),
    (400, 401, 403, 429, 503),
    key="required",
)
_ONE = Operation(
    "getTransaction",
    "Tracking",
    "One transaction",
    "404 for an unknown key and for another integrator's record alike.",
    (LOOKUP_KEY,),
    (400, 401, 404, 429, 503),
    key="required",
)
_STATUS = Operation(
    "getTransactionStatus",
    "Tracking",
    "How far a transaction is",
    "The short form, for polling.",
    (LOOKUP_KEY,),
    (400, 401, 404, 429, 503),
    key="required",
)


def transaction_routes(services: Services) -> list[ApiRoute]:
    model = transaction_model(services.brand)
    page_model = transaction_list_model(model)

    async def list_transactions(request: Request) -> Response:
        integrator = integrator_of(request)
        reading = Reading(query_source(request.scope["query_string"]))
        _check_integrator(request, reading)
        cursor, limit = reading.take(CURSOR), reading.take(LIMIT)
        chosen = _read_filter(reading)
        reading.finish()
        page = await services.listing.page(integrator, chosen, _DEFAULT_LIMIT if limit is None else limit, cursor)
        records = [to_transaction(model, record) for record in page.transactions]
        return answer(page_model(transactions=records, next_cursor=page.next_cursor), headers=NO_STORE)

    async def get_transaction(request: Request) -> Response:
        return answer(to_transaction(model, await _find(services, request)), headers=NO_STORE)

    async def get_status(request: Request) -> Response:
        return answer(to_status((await _find(services, request)).record), headers=NO_STORE)

    one = TRACKING + "/{lookupKey}"
    return [
        ApiRoute(TRACKING, list_transactions, _LIST, page_model),
        ApiRoute(one, get_transaction, _ONE, model),
        ApiRoute(one + "/status", get_status, _STATUS, TransactionStatus),
    ]


def _check_integrator(request: Request, reading: Reading) -> None:
    """Refuse another integrator's name before any other check."""
    name, own = reading.take(OWN_INTEGRATOR), caller_of(request).integrator
    if name is not None and own is not None and not same_integrator(name, own):
        raise IntegratorMismatch("integrator must be the one that the API key belongs to, or be left out")


def _read_filter(reading: Reading) -> TransactionFilter:
    status, route_type = reading.take(STATUS), reading.take(ROUTE_TYPE)
    since, until = reading.take(SINCE), reading.take(UNTIL)
    if since is not None and until is not None and until <= since:
        reading.fault(UNTIL.name, "must be later than since: give a later moment, or leave one of them out")
    return TransactionFilter(
        status=None if status is None else TransferState(status),
        route_type=None if route_type is None else RouteType(route_type),
        origin_chain_id=reading.take(SOURCE_CHAIN),
        destination_chain_id=reading.take(DEST_CHAIN),
        sender=reading.take(SENDER),
        receiver=reading.take(RECEIVER),
        since=since,
        until=until,
    )


async def _find(services: Services, request: Request) -> TrackedTransaction:
    integrator = integrator_of(request)
    key = str(request.path_params["lookupKey"])
    if len(key) > _LONGEST_KEY:
        raise InvalidRequest([f"lookupKey must have at most {_LONGEST_KEY} characters; got {len(key)}"])
    if any(unicodedata.category(character) == "Cc" for character in key):
        raise InvalidRequest(["lookupKey must not hold control characters: give a transaction ID or hash"])
    record = await services.listing.find(integrator, key)
    if record is None:
        raise NotFound("There is no such transaction")
    return record
