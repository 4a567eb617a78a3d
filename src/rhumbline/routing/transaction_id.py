"""Transaction IDs: their random half, and IDs of wallets' own calls, which have no event."""

import secrets
from typing import Any

from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.quote import Quote
from rhumbline.domain.transaction import first_step_tag, make_transaction_id
from rhumbline.gateways.chain_types.order_terms import direct_terms
from rhumbline.routing.quote_context import QuoteContext


def nonce_of(context: QuoteContext, key: bytes) -> bytes:
    """Return the first half of a new ID: random, but that a route's first step is known by the route."""
    route_id = context.request.first_of
    return secrets.token_bytes(16) if not route_id else first_step_tag(key, route_id) + secrets.token_bytes(8)


def direct_id(context: QuoteContext, quote: Quote[Any], reference: str | None, deadline: int, key: bytes) -> bytes:
    """Return a new ID for a call that the wallet makes itself; raise UpstreamFailed for impossible numbers.

    No event of ours will tell these terms: what ties the call to the ID is the build that is stored.
    """
    request, quote_request = context.request, quote.request
    try:
        terms = direct_terms(
            request.origin,
            request.destination,
            adapter=quote.adapter,
            sender=request.sender,
            receiver=request.receiver,
            integrator=context.integrator or "",
            input_token=quote_request.origin_token.address,
            input_amount=request.amount,
            output_token=quote_request.destination_token.address,
            expected_output=quote.output_amount,
            min_output=quote.min_output_amount or 0,
            reference=reference,
            deadline=deadline,
            refund_to=quote_request.refund_to,
        )
    except ValueError as error:
        raise UpstreamFailed(f"answered with a value that does not fit an order: {error}") from error
    return make_transaction_id(key, nonce_of(context, key), terms)
