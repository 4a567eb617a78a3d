"""OpenOcean's endpoint and the meaning of its failures."""

from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from rhumbline.adapters.openocean.deployments import Deployment
from rhumbline.adapters.openocean.wire import Envelope, SwapAnswer, SwapData
from rhumbline.domain.amount import format_amount
from rhumbline.domain.errors import CredentialsRejected, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.error_table import SUCCESS, ErrorTable
from rhumbline.gateways.upstreams.spec import read_answer
from rhumbline.gateways.upstreams.upstream import Upstream

# A slippage of 1 is 1 %.
_DECIMALS_OF_BPS = 2


def _codes(status: int, body: Json) -> Iterable[int]:
    """Return the HTTP status, which counts, or in a successful reply the code of its body."""
    code = body.get("code") if isinstance(body, dict) and status == SUCCESS else status
    return (code,) if isinstance(code, int) else ()


ERRORS = ErrorTable(
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
    },
    _codes,
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
    http: Upstream, place: Deployment, request: QuoteRequest, gas_price: int, slippage_bps: int
) -> SwapData:
    """Ask for the best swap of two tokens; raise an AdapterError.

    ``gas_price`` is in wei, ``slippage_bps`` in hundredths of a percent.
    """
    token_in, token_out = request.pair(place.native)
    query = {
        "inTokenAddress": token_in,
        "outTokenAddress": token_out,
        "amountDecimals": str(request.amount),
        "gasPriceDecimals": str(gas_price),
        "slippage": format_amount(slippage_bps, _DECIMALS_OF_BPS),
        "sender": request.taker,
        "account": request.payout_address,
        "disableRfq": "true",
    }
    answer = await ERRORS.answer(http.get(f"/v4/{place.chain_name}/swap", query))
    if read_answer(Envelope, answer).code != SUCCESS or _is_empty(answer):
        raise NoRoute("has no route")
    return read_answer(SwapAnswer, answer).data


def _is_empty(answer: Json) -> bool:
    """Return whether a successful answer has no output, which is undocumented."""
    data = answer.get("data") if isinstance(answer, dict) else None
    return data is None or (isinstance(data, dict) and data.get("outAmount") in (None, "", "0", 0))
