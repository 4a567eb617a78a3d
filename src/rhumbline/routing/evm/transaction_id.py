"""Transaction IDs. An order gets its own last: it is made for everything that the order says."""

import secrets
from dataclasses import replace
from typing import TypeVar

from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.transaction import make_transaction_id
from rhumbline.routing.evm.bridge_call import BridgeOrder
from rhumbline.routing.evm.router_call import RouterOrder

UNIDENTIFIED = bytes(32)
"""Stands for the ID while an order is made."""
Order = TypeVar("Order", RouterOrder, BridgeOrder)


def identified(order: Order, sender: str, key: bytes) -> Order:
    """Return the order with a new ID for it when ``sender`` signs it; raise UpstreamFailed for impossible numbers."""
    try:
        terms = order.terms(sender)
    except ValueError as error:
        raise UpstreamFailed(f"answered with something that no order can say: {error}") from error
    return replace(order, id=make_transaction_id(key, secrets.token_bytes(16), terms))
