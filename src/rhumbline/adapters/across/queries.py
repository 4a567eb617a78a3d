"""What ``/suggested-fees`` and ``/limits`` are asked with.

With a ``message`` the API runs a fill that calls the recipient with it, and counts its gas into the relayer's fee: it
refuses a recipient that is no contract (``api/suggested-fees.ts`` and ``_utils.ts`` of the source, read 2026-11-21).
"""

from collections.abc import Mapping

from rhumbline.adapters.across.checking import Route
from rhumbline.domain.quote import QuoteRequest


def fees_query(request: QuoteRequest, route: Route, amount: int | None) -> Mapping[str, str]:
    query = {
        "inputToken": route.input_token,
        "outputToken": route.output_token,
        "originChainId": str(route.origin.chain_id),
        "destinationChainId": str(route.destination.chain_id),
        "recipient": request.payout_address,
    }
    if amount is not None:
        query["amount"] = str(amount)
    if amount is not None and request.message:
        query["message"] = "0x" + request.message.hex()
    if request.origin_token.decimals != request.destination_token.decimals:
        query["allowUnmatchedDecimals"] = "true"
    return query
