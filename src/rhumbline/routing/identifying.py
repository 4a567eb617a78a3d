"""Transaction IDs of what no event of ours tells: wallets' own calls, on any type of chain."""

import secrets
from typing import Any

from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.quote import Quote
from rhumbline.domain.transaction import CrossingTerms, OrderKind, OrderTerms, make_transaction_id
from rhumbline.gateways.bytes32 import address_word, reference_word
from rhumbline.routing.quote_context import QuoteContext


def direct_id(context: QuoteContext, quote: Quote[Any], reference: str | None, deadline: int, key: bytes) -> bytes:
    """Return a new ID for a call that the wallet makes itself; raise UpstreamFailed for impossible numbers.

    No event of ours will tell these terms: what ties the call to the ID is the build that is stored.
    """
    request, asked = context.request, quote.request
    origin, destination = request.origin, request.destination
    crossing = CrossingTerms(
        destination_chain_id=destination.id,
        sent_token=address_word(origin, asked.origin_token.address),
        expected_output=quote.output_amount,
        refund_to=address_word(origin, request.sender),
        has_destination_call=False,
        reference=reference_word(reference),
    )
    try:
        terms = OrderTerms(
            kind=OrderKind.DIRECT,
            chain_id=origin.id,
            sender=address_word(origin, request.sender),
            integrator=context.integrator or "",
            adapter=quote.adapter,
            receiver=address_word(destination, request.receiver),
            input_token=address_word(origin, asked.origin_token.address),
            ordered_amount=request.amount,
            output_token=address_word(destination, asked.destination_token.address),
            min_output=quote.min_output_amount or 0,
            deadline=deadline,
            crossing=None if origin.id == destination.id else crossing,
        )
    except ValueError as error:
        raise UpstreamFailed(f"answered with something that no order can say: {error}") from error
    return make_transaction_id(key, secrets.token_bytes(16), terms)
