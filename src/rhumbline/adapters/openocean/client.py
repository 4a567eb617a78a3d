"""OpenOcean's endpoint, and what its failures mean."""

from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import urlsplit

from rhumbline.adapters.openocean.deployments import Deployment
from rhumbline.adapters.openocean.wire import Envelope, SwapAnswer, SwapData
from rhumbline.domain.amount import format_amount
from rhumbline.domain.errors import AdapterError, CredentialsRejected, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.http.upstream import Upstream, UpstreamError, UpstreamRefused
from rhumbline.gateways.upstreams.spec import failure_of, known_failure, read_answer

SUCCESS = 200
# A slippage of 1 is 1 %.
_DECIMALS_OF_BPS = 2

ERRORS: Mapping[int, tuple[type[AdapterError], str]] = MappingProxyType(
    {
        400: (RequestRejected, "rejects the request as invalid"),
        401: (CredentialsRejected, "refuses our key"),
        402: (CredentialsRejected, "refuses our key"),
        403: (CredentialsRejected, "refuses clients without an agreement"),
        404: (RequestRejected, "does not know the chain"),
        429: (UpstreamFailed, "limits our rate"),
        502: (UpstreamFailed, "cannot be reached by its own gateway"),
        503: (UpstreamFailed, "is overloaded or being maintained"),
        504: (UpstreamFailed, "did not answer its own gateway in time"),
        509: (UpstreamFailed, "limits how much is asked at once"),
    }
)
"""The documented HTTP statuses (the vendor's page on error codes, read 2026-11-21), which bodies repeat as ``code``.

500 is not among them: as an HTTP status it is a failure, as the code of an answer that arrived it means no route.
"""


def headers(credentials: Mapping[str, str]) -> Mapping[str, str]:
    """Return the headers of every call: the key, and the page an operator is known to OpenOcean by."""
    sent = {"apikey": credentials["api_key"]} if "api_key" in credentials else {}
    if "referer" in credentials:
        page = urlsplit(credentials["referer"])
        sent |= {"Referer": page.geturl(), "Origin": f"{page.scheme}://{page.netloc}"}
    return sent


async def find_swap(
    http: Upstream, place: Deployment, request: QuoteRequest, tokens: tuple[str, str], gas_price: int, slippage_bps: int
) -> SwapData:
    """Ask for the best swap of two tokens in OpenOcean's own notation; raise an AdapterError.

    ``gas_price`` is in wei, ``slippage_bps`` in hundredths of a percent.
    """
    query = {
        "inTokenAddress": tokens[0],
        "outTokenAddress": tokens[1],
        "amountDecimals": str(request.amount),
        "gasPriceDecimals": str(gas_price),
        "slippage": format_amount(slippage_bps, _DECIMALS_OF_BPS),
        "sender": request.taker,
        "account": request.payout_address,
        "disableRfq": "true",
    }
    try:
        answer = await http.get(f"/v4/{place.chain_name}/swap", query)
    except UpstreamError as error:
        raise _failure(error) from error
    code = read_answer(Envelope, answer).code
    if code != SUCCESS:
        raise _named(code) or NoRoute("has no route")
    if _is_empty(answer):
        raise NoRoute("has no route")
    return read_answer(SwapAnswer, answer).data


def _failure(error: UpstreamError) -> AdapterError:
    if isinstance(error, UpstreamRefused) and error.status != 429:
        return known_failure(_named(error.status), error)
    return failure_of(error)


def _named(status: int) -> AdapterError | None:
    known = ERRORS.get(status)
    return None if known is None else known[0](known[1])


def _is_empty(answer: Json) -> bool:
    """Tell whether a successful answer has no output, which the documentation does not speak of."""
    data = answer.get("data") if isinstance(answer, dict) else None
    return data is None or (isinstance(data, dict) and data.get("outAmount") in (None, "", "0", 0))
