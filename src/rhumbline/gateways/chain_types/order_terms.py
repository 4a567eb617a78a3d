"""The terms of an order that a wallet executes itself: routing makes an ID of them, and tracking verifies it."""

from rhumbline.domain.chain import Chain
from rhumbline.domain.transaction import CrossingTerms, OrderKind, OrderTerms
from rhumbline.gateways.chain_types.bytes32 import address_word, reference_word


def direct_terms(
    origin: Chain,
    destination: Chain,
    *,
    adapter: str,
    sender: str,
    receiver: str,
    integrator: str,
    input_token: str,
    input_amount: int,
    output_token: str,
    expected_output: int,
    min_output: int,
    reference: str | None,
    deadline: int,
    refund_to: str | None = None,
) -> OrderTerms:
    """Return the terms; ``input_amount`` is what was ordered, fees included, ``deadline`` a Unix second.

    ``refund_to`` gets refunds on the origin; None: the sender. ValueError for impossible numbers.
    """
    crossing = CrossingTerms(
        destination_chain_id=destination.id,
        sent_token=address_word(origin, input_token),
        expected_output=expected_output,
        refund_to=address_word(origin, refund_to or sender),
        has_destination_call=False,
        reference=reference_word(reference),
    )
    return OrderTerms(
        kind=OrderKind.DIRECT,
        chain_id=origin.id,
        sender=address_word(origin, sender),
        integrator=integrator,
        adapter=adapter,
        receiver=address_word(destination, receiver),
        input_token=address_word(origin, input_token),
        ordered_amount=input_amount,
        output_token=address_word(destination, output_token),
        min_output=min_output,
        deadline=deadline,
        crossing=None if origin.id == destination.id else crossing,
    )
